// The outcome of a step is unknown (D-013): the server stopped in it, or a tool server sent no response. The same holds for a step
// of a skill whose handler cannot find out, and for a call of an agent (D-134). It is never silently run again: the supervisor
// finds out and answers with resolve_step.
import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import type { AgentStep } from "../../src/domain/agent-events.ts";
import { outcome } from "../../src/domain/outcome.ts";
import { quotedLine } from "../../src/domain/output-lines.ts";
import { type LateResult, type Reconciliation, reconciledInWords } from "../../src/domain/reconcile.ts";
import type { StepResult } from "../../src/domain/step.ts";
import { question, readEdit } from "../../src/engine/tasks/human-in-the-loop.ts";
import { pinned } from "../../src/engine/tasks/plan.ts";
import { mayStillRun, progressOf } from "../../src/engine/tasks/progress.ts";
import type { Facts, Pipeline, PipelineDeps } from "../state.ts";

const Resolution = z.strictObject({ resolution: z.enum(["succeeded", "failed", "retry"]) });

type Asked = {
  readonly task_id: string;
  readonly index: number;
  readonly attempt: number;
  readonly cut_off_by?: string | null;
  readonly reconciled?: Reconciliation | null;
  readonly late?: LateResult | null;
  /** Why it may still run on another machine. */
  readonly still_runs?: string | null;
  readonly is_cancelled?: boolean;
};
type Cut = AgentStep | { readonly kind: "skill"; readonly name: string } | undefined;

/** An answer that names no resolution is refused, and the question stays open. `ended` is null when orch stopped in the middle of it. */
function askedFor(asked: Asked, step: Cut, ended: StepResult | null = null): z.infer<typeof Resolution>["resolution"] {
  const { index, attempt } = asked;
  const offered = { index, attempt, step };
  const read = (answer: unknown) => Resolution.safeParse(readEdit(answer, offered));
  const responseSchema = z.unknown().refine((answer) => read(answer).success, {
    error: "must say what became of the step: resolution is succeeded, failed or retry, and nothing else is changed",
  });
  const answer: unknown = interrupt(resolutionQuestion(asked, step, ended), { responseSchema });
  return Resolution.parse(readEdit(answer, offered)).resolution;
}

export const awaitResolution =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal, cancel } = await deps.threadOf(contract.task_id);
    const { steps } = pinned(journal.projection);
    const progress = progressOf(journal.projection, steps);
    if (progress.is !== "outcome_unknown") return {};
    const { index, attempt } = progress;
    const { cut_off_by, records } = journal.projection.steps;
    const { result: ended = null, reconciled = null, late = null } = records.get(index) ?? {};
    const still_runs = await mayStillRun(deps, { contract, projection: journal.projection, index });
    // The cancel request may be in the store before this thread has read it.
    const is_cancelled = cancel.aborted || journal.projection.cancel_requested !== null;
    const asked = { task_id: contract.task_id, index, attempt, cut_off_by, reconciled, late, still_runs, is_cancelled };
    const resolution = askedFor(asked, steps[index], ended);
    await journal.commit([{ kind: "step_resolved", body: { index, attempt, resolution, reason: null } }]);
    return {};
  };

const CANCELLED =
  "The supervisor cancelled the task: it keeps its target until this is answered, and then ends as cancelled.";

/** `ended` is how an attempt ended that got no answer. */
function resolutionQuestion(asked: Asked, step: Cut, ended: StepResult | null) {
  const { task_id, index, attempt, cut_off_by = null, reconciled = null, late = null } = asked;
  const { still_runs = null, is_cancelled = false } = asked;
  const cause = cut_off_by ?? "orch stopped in the middle of it";
  const what =
    ended === null
      ? `was started and its end was not recorded: ${cause}`
      : `got no answer (${JSON.stringify(quotedLine(ended))})`;
  const message = [
    `Step ${index} ${what}. It may or may not have taken effect.`,
    still_runs === null ? null : `orch cannot stop it: ${still_runs}.`,
    reconciled === null ? null : reconciledInWords(reconciled),
    late?.message ?? null,
    is_cancelled ? CANCELLED : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
  return question(
    outcome("need_input", "step_outcome_unknown", message, { thread_id: task_id, step_index: index }),
    { kind: "resolution", index, attempt },
    { name: "resolve_step", args: { index, attempt, step, resolution: "" }, description: message },
    ["edit"],
  );
}

export const awaitSkillResolution =
  (deps: PipelineDeps) =>
  async ({ contract, step_index = 0 }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const step = journal.projection.skill.steps[step_index];
    if (step?.state !== "cut_off") return {};
    const { index, attempt, name } = step;
    const resolution = askedFor({ task_id: contract.task_id, index, attempt }, { kind: "skill", name });
    await journal.commit([{ kind: "step_resolved", body: { index, attempt, resolution, reason: null } }]);
    return {};
  };

export const awaitCallResolution =
  (deps: Pick<PipelineDeps, "threadOf">) =>
  async ({ contract, step_index = 0 }: Pick<Pipeline, "contract" | "step_index">): Promise<Record<string, never>> => {
    const { journal } = await deps.threadOf(contract.task_id);
    const call = journal.projection.agent.calls[step_index];
    if (call?.step == null || (call.state !== "started" && call.state !== "unknown")) return {};
    const { index, attempt, step } = call;
    const ended = call.state === "unknown" ? call.result : null;
    const resolution = askedFor({ task_id: contract.task_id, index, attempt }, step, ended);
    await journal.commit([{ kind: "step_resolved", body: { index, attempt, resolution, reason: null } }]);
    return {};
  };
