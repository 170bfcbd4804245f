// Defines what an event says of the trace of its thread, as plain data: src/features/traces makes spans of it. Every name in a span is here.
// `gen_ai.*` is of the OpenTelemetry conventions for generative AI as of release 1.38, all of which are in development; the others are of
// orch. A value is a number, a code, or a name that orch knows: never the text of a command, of an output, of a model or of a contract
// (D-391).
import type { StepAttempt } from "./live-output.ts";

export const SPAN = {
  task: "orch.task",
  promotion: "orch.promotion",
  step: "orch.step",
  skill_step: "orch.skill_step",
  /** The name of the node follows. */
  node: "orch.node",
  agent: "invoke_agent orch",
  /** The name of the model follows. */
  chat: "chat",
  /** The name of the tool follows. */
  tool: "execute_tool",
} as const;

/** What happens at one moment of a span. */
export const MOMENT = {
  approval_requested: "orch.approval_requested",
  approval_decided: "orch.approval_decided",
  cancel_requested: "orch.cancel_requested",
  verdict_reached: "orch.verdict_reached",
} as const;

export const ATTRIBUTE = {
  thread_id: "orch.thread_id",
  intent: "orch.intent",
  delegation_mode: "orch.delegation_mode",
  backend: "orch.execution_backend",
  queued_ms: "orch.queued_ms",
  recovery: "orch.recovery",
  sop_id: "orch.sop.id",
  sop_version: "orch.sop.version",
  status: "orch.status",
  reason_code: "orch.reason_code",
  index: "orch.step.index",
  attempt: "orch.step.attempt",
  step_kind: "orch.step.kind",
  step_status: "orch.step.status",
  exit_code: "orch.step.exit_code",
  handed_on: "orch.step.handed_on",
  stdout_bytes: "orch.step.stdout_bytes",
  stderr_bytes: "orch.step.stderr_bytes",
  job_id: "orch.job_id",
  approval_kind: "orch.approval.kind",
  approval_status: "orch.approval.status",
  waited_ms: "orch.approval.waited_ms",
  passed: "orch.verdict.passed",
  question: "orch.gate.question",
  is_fallback: "orch.gate.is_fallback",
  turn: "orch.agent.turn",
  calls: "orch.agent.calls",
  error_type: "error.type",
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  agent: "gen_ai.agent.name",
  model: "gen_ai.request.model",
  input_tokens: "gen_ai.usage.input_tokens",
  tool: "gen_ai.tool.name",
  tool_call_id: "gen_ai.tool.call.id",
} as const;

/** Null and undefined are left out. */
export type TraceAttributes = {
  readonly [A in keyof typeof ATTRIBUTE]?: string | number | boolean | null | undefined;
};

export type TraceMark = {
  /** Of the whole stretch of work. */
  readonly root?: TraceAttributes;
  /** The work on the thread has failed. */
  readonly failed?: boolean;
  readonly moment?: TraceMoment;
  /** Which model the agent asks from now on. */
  readonly model?: string;
  readonly chat?: TraceChat;
  /** What is known of steps before they begin. */
  readonly steps?: readonly TraceStep[];
  /** These steps take the place of all that were known. */
  readonly is_procedure?: true;
  readonly begin?: TraceBegin;
  readonly end?: TraceEnd;
};

export type TraceMoment = {
  readonly name: keyof typeof MOMENT;
  readonly attributes?: TraceAttributes;
  /** The id of what is waited for from now on, or was until now. */
  readonly waits_for?: string;
  readonly waited_for?: string;
};

/** A question to a model that has its answer. */
export type TraceChat = {
  /** Absent: that of the agent. Null: none was asked. */
  readonly model?: string | null;
  readonly attributes: TraceAttributes;
  readonly latency_ms: number;
  readonly failed: boolean;
};

export type TraceStep = {
  readonly index: number;
  /** That it calls, as a supervisor or a model has written it. */
  readonly tool?: string | undefined;
  readonly call_id?: string;
  /** It only waits: another server goes on with it. */
  readonly waits?: boolean;
};

type OfStep = StepAttempt & { readonly name?: keyof typeof SPAN; readonly attributes?: TraceAttributes };

export type TraceBegin = OfStep & {
  /** Also without this server, such as a job of a flow engine. */
  readonly goes_on?: boolean;
};

export type TraceEnd = OfStep & {
  /** Absent: when its span began, or as long before the event as it took. */
  readonly from_ms?: number;
  readonly duration_ms: number;
  readonly failed: boolean;
};

// The trace context of the caller, as W3C Trace Context has it in the header `traceparent`: <version>-<trace>-<parent>-<flags>.

/** The text in the version that orch writes; null where it is none. A wrong one is ignored, as that standard asks. */
export function readTraceparent(given: unknown): string | null {
  const parts = typeof given === "string" ? TRACEPARENT.exec(given) : null;
  if (parts === null) return null;
  const [, version = "", trace_id, parent_id, flags = "", rest] = parts;
  if (version === "ff" || (version === "00" && rest !== undefined)) return null;
  return `00-${trace_id}-${parent_id}-${Number.parseInt(flags, 16) % 2 === 1 ? "01" : "00"}`;
}

const TRACEPARENT =
  /^([0-9a-f]{2})-((?!0{32})[0-9a-f]{32})-((?!0{16})[0-9a-f]{16})-([0-9a-f]{2})(-[\x20-\x7e]{0,512})?$/;

/** What a step hands to the programs and tool servers that it starts. Undefined where there is no trace. */
export type TraceparentOf = (step: { readonly index: number; readonly attempt: number }) => string | undefined;
