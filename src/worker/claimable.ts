// Whether this server may claim an unfinished task that it does not hold. The lease that is written is the lease that is
// read (D-221): a task of another server is left alone only while that server may live and its lease lasts.
import { neededHere, servesLabels } from "../domain/labels.ts";
import type { Predecessor } from "../domain/predecessor.ts";
import type { Task } from "../domain/task.ts";
import type { Clock } from "../ports.ts";
import type { Start } from "./run-thread.ts";

export type Claimant = {
  readonly owner: string;
  readonly predecessor: Predecessor;
  readonly clock: Clock;
  readonly labels: readonly string[];
};

export function isClaimable(
  { owner, lease_expires_at, ...placed }: Pick<Task, "owner" | "lease_expires_at" | "backend" | "runs_on">,
  claimant: Claimant,
): boolean {
  if (!mayRunOn(claimant.labels, placed)) return false;
  if (owner === null || owner === claimant.owner || claimant.predecessor !== "may_live") return true;
  return lease_expires_at === null || lease_expires_at <= claimant.clock().toISOString();
}

/** Whether a server with these labels may work on the task at all (D-325). */
export const mayRunOn = (labels: readonly string[], task: Pick<Task, "backend" | "runs_on">): boolean =>
  servesLabels(labels, neededHere(task));

type Recovering = Omit<Claimant, "clock" | "labels"> & {
  /** The host and pid of the server that had the database before. */
  readonly predecessor_process: string | null;
  /** Whether everything that it, or a lost runner of this server, had left running was ended. */
  readonly cleared: () => boolean;
};

/** How a claimed task starts: the server that worked on it may have ended without being stopped (D-258). */
export function recoveryOf(row: Pick<Task, "owner" | "lease_expires_at">, claimant: Recovering): Start {
  const { owner, lease_expires_at } = row;
  // Without a lease nothing of it ran any more: a server that is killed while it stops was not ended by this task.
  const isAnother = owner !== null && owner !== claimant.owner && lease_expires_at !== null;
  const mayBeCrash = claimant.predecessor === "ended" || claimant.predecessor === "may_live";
  const cleared = hasEndedAll(row, claimant) ? { cleared: true as const } : {};
  return isAnother && mayBeCrash ? { kind: "recover", crashed: true, ...cleared } : { kind: "recover", ...cleared };
}

/** Whether nothing that the owner before has started runs any more (D-300). Of a server before the last one it is not known. */
function hasEndedAll({ owner, lease_expires_at }: Pick<Task, "owner" | "lease_expires_at">, claimant: Recovering) {
  const { predecessor, predecessor_process: ended } = claimant;
  if (owner === null || lease_expires_at === null) return true;
  if (!claimant.cleared()) return false;
  if (owner === claimant.owner) return true;
  const isKnown = predecessor === "ended" || predecessor === "stopped";
  return isKnown && ended !== null && owner.startsWith(`${ended}/`);
}
