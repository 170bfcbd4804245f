// Builds the report on a run. Every backend returns this shape [2.flow_output.ok].
import type { FlowOutput } from "../domain/flow.ts";
import type { Step, StepResult } from "../domain/step.ts";
import { commandText, lastWords } from "../domain/step-run.ts";

export type RanStep = { readonly step: Step; readonly result: StepResult; readonly executed: boolean };

/** `stopped_before` is the index of the step that did not start because the run was stopped, null if it was not stopped. */
export function flowOutput(ran: readonly RanStep[], stopped_before: number | null): FlowOutput {
  const step_results = ran.map(({ result }) => result);
  const broken = step_results.find(({ status }) => status !== "passed");
  return {
    ok: broken === undefined && stopped_before === null,
    summary: broken === undefined ? ending(step_results.length, stopped_before) : failure(broken),
    step_results,
    evidence: {
      executed_commands: ran.flatMap(({ step, executed }) => (executed ? commandOf(step) : [])),
      key_outputs: step_results.map(lastWords).filter((line) => line !== ""),
    },
  };
}

function ending(passed: number, stopped_before: number | null): string {
  const done = `${passed} ${passed === 1 ? "step" : "steps"} passed`;
  return stopped_before === null ? done : `stopped before step ${stopped_before}; ${done}`;
}

function failure({ index, kind, status, timed_out, exit_code }: StepResult): string {
  if (status === "outcome_unknown") return `step ${index} (${kind}) got no response, and may have taken effect`;
  const how = timed_out
    ? "reached its time limit"
    : exit_code === null
      ? "was ended"
      : `failed with exit code ${exit_code}`;
  return `step ${index} (${kind}) ${how}`;
}

function commandOf(step: Step): readonly string[] {
  if (step.kind === "wait") return [];
  return [commandText(step)];
}
