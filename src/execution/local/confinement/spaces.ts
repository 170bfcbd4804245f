// Keeps the spaces of agents' runs, under one limit of memory for all, so that a command enters one that is made already (D-249).
// With the end of its task, or when it was not used for an hour, one is given up, and with it the /tmp and the home directory of
// its run.
import { totalmem } from "node:os";
import type { Confinement, NeverBegan } from "../containment/containment.ts";
import { entriesAt } from "./hidden-paths.ts";
import { makeSpace, type Space } from "./space.ts";
import { planSpace, type SpacePlan } from "./space-plan.ts";

const IDLE_MS = 3_600_000;
const MAX_KEPT = 64;

type Place = { readonly cwd: string; readonly home: string };
type Made = Pick<SpacePlan, "home" | "isVisible"> & { readonly space: Space };
/** `release` is called once, when the command has ended or has not begun. */
export type Prepared = Made & { readonly release: () => void };
type Kept = RoomHolder & {
  made: Promise<Made | NeverBegan>;
  readonly run: string | null;
  /** Commands that use it. While there are any, it stays. */
  users: number;
  timer?: NodeJS.Timeout;
};

export type Spaces = {
  readonly spaceFor: (confinement: Confinement, place: Place) => Promise<Prepared | NeverBegan>;
  /** Gives up the spaces of a run that has ended: what it wrote to them is kept in memory. */
  readonly endRun: (run: string) => void;
};

type Limits = { readonly idle_ms?: number; readonly total_bytes?: number; readonly wait_ms?: number };

export function createSpaces({ idle_ms = IDLE_MS, total_bytes = defaultSpaceBytes(), wait_ms }: Limits = {}): Spaces {
  const { share, hold, takeShare } = createSpaceRoom(total_bytes, wait_ms);
  // In the order of last use.
  const kept = new Map<string, Kept>();
  const giveUp = (key: string, one: Kept) => {
    clearTimeout(one.timer);
    if (kept.get(key) === one) kept.delete(key);
    void one.made.then((made) => {
      if (!("fault" in made)) made.space.close();
    });
    hold(one, 0);
  };
  const giveUpOldest = (): boolean => {
    const [found] = [...kept].filter(([, { users }]) => users === 0);
    if (found !== undefined) giveUp(...found);
    return found !== undefined;
  };
  const leave = (key: string, one: Kept, made: Made) => {
    one.users -= 1;
    if (one.users > 0) return;
    hold(one, Math.min(one.held, Math.max(1, made.space.usedBytes())));
    if (key === ONCE) return giveUp(key, one);
    one.timer = setTimeout(() => giveUp(key, one), idle_ms).unref();
    for (const [oldest, other] of kept) if (kept.size > MAX_KEPT && other.users === 0) giveUp(oldest, other);
  };
  const makeKept = ({ run }: Confinement): Kept => ({ made: Promise.resolve(FULL), run, users: 0, held: 0 });
  return {
    endRun: (run) => {
      for (const [key, one] of kept) if (one.run === run && one.users === 0) giveUp(key, one);
    },
    spaceFor: async (confinement, place) => {
      const isShared = !confinement.private || confinement.run !== null;
      const key = isShared ? await keyOf(confinement, place) : ONCE;
      const known = kept.get(key);
      const one = known ?? makeKept(confinement);
      clearTimeout(one.timer);
      one.users += 1;
      kept.delete(key);
      if (isShared) kept.set(key, one);
      const room = takeShare(one, giveUpOldest);
      if (known === undefined)
        one.made = room.then((has) => (has ? make(confinement, place, share) : FULL)).catch(unknown);
      const hasRoom = await room;
      const made = await one.made;
      if ("fault" in made) {
        one.users -= 1;
        if (kept.get(key) === one) kept.delete(key);
        if (one.users === 0) hold(one, 0);
        return made;
      }
      const release = () => leave(key, one, made);
      if (hasRoom) return { ...made, release };
      release();
      return FULL;
    },
  };
}

const FULL: NeverBegan = {
  fault:
    "other agents hold all the memory that AGENT_SPACES_MB allows for their /tmp and home directories; try again later",
};

const unknown = (error: unknown): NeverBegan => ({ fault: `its space cannot be made: ${String(error)}` });

/** No other command uses it. */
const ONCE = "once";

/** A directory that was replaced is another one: the space of the run has the old one. */
async function keyOf(confinement: Confinement, place: Place): Promise<string> {
  const open = await entriesAt([...confinement.writable, place.cwd]);
  return JSON.stringify([confinement, place, open]);
}

async function make(confinement: Confinement, place: Place, max_bytes: number): Promise<Made | NeverBegan> {
  const plan = await planSpace(confinement, place);
  if ("fault" in plan) return plan;
  const { network } = confinement;
  const making = { identity: "root_inside", devices: true, mountings: plan.mountings, max_bytes } as const;
  const space = await makeSpace({ ...making, ...(network !== undefined && { network }) });
  return "fault" in space ? space : { ...plan, space };
}

/** How many spaces can be used at the same time while the others hold nothing. */
const SHARES = 3;
const OF_MEMORY = 0.6;
const WAIT_MS = 60_000;

/** A machine or a container may have less memory than it shows. */
const defaultSpaceBytes = (): number =>
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) * OF_MEMORY);

type RoomHolder = { held: number };

/**
 * Counts the memory that the spaces of agents hold, against one limit for all of them. One that is used may fill its share; one
 * that waits counts with what is in it, because nothing runs there.
 */
function createSpaceRoom(total_bytes: number, wait_ms = WAIT_MS) {
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
