// Decides what follows when the outcome of a step is unknown: from its reconcile command (D-299), and from what a server that has lost the
// task still learns (D-330). A step may run again only if nothing of it can still run.
import { z } from "zod";
import { reportsLostAnswer, reportsNothingDone } from "./failure-signs.ts";
import { STEP_STATUSES, type StepResult } from "./step.ts";
import { lastLine } from "./step-run.ts";
import { endingOf } from "./verification.ts";

/** How often it may license a repeat of one step. After that a human is asked: something is wrong that it cannot see. */
const MAX_REPEATS = 3;

export const Reconciliation = z.strictObject({
  index: z.int().min(0),
  attempt: z.int().min(1).describe("the attempt of unknown outcome"),
  exit_code: z.int().nullable().describe("of the reconcile command; null when it was ended, or did not run"),
  timed_out: z.boolean(),
  stdout: z.string().describe("head and tail, 32 KiB each"),
  stderr: z.string().describe("head and tail, 32 KiB each"),
  duration_ms: z.number().min(0),
  says: z.enum(["done", "not_done", "cannot_tell"]),
  may_run: z
    .string()
    .nullable()
    .describe("why the step may not run again: something of it may still run, or the look failed"),
  settles: z
    .enum(["succeeded", "retry"])
    .nullable()
    .describe("retry licenses one more attempt; null: the supervisor is asked"),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

type Said = Pick<Reconciliation, "says">["says"];

/** Exit code 0 is done, 1 is not done, and anything else says nothing of the step. */
export const saysOf = ({ exit_code, timed_out }: Pick<Reconciliation, "exit_code" | "timed_out">): Said => {
  if (timed_out) return "cannot_tell";
  return exit_code === 0 ? "done" : exit_code === 1 ? "not_done" : "cannot_tell";
};

/** Explains, as the end of a sentence, why "not done" does not count: a program also exits with 1 when it reaches nothing. */
export const explainNoAnswer = ({ exit_code, stderr }: Pick<Reconciliation, "exit_code" | "stderr">): string | null =>
  exit_code === 1 && (reportsLostAnswer(stderr) || reportsNothingDone(stderr))
    ? `the command itself got no answer (${JSON.stringify(lastLine(stderr))})`
    : null;

/** `repeats`: how often the step was repeated because a reconcile command said so. */
export function settlementOf(
  { says, may_run }: Pick<Reconciliation, "says" | "may_run">,
  repeats: number,
): Reconciliation["settles"] {
  if (says === "done") return "succeeded";
  return says === "not_done" && may_run === null && repeats < MAX_REPEATS ? "retry" : null;
}

const WORDS = { done: "done", not_done: "not done", cannot_tell: "not whether it is done" } as const;

/** As the end of a sentence about the step: what its reconcile command said, and why that does not settle it. */
export function reconciledInWords({ says, exit_code, timed_out, may_run, settles }: Reconciliation): string {
  const end = timed_out ? "no answer in its time" : exit_code === null ? "no exit code" : `exit code ${exit_code}`;
  const said = `Its reconcile command says ${WORDS[says]} (${end})`;
  if (settles !== null || says !== "not_done") return `${said}.`;
  return `${said}, but ${may_run ?? `it has been repeated ${MAX_REPEATS} times for that already`}.`;
}

// Describes what a server that has lost its tasks still learns of a step that it had started (D-330). The supervisor gets
// it, and it settles nothing: the outcome of the step stays unknown until somebody resolves it.

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
