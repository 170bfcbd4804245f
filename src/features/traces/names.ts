// Every name in a span. `gen_ai.*` is of the OpenTelemetry conventions for generative AI as of release 1.38, all of which are in
// development; the others are of orch. A value is a number, a code, or a name that orch knows: never the text of a command, of an output,
// of a model or of a contract (D-391).
import type { Attributes } from "@opentelemetry/api";
import type { JournalEvent } from "../../domain/journal.ts";
import type { StepResult } from "../../domain/step.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";

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

// What the spans say of the work, from the events of its journal: numbers, codes and names that orch knows (D-391).

export const kindOfThread = (thread_id: string) => subjectOfThread(thread_id).kind;

export function stretchAttributes(thread_id: string, events: readonly JournalEvent[], is_first: boolean): Attributes {
  const attributes: Attributes = { [ATTRIBUTE.thread_id]: thread_id };
  for (const event of events) {
    if (event.kind === "sop_pinned") Object.assign(attributes, sopAttributes(event.body));
    if (event.kind !== "task_accepted") continue;
    const { contract, backend } = event.body;
    attributes[ATTRIBUTE.intent] = contract.intent;
    attributes[ATTRIBUTE.delegation_mode] = contract.delegation_mode;
    if (backend !== undefined) attributes[ATTRIBUTE.backend] = backend;
    if (is_first) attributes[ATTRIBUTE.queued_ms] = Math.max(0, Date.now() - Date.parse(event.at));
  }
  return attributes;
}

export const sopAttributes = ({ sop_id, sop_version }: Pinned): Attributes => ({
  ...(sop_id !== null && { [ATTRIBUTE.sop_id]: sop_id }),
  ...(sop_version !== null && { [ATTRIBUTE.sop_version]: sop_version }),
});

type Pinned = { readonly sop_id: string | null; readonly sop_version: number | null };

export const resultAttributes = ({ kind, status, exit_code, timed_out, ...result }: StepResult): Attributes => ({
  [ATTRIBUTE.step_kind]: kind,
  [ATTRIBUTE.step_status]: status,
  [ATTRIBUTE.stdout_bytes]: result.stdout_bytes,
  [ATTRIBUTE.stderr_bytes]: result.stderr_bytes,
  ...(exit_code !== null && { [ATTRIBUTE.exit_code]: exit_code }),
  ...(status !== "passed" && { [ATTRIBUTE.error_type]: timed_out ? "timed_out" : status }),
});
