// Checks what a reconcile command is said to have settled (D-299): it has to follow from its exit code and from what the journal says
// of the server before. Whether a step may start again, `starts.ts` judges.
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { saysOf, settlementOf } from "../../domain/reconcile.ts";
import { reconcileOf } from "../../domain/step.ts";
import type { Projection } from "../../tasks/projection.ts";

/** What is wrong with an entry, after the entries `before` it; null when it follows from them. */
export function repeatFault(event: JournalEvent, before: Projection): string | null {
  return event.kind === "step_reconciled" ? reconciledFault(event.body, before) : null;
}

function reconciledFault(
  body: EventBody<"step_reconciled">,
  { steps: { records }, procedure }: Projection,
): string | null {
  const record = records.get(body.index);
  const step = procedure?.steps[body.index];
  const isUnknown = record?.state === "started" || record?.state === "unknown";
  if (record === undefined || !isUnknown || record.attempt !== body.attempt || record.reconciled !== null)
    return "reconciles a step whose outcome is not unknown";
  if (reconcileOf(step) === undefined) return "reconciles a step that has no reconcile command";
  const mustDoubt = step?.kind === "mcp_call" || record.doubtful;
  if (mustDoubt && body.may_run === null) return "says that nothing of a step can run, and that is not certain";
  const says = saysOf(body);
  const follows = body.says === says && body.settles === settlementOf({ ...body, says }, record.repeats);
  return follows ? null : "settles a step in a way that does not follow from the exit code of its reconcile command";
}
