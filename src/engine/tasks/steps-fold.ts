// Folds the steps of a procedure, or of an agent's calls: how far each one is, its last result, and every attempt that ended.

import type { EventBody, JournalEvent } from "../../domain/journal.ts";
import { type LateResult, type Reconciliation, reconciledInWords } from "../../domain/reconcile.ts";
import type { Job } from "../../domain/run-request.ts";
import { type StepResult, unfinished } from "../../domain/step.ts";
import type { ReadOnly } from "./fold.ts";

type StepRecord = {
  readonly index: number;
  readonly attempt: number;
  readonly state: "started" | "passed" | "failed" | "again" | "unknown";
  /** The supervisor decided the outcome: nothing is left to classify. */
  readonly settled: boolean;
  /** The first start of this attempt; `restarted_at` is the last one. They differ where a stop interrupted a wait. */
  readonly started_at: string;
  readonly restarted_at: string;
  readonly repeatable: boolean;
  readonly job: Job | undefined;
  readonly result: StepResult | null;
  readonly resolution: EventBody<"step_resolved"> | null;
  readonly reconciled: Reconciliation | null;
  /** How often a reconcile command has licensed an attempt of the step. */
  readonly repeats: number;
  /** It was started by a server of which something may still run. */
  readonly doubtful: boolean;
  /** The owner of the claim under which it was started the last time. */
  readonly started_by: string | null;
  /** What that server has reported after it had lost the task (D-330). */
  readonly late: LateResult | null;
};

export type StepsState = {
  /** The fault that cut the task off before it was taken up the last time; null where its server had stopped. */
  cut_off_by: string | null;
  owner: string | null;
  records: Map<number, StepRecord>;
  /** How many steps of the plan have passed, counted from the first, without a gap. */
  passed: number;
  /** The highest index that was started. */
  last: number;
  /** In the order of the journal. */
  starts: EventBody<"step_started">[];
  attempts: StepResult[];
  reconciliations: Reconciliation[];
  /** Steps that were granted their one retry. */
  retried: Set<number>;
};
type StepsProjection = ReadOnly<StepsState>;

export const noSteps = (): StepsState => ({
  cut_off_by: null,
  owner: null,
  records: new Map(),
  passed: 0,
  last: 0,
  starts: [],
  attempts: [],
  reconciliations: [],
  retried: new Set(),
});

export function evolveSteps(steps: StepsState, event: JournalEvent): void {
  switch (event.kind) {
    case "taken_up":
      steps.cut_off_by = event.body.after ?? null;
      steps.owner = event.body.owner;
      if (event.body.cleared !== true) for (const index of openIn(steps)) change(steps, index, { doubtful: true });
      break;
    case "step_started":
      steps.starts.push(event.body);
      steps.last = Math.max(steps.last, event.body.index);
      put(steps, started(steps, event.body, event.at));
      break;
    case "step_finished":
      steps.attempts.push(event.body);
      change(steps, event.body.index, ended(event.body));
      break;
    case "late_result":
      change(steps, event.body.index, { late: event.body });
      break;
    case "retry_granted":
      steps.retried.add(event.body.index);
      change(steps, event.body.index, { state: "again", settled: false });
      break;
    case "step_resolved":
      change(steps, event.body.index, settled(event.body));
      break;
    case "step_reconciled":
      steps.reconciliations.push(event.body);
      change(steps, event.body.index, reconciled(event.body, steps.records.get(event.body.index)));
      break;
  }
}

/** A job of a flow engine is looked up again, wherever it runs. */
const openIn = ({ records }: StepsState): number[] =>
  [...records.values()].flatMap(({ index, state, job }) => (state === "started" && job === undefined ? [index] : []));

function started(
  { records, owner: started_by }: StepsState,
  { index, attempt, repeatable, job }: EventBody<"step_started">,
  at: string,
): StepRecord {
  const before = records.get(index);
  const isResumed = before?.state === "started" && before.attempt === attempt;
  const started_at = isResumed ? before.started_at : at;
  const state = { state: "started", settled: false, result: null, resolution: null, reconciled: null } as const;
  const from = { repeats: before?.repeats ?? 0, doubtful: false, started_by, late: null };
  return { index, attempt, ...state, ...from, started_at, restarted_at: at, repeatable: repeatable === true, job };
}

function change(steps: StepsState, index: number, changed: Partial<StepRecord>): void {
  const record = steps.records.get(index);
  if (record !== undefined) put(steps, { ...record, ...changed });
}

function put(steps: StepsState, record: StepRecord): void {
  steps.records.set(record.index, record);
  steps.passed = Math.min(steps.passed, record.index);
  while (steps.records.get(steps.passed)?.state === "passed") steps.passed += 1;
}

/** A tool call without a response has ended, but its effect is unknown (D-073). */
function stateAfter({ status }: StepResult): StepRecord["state"] {
  if (status === "passed") return "passed";
  return status === "outcome_unknown" ? "unknown" : "failed";
}

const ended = (result: StepResult): Partial<StepRecord> => ({
  state: stateAfter(result),
  settled: false,
  result,
  resolution: null,
});

const settled = (resolution: EventBody<"step_resolved">): Partial<StepRecord> => ({
  state: STATE_OF[resolution.resolution],
  settled: true,
  resolution,
});

const STATE_OF = { succeeded: "passed", failed: "failed", retry: "again" } as const;

function reconciled(body: Reconciliation, before: StepRecord | undefined): Partial<StepRecord> {
  if (body.settles === null) return { reconciled: body };
  const repeats = (before?.repeats ?? 0) + (body.settles === "retry" ? 1 : 0);
  return { state: STATE_OF[body.settles], settled: true, reconciled: body, repeats };
}

/** The last result of every started step, in plan order. `plan` gives the kind of a step that has not ended. */
export const stepResultsOf = (
  { records }: StepsProjection,
  plan: readonly (Pick<StepResult, "kind"> | undefined)[],
): StepResult[] =>
  [...records.values()]
    .sort((a, b) => a.index - b.index)
    .map((record) => {
      const { index, attempt, restarted_at: started_at, resolution, reconciled: by_command } = record;
      const open = () => unfinished({ index, attempt, kind: plan[index]?.kind ?? "cmd", started_at });
      const result = record.result ?? open();
      if (resolution !== null) return resolved(result, resolution);
      return by_command === null ? result : settledByCommand(result, by_command);
    });

/** A command that does not settle the step changes nothing of its result. */
function settledByCommand(result: StepResult, body: Reconciliation): StepResult {
  if (body.settles === null) return result;
  const status = body.settles === "succeeded" ? "passed" : "outcome_unknown";
  return { ...result, status, stderr: `orch: ${reconciledInWords(body)}` };
}

export function resolved(
  result: StepResult,
  { resolution, reason }: Pick<EventBody<"step_resolved">, "resolution" | "reason">,
): StepResult {
  const status = ({ succeeded: "passed", failed: "failed", retry: "outcome_unknown" } as const)[resolution];
  return { ...result, status, stderr: resolvedBySupervisor(resolution, reason) };
}

export const resolvedBySupervisor = (resolution: string, reason: string | null): string =>
  `resolved by the supervisor as ${resolution}${reason === null ? "" : `: ${reason}`}`;
