// An execution backend that runs nothing: every step passes, and its output says that it was rehearsed. It shows the path of
// a contract through the pipeline without any effect.
import type { Step, StepResult } from "../../src/domain/step.ts";
import { commandText } from "../../src/domain/step-run.ts";
import type { Clock, ExecutionBackend } from "../../src/ports.ts";

export const createRehearsal = (clock: Clock): ExecutionBackend => ({
  name: "rehearsal",
  remote: false,
  run: async ({ steps, first_index, attempt: first_attempt }, observer, signal) => {
    const step_results: StepResult[] = [];
    for (const [offset, step] of steps.entries()) {
      const index = first_index + offset;
      const attempt = offset === 0 ? first_attempt : 1;
      if (signal.aborted || !(await observer.started(index, attempt))) break;
      const result = rehearsed(step, index, attempt, clock().toISOString());
      observer.finished(result);
      step_results.push(result);
    }
    return {
      ok: step_results.length === steps.length,
      summary: `${step_results.length} of ${steps.length} step(s) rehearsed, none of them run`,
      step_results,
      evidence: { executed_commands: [], key_outputs: step_results.map(({ stdout }) => stdout) },
    };
  },
});

function rehearsed(step: Step, index: number, attempt: number, started_at: string): StepResult {
  const stdout = `rehearsed, not run: ${commandText(step)}`;
  return {
    index,
    kind: step.kind,
    status: "passed",
    attempt,
    exit_code: 0,
    stdout,
    stderr: "",
    stdout_bytes: Buffer.byteLength(stdout),
    stderr_bytes: 0,
    truncated: false,
    started_at,
    duration_ms: 0,
    timed_out: false,
  };
}
