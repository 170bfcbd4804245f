// What a server knows of the one that had a SQLite file before it: there is no other beside it.
import type { OwnerState } from "../domain/server.ts";
import type { Clock, Servers } from "../ports.ts";
import type { Predecessor } from "./server-row.ts";

type Deps = {
  readonly owner: string;
  readonly predecessor: Predecessor;
  /** The host and pid of the server before, as its owner's name begins; null when it is not known. */
  readonly predecessor_process: string | null;
  readonly clock: Clock;
};

/** The lease that is written is the lease that is read (D-221): only a server before that may live has its tasks until it is over. */
export function alone({ owner, predecessor, predecessor_process, clock }: Deps): Servers {
  const stateOf: Servers["stateOf"] = ({ owner: other, lease_expires_at }): OwnerState => {
    if (other === null || other === owner) return OVER;
    const mayLive = predecessor === "may_live";
    // Of a server before the last one it is not known.
    const isLast = predecessor_process !== null && other.startsWith(`${predecessor_process}/`);
    return {
      lives: mayLive && lease_expires_at !== null && lease_expires_at > clock().toISOString(),
      may_have_crashed: predecessor === "ended" || mayLive,
      is_over: isLast && (predecessor === "ended" || predecessor === "stopped"),
    };
  };
  return {
    ...{ owner, are_many: false, stateOf, aheadMs: () => 0 },
    look: async () => undefined,
    takeOver: async () => true,
  };
}

const OVER: OwnerState = { lives: false, may_have_crashed: false, is_over: true };
