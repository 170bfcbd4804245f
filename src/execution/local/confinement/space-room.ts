// Counts the memory that the spaces of agents hold, against one limit for all of them. One that is used may fill its share; one that waits
// counts with what is in it, because nothing runs there.
import { totalmem } from "node:os";

/** How many spaces can be used at the same time while the others hold nothing. */
const SHARES = 3;
const OF_MEMORY = 0.6;
const WAIT_MS = 60_000;

/** A machine or a container may have less memory than it shows. */
export const defaultSpaceBytes = (): number =>
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) * OF_MEMORY);

export type RoomHolder = { held: number };

export function createSpaceRoom(total_bytes: number, wait_ms = WAIT_MS) {
  const share = Math.floor(total_bytes / SHARES);
  const holders = new Set<RoomHolder>();
  let waiting: (() => void)[] = [];
  const free = () => total_bytes - [...holders].reduce((sum, { held }) => sum + held, 0);
  const hold = (holder: RoomHolder, bytes: number) => {
    holder.held = bytes;
    if (bytes === 0) holders.delete(holder);
    else holders.add(holder);
    for (const wake of waiting.splice(0)) wake();
  };
  /** False when there is no room for a share in time. `giveUpOne` frees a space that is not used, and returns false where there is none. */
  const takeShare = async (holder: RoomHolder, giveUpOne: () => boolean): Promise<boolean> => {
    const until = performance.now() + wait_ms;
    while (holder.held < share) {
      if (free() + holder.held >= share) hold(holder, share);
      else if (!giveUpOne()) {
        const left = until - performance.now();
        if (left <= 0) return false;
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        const timer = setTimeout(resolve, left);
        await promise;
        clearTimeout(timer);
        waiting = waiting.filter((one) => one !== resolve);
      }
    }
    return true;
  };
  return { share, hold, takeShare };
}
