// Defines what the journal records of every task, and what is said of it: its claim, its steps, its checks, its end.
import { z } from "zod";
import { BackendName, Labels, TaskContract } from "./contract.ts";
import { event, type KnownSteps, LAST_LINES } from "./event.ts";
import { Finding } from "./finding.ts";
import { JsonValue } from "./json.ts";
import { isPaused, Outcome, outcomeView, reasonOf } from "./outcome.ts";
import { counted, plainWord, printableJson, printableLines, span } from "./printable.ts";
import { BeforeLook, Examination } from "./proof.ts";
import { Reconciliation, reconciledInWords } from "./reconcile.ts";
import { Job } from "./run-request.ts";
import { BoundTool, Script } from "./script.ts";
import { StepResult } from "./step.ts";
import { commandText, leftText, pollingText, triesText } from "./step-run.ts";
import { Verdict } from "./verification.ts";

const StepAt = { index: z.int().min(0), attempt: z.int().min(1) };

const at = ({ index, attempt }: { readonly index: number; readonly attempt: number }): string =>
  `step ${index}${attempt > 1 ? `, attempt ${attempt}` : ""}`;

const suffix = (reason: string | null): string => (reason === null ? "" : `: ${reason}`);

function commandOf(steps: KnownSteps, index: number): string {
  const step = steps[index];
  return step == null ? "" : [step.kind, commandText(step), pollingText(step)].filter(Boolean).join("  ");
}

const THEN = { succeeded: "the step counts as done", retry: "the step runs again" } as const;

function reconciled(body: Reconciliation) {
  const { settles } = body;
  const then = settles === null ? "a human is asked" : THEN[settles];
  return {
    about: at(body),
    text: `${reconciledInWords(body)} ${then[0]?.toUpperCase()}${then.slice(1)}.`,
  };
}

function finished(result: StepResult, wasShown: boolean) {
  const { status, exit_code, duration_ms, timed_out, stdout, stderr, left_processes } = result;
  const exit = exit_code === null ? "no exit code" : `exit ${exit_code}`;
  const facts = [status, exit, span(duration_ms), timed_out ? "out of time" : "", triesText(result)];
  const text = facts.filter((fact) => fact !== "").join(", ");
  const output = stderr.trim() === "" ? stdout : stderr;
  const isSilent = wasShown || status === "passed" || output.trim() === "";
  const more = isSilent ? [] : printableLines(output.trimEnd()).slice(-LAST_LINES);
  const left = left_processes === undefined ? [] : [leftText(left_processes)];
  return { text, state: status, more: [...left, ...more.map((line) => `| ${line}`)] };
}

const jobText = (from: number, { job_id, through }: Job): string =>
  `${through === from ? "" : `with all steps to ${through} `}on the flow engine, as job ${plainWord(job_id, "ID")}`;

const WAITS = { need_approval: "waits for a decision", need_input: "waits for input" } as const;

export const ENGINE_EVENTS = {
  task_accepted: event({
    body: z.strictObject({
      contract: TaskContract,
      contract_digest: z.string(),
      backend: BackendName.optional().describe("where its steps run"),
      runs_on: Labels.optional().describe("the labels that its server must have; absent where it runs anywhere"),
    }),
    text: ({ contract }) => ({
      about: "accepted",
      text: `${contract.intent}, asked for by ${contract.requested_by}`,
    }),
    waits: () => ({ begun: { for: "queue", label: "waits for its turn" } }),
  }),
  taken_up: event({
    body: z.strictObject({
      owner: z.string(),
      recovery: z.boolean(),
      after: z.string().optional().describe("the fault that cut it off, where its server has not stopped"),
      crashed: z.literal(true).optional().describe("the server that worked on it ended without being stopped"),
      cleared: z.literal(true).optional().describe("nothing that the server before it has started runs any more"),
    }),
    text: ({ recovery, crashed, after = crashed ? "a crash" : undefined }) => ({
      about: "claimed",
      // Without a word on it, another server may have left it, or nothing of it may have begun.
      text: after === undefined ? (recovery ? "from its journal" : "") : `again, after ${after}`,
    }),
    waits: () => ({ over: ["queue"] }),
    trace: ({ recovery }) => (recovery ? { root: { recovery } } : {}),
  }),
  policy_judged: event({
    body: z.strictObject({
      findings: z.array(Finding),
      scripts: z.array(Script).optional().describe("files that the steps run, which were judged with them"),
      tools: z.array(BoundTool).optional().describe("tools that the steps call, as their servers defined them"),
    }),
    text: ({ findings }) => ({
      about: "policy",
      text: findings.length === 0 ? "nothing against it" : counted(findings.length, "finding"),
      more: findings.map(
        ({ step_index, verdict, code, reason }) => `step ${step_index}  ${verdict}  ${code}  ${reason}`,
      ),
    }),
  }),
  gate_answered: event({
    is_progress: true,
    body: z.strictObject({
      question: z.enum(["error", "approval"]),
      about: z.string().describe("the subject of the question; orch does not ask an identical question again"),
      answer: JsonValue,
      fallback: z.string().nullable(),
      model: z.string().nullable(),
      latency_ms: z.number(),
    }),
    text: ({ question, answer, fallback, model }) => ({
      about: "gate",
      text: `${question}: ${printableJson(answer)} ${fallback === null ? `by ${model}` : `as fallback: ${fallback}`}`,
    }),
    trace: ({ question, fallback, model, latency_ms }) => ({
      chat: {
        label: `asked about an ${question}`,
        model,
        attributes: { question, is_fallback: fallback !== null },
        latency_ms,
        failed: false,
      },
    }),
  }),
  checks_looked_at: event({
    is_progress: true,
    body: z.strictObject({
      looks: z.array(BeforeLook).describe("of checks on the real target, before the first step that changes something"),
    }),
    text: ({ looks }) => ({
      about: "before",
      text: `${counted(looks.length, "check")} looked at on the target`,
      more: looks.map(({ step_index, answer, reason }) => `check ${step_index}  ${answer}${suffix(reason)}`),
    }),
  }),
  checks_examined: event({
    is_progress: true,
    body: z.strictObject({
      checks: z.array(Examination.extend({ step_index: z.int().min(0) })),
    }),
    text: ({ checks }) => ({
      about: "proof",
      text: `${counted(checks.length, "check")} examined`,
      more: checks.map(
        ({ step_index, control, decoy }) =>
          `check ${step_index}  without its target: ${control.answer}  with a decoy: ${decoy?.answer ?? "not tried"}`,
      ),
    }),
  }),
  step_started: event({
    body: z.strictObject({
      ...StepAt,
      repeatable: z.literal(true).optional().describe("the tool server declares that a repeated call does no harm"),
      job: Job.optional().describe("the job that contains this step and the steps after it"),
    }),
    text: ({ job, ...body }, { steps }) => ({
      about: at(body),
      text: commandOf(steps, body.index),
      more: job === undefined ? [] : [jobText(body.index, job)],
    }),
    trace: ({ index, attempt, job }) => ({
      begin: { index, attempt, attributes: { job_id: job?.job_id }, goes_on: job !== undefined },
    }),
  }),
  step_finished: event({
    is_progress: true,
    body: StepResult,
    text: (body, { wasShown }) => ({ about: at(body), ...finished(body, wasShown(body)) }),
    trace: ({ index, attempt, kind, status, timed_out, started_at, duration_ms, ...result }) => ({
      end: {
        index,
        attempt,
        attributes: {
          step_kind: kind,
          step_status: status,
          stdout_bytes: result.stdout_bytes,
          stderr_bytes: result.stderr_bytes,
          exit_code: result.exit_code,
          error_type: status === "passed" ? null : timed_out ? "timed_out" : status,
        },
        from_ms: Date.parse(started_at),
        duration_ms,
        failed: status !== "passed",
      },
    }),
  }),
  step_resolved: event({
    is_progress: true,
    body: z.strictObject({
      ...StepAt,
      resolution: z.enum(["succeeded", "failed", "retry"]),
      reason: z.string().nullable(),
    }),
    text: (body) => ({ about: at(body), text: `resolved: ${body.resolution}${suffix(body.reason)}` }),
    waits: () => ({ over: ["people"] }),
  }),
  step_reconciled: event({
    is_progress: true,
    body: Reconciliation.describe("what the reconcile command of the step says of its unknown outcome"),
    text: reconciled,
  }),
  unparked: event({
    is_progress: true,
    body: z.strictObject({ reason: z.string().nullable() }).describe("the supervisor lets a parked task go on"),
    text: ({ reason }) => ({ about: "unparked", text: reason ?? "goes on" }),
    waits: () => ({ over: ["people"] }),
  }),
  retry_granted: event({
    is_progress: true,
    body: z.strictObject({ index: z.int().min(0) }),
    text: ({ index }) => ({
      about: `step ${index}`,
      text: "is run once more",
    }),
  }),
  verdict_reached: event({
    is_progress: true,
    body: Verdict,
    text: ({ passed, reason_code }) => ({
      about: "verdict",
      text: passed ? "every check passed" : reason_code,
    }),
    trace: ({ passed, reason_code }) => ({
      moment: { name: "verdict_reached", attributes: { passed, reason_code } },
    }),
  }),
  cancel_requested: event({
    body: z.strictObject({ reason: z.string().nullable() }),
    text: ({ reason }) => ({ about: "cancel", text: reason ?? "" }),
    trace: () => ({ moment: { name: "cancel_requested" } }),
  }),
  reported: event({
    is_progress: true,
    body: Outcome,
    text: (body, { thread_id, linesOf }) => ({
      about: body.label,
      state: body.status,
      text: reasonOf(body),
      more: linesOf(outcomeView(thread_id, body).next),
    }),
    waits: ({ status }) => ({
      over: ["queue", "people"],
      ...(isPaused(status) && { begun: { for: "people", label: WAITS[status] } }),
    }),
    trace: ({ status, reason_code }) => ({ root: { status, reason_code }, failed: status === "failed" }),
  }),
};
