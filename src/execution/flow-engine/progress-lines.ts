// Parses the lines that the shipped flow logs when a step starts and ends. If a job ends without a result, these lines are
// the only record of its steps (D-102).
import type { StepResult } from "../../domain/step.ts";

export type StepLine = {
  readonly index: number;
  readonly kind: StepResult["kind"];
  /** Null: the step has started and not ended. */
  readonly end: Pick<StepResult, "status" | "exit_code" | "duration_ms"> | null;
};

const LINE =
  /^orch: step (\d{1,4}) (cmd|check|wait|mcp_call) (?:started|(passed|failed|outcome_unknown) exit_code=(none|-?\d{1,6}) duration_ms=(\d{1,10}))$/;

/** `index` counts within the job. Null for any other line. */
export function stepLine(line: string): StepLine | null {
  const [, index, kind, status, exit_code, duration_ms] = LINE.exec(line) ?? [];
  if (index === undefined || kind === undefined) return null;
  return {
    index: Number(index),
    kind: kind as StepResult["kind"],
    end:
      status === undefined
        ? null
        : {
            status: status as StepResult["status"],
            exit_code: exit_code === "none" ? null : Number(exit_code),
            duration_ms: Number(duration_ms),
          },
  };
}
