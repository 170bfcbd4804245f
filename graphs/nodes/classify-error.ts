// [7.1] The routing model calls a failure transient or unknown. A transient failure is retried once, from the failed step. A
// step that the supervisor has resolved, or that has had its retry (D-009), is final.
import { mayPass } from "../../src/domain/job.ts";
import { eventsOf, type JournalEvent, lastOf } from "../../src/domain/journal.ts";
import { commandText } from "../../src/domain/step-words.ts";
import { pinned } from "../../src/tasks/plan.ts";
import { jobFailureOf, progressOf } from "../../src/tasks/progress.ts";
import type { PipelineDeps } from "../pipeline-deps.ts";
import type { Facts, Pipeline } from "../state.ts";

export const classifyError =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal, cancel } = await deps.threadOf(contract.task_id);
    const { steps } = pinned(journal.events);
    const progress = progressOf(journal.events, steps);
    if (progress.is !== "broken" || progress.settled) return { error: "final" };
    const { index, attempt } = progress;
    if (hadItsRetry(journal.events, index)) return { error: "final" };
    const failure = jobFailureOf(journal.events);
    if (failure !== null && !mayPass(failure.code)) return { error: "final" };
    const about = `step ${index}, attempt ${attempt}`;
    if (wasAsked(journal.events, about)) return { error: "final" };
    const step = steps[index];
    const command = step === undefined ? "" : commandText(step);
    const reply = await deps.gate.classifyError({ command, output: outputOf(journal.events) }, cancel);
    const answered = { kind: "gate_answered", body: { question: "error", about, ...reply } } as const;
    const transient = reply.answer.error_type === "transient";
    await journal.commit(transient ? [answered, { kind: "retry_granted", body: { index } }] : [answered]);
    return { error: transient ? "worth_a_retry" : "final" };
  };

// A step that the supervisor had run again after a stop has not had its retry.
const hadItsRetry = (events: readonly JournalEvent[], index: number): boolean =>
  eventsOf(events, "retry_granted").some((granted) => granted.index === index);

// An answer is committed together with the retry that it grants: an answer without one was final.
const wasAsked = (events: readonly JournalEvent[], about: string): boolean =>
  eventsOf(events, "gate_answered").some((reply) => reply.question === "error" && reply.about === about);

function outputOf(events: readonly JournalEvent[]): string {
  const result = lastOf(events, "step_finished");
  if (result === undefined) return "";
  return result.stderr === "" ? result.stdout : result.stderr;
}
