// Lets no task begin that a freeze holds: the commit that claims a task of which nothing has begun, and that of its first
// step, expect that no freeze is open but those that do not hold it; one that this server did not know of is read then
// (D-320).
import { signatureOf } from "../domain/contract.ts";
import { OrchError } from "../domain/errors.ts";
import { type Frozen, type HeldBy, heldText } from "../domain/freeze.ts";
import type { NewEvent } from "../domain/journal.ts";
import type { Commit, CommitResult, Store } from "../ports.ts";
import { hasStarted } from "../tasks/progress.ts";
import type { Projection } from "../tasks/projection.ts";
import type { Freezes } from "./freezes.ts";

/** A freeze was made, and the next, and the next, each between a look and a commit. */
const TRIES = 20;

type StartGuard = (state: Projection, given: Commit) => Promise<CommitResult>;

export const startGuard =
  (freezes: Pick<Freezes, "look" | "holdOn" | "passing">, commit: Store["commit"]): StartGuard =>
  async (state, given) => {
    const task = frozenOf(state);
    if (task === null || hasStarted(state) || !given.events.some(isBeginning)) return commit(given);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const held_by = freezes.holdOn(task);
      if (held_by !== null) throw heldBack(held_by);
      const result = await commit({ ...given, unless_frozen: freezes.passing(task) });
      if (result.ok || result.conflict !== "freeze") return result;
      await freezes.look();
    }
    throw new OrchError("busy", "freezes are made and thawed all the time");
  };

/** A step of a skill that only reads may come before: its start is not durable, and it changes nothing. */
function isBeginning({ kind, body }: NewEvent): boolean {
  if (kind === "skill_step_started") return body.repeatable !== true;
  return kind === "taken_up" || kind === "step_started";
}

const heldBack = (held_by: HeldBy): OrchError =>
  new OrchError("held_by_freeze", `the task is ${heldText(held_by)}`, { current: held_by });

export const heldBackBy = (error: unknown): HeldBy | null =>
  error instanceof OrchError && error.code === "held_by_freeze" ? (error.current as HeldBy) : null;

/** Null on a promotion, a schedule or a freeze, which take no step. */
function frozenOf({ accepted }: Projection): Frozen | null {
  if (accepted === null) return null;
  const { contract } = accepted;
  return { intent: contract.intent, target_signature: signatureOf(contract) };
}
