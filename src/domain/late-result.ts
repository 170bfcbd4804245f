// Describes what a server that has lost its tasks still learns of a step that it had started (D-330). The supervisor gets
// it, and it settles nothing: the outcome of the step stays unknown until somebody resolves it.
import { z } from "zod";
import { STEP_STATUSES, type StepResult } from "./step.ts";
import { endingOf } from "./verification.ts";

/** Of each stream, from its end: who resolves the step reads it, and nothing is computed from it. */
const MOST_OUTPUT = 2_000;

export const LateResult = z.strictObject({
  index: z.int().min(0),
  attempt: z.int().min(1),
  owner: z.string().describe("of the claim under which the step was started"),
  server: z.string().describe("the name of that server"),
  status: z.enum(STEP_STATUSES).describe("as that server saw it"),
  exit_code: z.int().nullable(),
  timed_out: z.boolean(),
  ended_at: z.iso.datetime().describe("by the clock of that server, which may have been stopped meanwhile"),
  stdout: z.string().max(MOST_OUTPUT).describe("its end"),
  stderr: z.string().max(MOST_OUTPUT).describe("its end"),
  message: z.string(),
});
export type LateResult = z.infer<typeof LateResult>;

export function lateResult({ owner, server }: Pick<LateResult, "owner" | "server">, result: StepResult): LateResult {
  const { index, attempt, status, exit_code, timed_out, started_at, duration_ms } = result;
  const ended_at = new Date(Date.parse(started_at) + duration_ms).toISOString();
  const output = { stdout: endingOf(result.stdout, MOST_OUTPUT), stderr: endingOf(result.stderr, MOST_OUTPUT) };
  const message = `Server ${server}, which has lost the task, says that step ${index} ${endedAs(result)} at ${ended_at}.`;
  return { index, attempt, owner, server, status, exit_code, timed_out, ended_at, ...output, message };
}

function endedAs({ status, exit_code, timed_out }: StepResult): string {
  if (timed_out) return "was ended at its time limit";
  if (exit_code !== null) return `ended with exit code ${exit_code}`;
  if (status === "outcome_unknown") return "got no answer";
  return status === "passed" ? "passed" : "was ended before its own end";
}
