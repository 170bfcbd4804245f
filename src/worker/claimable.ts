// Whether this server may claim an unfinished task that it does not hold. The lease that is written is the lease that is
// read (D-221): a task of another server is left alone only while that server may live and its lease lasts.
import type { Predecessor } from "../domain/predecessor.ts";
import type { Task } from "../domain/task.ts";
import type { Clock } from "../ports.ts";
import type { Start } from "./run-thread.ts";

export type Claimant = {
  readonly owner: string;
  readonly predecessor: Predecessor;
  readonly clock: Clock;
};

export function isClaimable(
  { owner, lease_expires_at }: Pick<Task, "owner" | "lease_expires_at">,
  claimant: Claimant,
): boolean {
  if (owner === null || owner === claimant.owner || claimant.predecessor !== "may_live") return true;
  return lease_expires_at === null || lease_expires_at <= claimant.clock().toISOString();
}

/** How a claimed task starts: the server that worked on it may have ended without being stopped (D-258). */
export function recoveryOf(
  { owner, lease_expires_at }: Pick<Task, "owner" | "lease_expires_at">,
  claimant: Omit<Claimant, "clock">,
): Start {
  // Without a lease nothing of it ran any more: a server that is killed while it stops was not ended by this task.
  const isAnother = owner !== null && owner !== claimant.owner && lease_expires_at !== null;
  const mayBeCrash = claimant.predecessor === "ended" || claimant.predecessor === "may_live";
  return isAnother && mayBeCrash ? { kind: "recover", crashed: true } : { kind: "recover" };
}
