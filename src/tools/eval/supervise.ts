// The supervisor of a measured task, over HTTP like any other. It submits, waits, and rejects every approval. It cancels a
// task that asks for steps, so that every task ends.
import type { CallOperation } from "../../cli/client.ts";
import type { Result } from "../../cli/failure.ts";
import type { TaskContract } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { hasEnded, type Outcome } from "../../domain/outcome.ts";
import type { Evidence } from "../../evidence/bundle.ts";
import { approve } from "../../operations/shapes/approvals.ts";
import { getEvidence } from "../../operations/shapes/journal.ts";
import { cancelTask, getTask, submitTask } from "../../operations/shapes/tasks.ts";

const ONE_WAIT_SECONDS = 50;
const NO_APPROVALS = "a measurement rejects every approval";

/** Resolves with the outcome of the task. `stop` cancels the task. */
export async function supervise(call: CallOperation, contract: TaskContract, stop: AbortSignal): Promise<Outcome> {
  const { task_id } = contract;
  // A cancelled task also ends the current wait.
  const cancel = () => call(cancelTask, { task_id, reason: "the measurement ends this task" });
  const onStop = () => void cancel();
  stop.addEventListener("abort", onStop);
  try {
    let { status, outcome } = answerOf(await call(submitTask, contract));
    while (!hasEnded(status) || outcome === null) {
      if (stop.aborted || status === "need_input") await cancel();
      else if (status === "need_approval")
        answerOf(await call(approve, { task_id, decision: "reject", reason: NO_APPROVALS }));
      ({ status, outcome } = answerOf(await call(getTask, { task_id, wait_seconds: ONE_WAIT_SECONDS })));
    }
    return outcome;
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

export const evidenceOf = async (call: CallOperation, task_id: string): Promise<Evidence> =>
  answerOf(await call(getEvidence, { task_id }));

/** Throws on a failure: the server belongs to this measurement and must answer. */
function answerOf<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new OrchError("internal_error", `The measured orch refused a call: ${result.failure.detail}`);
}
