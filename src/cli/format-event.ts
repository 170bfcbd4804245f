// Formats the events of a journal, and of the runs of skills and agents, as text, for `orch task --follow`.
import type { z } from "zod";
import type { AgentStep } from "../domain/agent-events.ts";
import { type EventOfFeature, type EventText, LAST_LINES } from "../domain/event.ts";
import type { Job } from "../domain/job.ts";
import { EVENT_BODIES, type EventKind, type EventRecord } from "../domain/journal.ts";
import { outcomeView } from "../domain/outcome.ts";
import { pollingText, triesText } from "../domain/polling.ts";
import { counted, plainWord, printable, printableJson, printableLines, span } from "../domain/printable.ts";
import { type Reconciliation, reconciledInWords } from "../domain/reconcile.ts";
import type { StepResult } from "../domain/step.ts";
import { commandText, leftText } from "../domain/step-run.ts";
import { FEATURE_EVENTS, type FeatureEventKind } from "../features/records.ts";
import { type EventFormat, format } from "./event-text.ts";
import { nextLines } from "./next-commands.ts";
import type { Paint } from "./out.ts";
import { verificationMissed, verificationRecorded } from "./show-verification.ts";
import { painted, reasonOf } from "./text-format.ts";

// What a reconcile command said of a step, as text, for `orch task --follow`.

const THEN = { succeeded: "the step counts as done", retry: "the step runs again" } as const;

function stepReconciled(body: Reconciliation): EventText {
  const { index, attempt, settles } = body;
  const then = settles === null ? "a human is asked" : THEN[settles];
  return {
    about: `step ${index}${attempt > 1 ? `, attempt ${attempt}` : ""}`,
    text: `${reconciledInWords(body)} ${then[0]?.toUpperCase()}${then.slice(1)}.`,
  };
}

const SHORT_JSON = 200;

/**
 * Takes the events in their order: the text of a step needs the procedure of an earlier event. `wasShown` when the output of
 * the step has been shown while it ran.
 */
export function createEventFormat(
  paint: Paint,
  wasShown: (step: Pick<StepResult, "index" | "attempt">) => boolean = () => false,
  program = "orch",
): (event: z.infer<typeof EventRecord>) => string[] {
  let steps: readonly (AgentStep | null)[] = [];
  const learn = (procedure: { readonly steps: readonly AgentStep[] }) => {
    steps = procedure.steps;
    return counted(steps.length, "step");
  };
  const at = ({ index, attempt }: { readonly index: number; readonly attempt: number }) =>
    `step ${index}${attempt > 1 ? `, attempt ${attempt}` : ""}`;
  const command = (index: number): string => {
    const step = steps[index];
    return step == null ? "" : [step.kind, commandText(step), pollingText(step)].filter(Boolean).join("  ");
  };
  const formats: Readonly<
    Record<Exclude<EventKind, "reported" | FeatureEventKind> | "agent_call_judged", EventFormat>
  > = {
    ...FORMATS,
    taught: format(EVENT_BODIES.taught, (body) => ({ about: "taught", text: learn(body) })),
    sop_pinned: format(EVENT_BODIES.sop_pinned, (body) => ({
      about: "procedure",
      text: `SOP ${body.sop_id}, version ${body.sop_version}, ${learn(body)}`,
    })),
    agent_call_judged: format(EVENT_BODIES.agent_call_judged, (body) => {
      steps = Object.assign([...steps], { [body.index]: body.step });
      return FEATURE_EVENTS.agent_call_judged.text(body);
    }),
    approval_requested: format(EVENT_BODIES.approval_requested, ({ approval_id, kind }) => ({
      about: "approval",
      text: `${kind} asked for: ${program} approvals ${plainWord(approval_id, "ID")}`,
    })),
    step_started: format(EVENT_BODIES.step_started, ({ job, ...body }) => ({
      about: at(body),
      text: command(body.index),
      more: job === undefined ? [] : [jobText(body.index, job)],
    })),
    step_finished: format(EVENT_BODIES.step_finished, (body) => ({
      about: at(body),
      ...finished(body, wasShown(body)),
    })),
    step_resolved: format(EVENT_BODIES.step_resolved, (body) => ({
      about: at(body),
      text: `resolved: ${body.resolution}${suffix(body.reason)}`,
    })),
  };
  const known = new Map<string, EventFormat>([...OF_FEATURES, ...Object.entries(formats)]);
  return ({ kind, body, thread_id, at: time }) => {
    const chosen = kind === "reported" ? reported(thread_id, program) : known.get(kind);
    const { about, text, state = "", more = [] } = chosen?.(body) ?? unknownEvent(kind, body);
    const name = painted(paint, state, about.padEnd(ABOUT));
    const line = printableLines(text).join("  ");
    return [`${paint("dim", clockOf(time))}  ${name}  ${line}`.trimEnd(), ...more.map(indented)];
  };
}

const OF_FEATURES = Object.entries(FEATURE_EVENTS).map(
  ([kind, { body, text }]: [string, EventOfFeature]) => [kind, format(body, text)] as const,
);

const reported = (thread_id: string, program: string): EventFormat =>
  format(EVENT_BODIES.reported, (body) => ({
    about: body.label,
    state: body.status,
    text: reasonOf(body),
    more: nextLines(outcomeView(thread_id, body).next, program),
  }));

const ABOUT = 17;

/** Before the lines under an event. */
export const INDENT = " ".repeat(ABOUT + 12);

const indented = (line: string): string => `${INDENT}${printable(line)}`;

/** An event of another version is shown as JSON. */
const unknownEvent = (kind: string, body: unknown): EventText => ({
  about: kind,
  text: printableJson(body ?? null).slice(0, SHORT_JSON),
});

/** Time of day in the local time zone. */
const clockOf = (at: string): string => new Date(at).toTimeString().slice(0, 8);

const suffix = (reason: string | null): string => (reason === null ? "" : `: ${reason}`);

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

/** Formats that need only the event itself. */
const FORMATS = {
  task_accepted: format(EVENT_BODIES.task_accepted, ({ contract }) => ({
    about: "accepted",
    text: `${contract.intent}, asked for by ${contract.requested_by}`,
  })),
  taken_up: format(EVENT_BODIES.taken_up, ({ recovery, crashed, after = crashed ? "a crash" : undefined }) => ({
    about: "claimed",
    // Without a word on it, another server may have left it, or nothing of it may have begun.
    text: after === undefined ? (recovery ? "from its journal" : "") : `again, after ${after}`,
  })),
  policy_judged: format(EVENT_BODIES.policy_judged, ({ findings }) => ({
    about: "policy",
    text: findings.length === 0 ? "nothing against it" : counted(findings.length, "finding"),
    more: findings.map(({ step_index, verdict, code, reason }) => `step ${step_index}  ${verdict}  ${code}  ${reason}`),
  })),
  gate_answered: format(EVENT_BODIES.gate_answered, ({ question, answer, fallback, model }) => ({
    about: "gate",
    text: `${question}: ${printableJson(answer)} ${fallback === null ? `by ${model}` : `as fallback: ${fallback}`}`,
  })),
  approval_decided: format(EVENT_BODIES.approval_decided, ({ status, decided_by, reason }) => ({
    about: "approval",
    text: `${status}${decided_by === null ? "" : ` by ${decided_by}`}${suffix(reason)}`,
  })),
  step_reconciled: format(EVENT_BODIES.step_reconciled, stepReconciled),
  retry_granted: format(EVENT_BODIES.retry_granted, ({ index }) => ({
    about: `step ${index}`,
    text: "is run once more",
  })),
  checks_looked_at: format(EVENT_BODIES.checks_looked_at, ({ looks }) => ({
    about: "before",
    text: `${counted(looks.length, "check")} looked at on the target`,
    more: looks.map(({ step_index, answer, reason }) => `check ${step_index}  ${answer}${suffix(reason)}`),
  })),
  checks_examined: format(EVENT_BODIES.checks_examined, ({ checks }) => ({
    about: "proof",
    text: `${counted(checks.length, "check")} examined`,
    more: checks.map(
      ({ step_index, control, decoy }) =>
        `check ${step_index}  without its target: ${control.answer}  with a decoy: ${decoy?.answer ?? "not tried"}`,
    ),
  })),
  verdict_reached: format(EVENT_BODIES.verdict_reached, ({ passed, reason_code }) => ({
    about: "verdict",
    text: passed ? "every check passed" : reason_code,
  })),
  sop_changed: format(EVENT_BODIES.sop_changed, ({ sop_id, version, status, why }) => ({
    about: "SOP",
    text: `${sop_id}, version ${version}, is ${status}: ${why}`,
  })),
  sop_examined: format(EVENT_BODIES.sop_examined, ({ level, warnings }) => ({
    about: "proof",
    text: [level, ...warnings].join("; "),
  })),
  sop_trial_failed: format(EVENT_BODIES.sop_trial_failed, ({ message }) => ({ about: "trial", text: message })),
  sop_set_back: format(EVENT_BODIES.sop_set_back, ({ message }) => ({ about: "set back", text: message })),
  sop_failing: format(EVENT_BODIES.sop_failing, ({ message }) => ({ about: "failing", text: message })),
  unparked: format(EVENT_BODIES.unparked, ({ reason }) => ({ about: "unparked", text: reason ?? "goes on" })),
  cancel_requested: format(EVENT_BODIES.cancel_requested, ({ reason }) => ({ about: "cancel", text: reason ?? "" })),
  verification_recorded: format(EVENT_BODIES.verification_recorded, verificationRecorded),
  verification_missed: format(EVENT_BODIES.verification_missed, verificationMissed),
} satisfies Partial<Record<EventKind, EventFormat>>;
