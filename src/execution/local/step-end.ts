// How a step ended, before the backend adds its position in the plan and its measurements.
import type { StepResult } from "../../domain/step.ts";

type Measured = "index" | "kind" | "attempt" | "started_at" | "duration_ms";

/** `executed` is false when nothing was run or called. */
export type StepEnd = Omit<StepResult, Measured> & { readonly executed: boolean };

export const SILENT = {
  stdout: "",
  stderr: "",
  stdout_bytes: 0,
  stderr_bytes: 0,
  truncated: false,
  timed_out: false,
} as const;
