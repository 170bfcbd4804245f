// What the shipped flow logs as it goes: which step has begun, and how each has ended. Where a job ends without a result
// this is all there is to tell what was done.
import type { StepResult } from "../../domain/step.ts";

export type StepLine = {
  readonly index: number;
  readonly kind: StepResult["kind"];
  /** Null: it has begun. */
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
