// Whether this server may claim an unfinished task that it does not hold. The lease that is written is the lease that is
// read (D-221): a task of another server is left alone only while that server may live and its lease lasts.
import type { Task } from "../domain/task.ts";
import type { Clock, Predecessor } from "../ports.ts";

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
