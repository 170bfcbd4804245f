// Checks that no step of a procedure started twice without a licence: a retry that was granted, the word of the supervisor, or that
// of its reconcile command (D-299), which has to follow from its exit code and from what the journal says of the server before.
import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { saysOf, settlementOf } from "../../domain/reconcile.ts";
import { reconcileOf } from "../../domain/step.ts";
import type { Projection } from "../../tasks/projection.ts";

/** What is wrong with an entry, after the entries `before` it; null when it follows from them. */
export function repeatFault(event: JournalEvent, before: Projection): string | null {
  // agent.ts checks the calls of an agent.
  if (before.procedure === null) return null;
  switch (event.kind) {
    case "step_started":
      return startFault(event.body, before);
    case "step_reconciled":
      return reconciledFault(event.body, before);
    default:
      return null;
  }
}

function startFault({ index, attempt }: EventBody<"step_started">, { steps, procedure }: Projection): string | null {
  const record = steps.records.get(index);
  if (record === undefined) return null;
  if (record.state === "again") return attempt === record.attempt + 1 ? null : "starts another attempt than the next";
  const kind = procedure?.steps[index]?.kind;
  const isHarmless = kind === "check" || kind === "wait" || record.repeatable || record.job !== undefined;
  if (record.state === "started" && attempt === record.attempt && isHarmless) return null;
  return "starts a step again that nothing allows to run again";
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
