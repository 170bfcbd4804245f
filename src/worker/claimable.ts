// Says whether this server may claim an unfinished task that it does not hold, and how the task starts then. A task of
// another server is left alone while that server lives (D-221, D-313).
import { canRead, JOURNAL_LEVEL } from "../domain/journal-level.ts";
import { neededHere, servesLabels } from "../domain/labels.ts";
import type { Task } from "../domain/task.ts";
import type { Servers } from "../ports.ts";
import type { Start } from "./run-thread.ts";

type Owned = Pick<Task, "owner" | "lease_expires_at">;

/** Whether this server, with these labels, may work on the task at all (D-322, D-329). */
export const mayRunOn = (labels: readonly string[], task: Pick<Task, "backend" | "runs_on" | "needs_level">): boolean =>
  canRead(JOURNAL_LEVEL, task.needs_level) && servesLabels(labels, neededHere(task));

type Recovering = {
  readonly servers: Pick<Servers, "owner" | "stateOf">;
  /** Whether everything that a server before, or a lost runner of this server, had left running was ended. */
  readonly cleared: () => boolean;
};

export const isClaimable = (task: Owned, servers: Pick<Servers, "stateOf">): boolean =>
  task.owner === null || !servers.stateOf(task).lives;

/** How a claimed task starts: the server that worked on it may have ended without being stopped (D-258). */
export function recoveryOf(row: Owned, { servers, cleared }: Recovering): Extract<Start, { kind: "recover" }> {
  const { owner, lease_expires_at } = row;
  const { may_have_crashed, is_over } = servers.stateOf(row);
  // Without a lease nothing of it ran any more: a server that is killed while it stops was not ended by this task.
  const isAnother = owner !== null && owner !== servers.owner && lease_expires_at !== null;
  // Whether nothing that the owner before has started runs any more (D-300).
  const hasEndedAll =
    owner === null || lease_expires_at === null || (cleared() && (owner === servers.owner || is_over));
  return {
    kind: "recover",
    left_by: owner,
    ...(isAnother && may_have_crashed && { crashed: true as const }),
    ...(hasEndedAll && { cleared: true as const }),
  };
}
