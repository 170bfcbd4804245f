// How a task ended or what it waits for (spec section 3). Every outcome has a stable reason_code, a sentence for the
// supervisor and what it may do next.
import { z } from "zod";
import { Finding } from "./finding.ts";

export const TASK_STATUSES = [
  "accepted",
  "running",
  "need_input",
  "need_approval",
  "ok",
  "failed",
  "blocked",
  "cancelled",
] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

const END_STATUSES = ["ok", "failed", "blocked", "cancelled"] as const;
export type EndStatus = (typeof END_STATUSES)[number];
const PAUSE_STATUSES = ["need_input", "need_approval"] as const;
export type PauseStatus = (typeof PAUSE_STATUSES)[number];

export const hasEnded = (status: TaskStatus): status is EndStatus =>
  (END_STATUSES as readonly string[]).includes(status);
export const isPaused = (status: TaskStatus): status is PauseStatus =>
  (PAUSE_STATUSES as readonly string[]).includes(status);

/** The specification's words in messages to the supervisor. */
export const LABELS: Record<TaskStatus, string> = {
  accepted: "ACCEPTED",
  running: "RUNNING",
  need_input: "NEED_INPUT",
  need_approval: "NEED_APPROVAL",
  ok: "DONE",
  failed: "FAILED",
  blocked: "BLOCKED",
  cancelled: "CANCELLED",
};

/** Each reason with what the supervisor may do next. */
export const REASONS = {
  verified: "record your own external check with record_verification",
  sop_replaced: "the new version is used from now on",
  promoted: "the SOP is active; tasks with this intent and target run it",
  sop_unknown: "teach this task its steps with teach, one check step per success criterion, or cancel_task",
  step_outcome_unknown: "find out what the step did, then resolve_step with succeeded, failed or retry",
  approval_required: "ask a human, then approve with decision approve or reject",
  replacement_pending: "ask a human, then approve with decision approve or reject",
  promotion_pending: "ask a human, then approve with decision approve or reject",
  sop_not_found:
    "promote its candidate, if it has one (list_approvals), or submit with delegation_mode teach_if_unknown to teach it",
  outside_scope: "add the scope to implicit_scope in a new contract if the task really needs it",
  always_blocked: "use a narrower command; nothing lifts this rule",
  read_only_intent: "keep to diagnostic steps, or use an intent that may change things",
  parameter_unknown: "give the missing target attribute or payload field in a new contract",
  update_invalid: "correct the payload of the update_sop contract and submit it under a new task_id",
  mode_unavailable: "submit with another delegation_mode, intent or execution_backend",
  approval_rejected: "talk to the human; submit a changed contract under a new task_id",
  approval_expired: "submit again under a new task_id when a human is available",
  approval_stale: "what would run is not what was approved; submit again",
  step_failed: "read the evidence; replace a wrong SOP with update_sop, or submit again and teach better steps",
  check_failed: "read the evidence; replace a wrong SOP with update_sop, or submit again and teach better steps",
  flow_not_ok: "read the evidence: no step failed, and the flow says that the whole did not succeed",
  flow_contract_broken:
    "read the raw result in the evidence; push the flow that comes with orch to the flow engine again",
  flow_result_too_large: "have the steps write less; find out what they did before you submit again",
  flow_crashed:
    "read the evidence and the job's log in the flow engine; find out what was done before you submit again",
  flow_cancelled: "ask who cancelled the job in the flow engine; find out what was done before you submit again",
  flow_not_found:
    "have the flow pushed to the flow engine, or FLOWENGINE_FLOW_PATH corrected; look at the evidence for what had run before, then submit again",
  engine_refused:
    "have what the engine says corrected (FLOWENGINE_TOKEN, its scope, FLOWENGINE_WORKSPACE); look at the evidence for what had run before, then submit again",
  engine_unreachable:
    "the step did not run; look at the evidence for what had run before, and submit again when the flow engine can be reached",
  engine_unavailable:
    "the step did not run; look at the evidence for what had run before, and submit again when the flow engine answers",
  engine_reference: "change the value, which the flow engine would replace, or submit with execution_backend local",
  skill_done: "record your own external check with record_verification",
  skill_failed: "read the result and the evidence; submit again under a new task_id when the cause is gone",
  skill_blocked: "correct what the message names and submit again under a new task_id",
  nothing_verified:
    "give the SOP a check step with update_sop, or an agent criteria that it can check after its last change",
  agent_refused: "read what was refused in the evidence; submit a contract with the scope it needs, or another goal",
  agent_turns_spent: "read the evidence; ask for less at once, or raise AGENT_MAX_TURNS",
  agent_calls_spent: "read the evidence; ask for less at once, or raise AGENT_MAX_CALLS",
  agent_time_spent: "read the evidence; ask for less at once, or raise AGENT_MAX_MINUTES",
  agent_output_spent: "read the evidence; ask for less at once: its calls have given more output than a run may",
  agent_repeats: "read the evidence: it made the same call again and again; say in the payload what it has missed",
  agent_idle: "read the evidence: the model called no tool; use one that can, and say in the payload what to do",
  agent_faulty_calls: "read the evidence: the model made calls that cannot be made; use a more capable one",
  model_unavailable: "see to the agent model (AGENT_MODEL, AGENT_URL, orch doctor), then submit again",
  internal_error: "read the evidence and the log of orch",
  cancelled: "nothing, unless the message says that a job may still run: then end that in the flow engine",
} as const;
export type ReasonCode = keyof typeof REASONS;

export const Outcome = z.strictObject({
  status: z.enum([...END_STATUSES, ...PAUSE_STATUSES]),
  label: z.string(),
  reason_code: z.enum(Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]),
  message: z.string(),
  next: z.string(),
  step_index: z.int().min(0).nullable(),
  findings: z.array(Finding),
  approval_id: z.string().nullable(),
  skill_code: z.string().optional().describe("the skill's own word for the reason"),
});
export type Outcome = z.infer<typeof Outcome>;

type Details = {
  step_index?: number | null;
  findings?: readonly Finding[];
  approval_id?: string | null;
  skill_code?: string | undefined;
  next?: string | undefined;
};

export function outcome(
  status: EndStatus | PauseStatus,
  reason_code: ReasonCode,
  message: string,
  { step_index = null, findings = [], approval_id = null, skill_code, next = REASONS[reason_code] }: Details = {},
): Outcome {
  return {
    status,
    label: LABELS[status],
    reason_code,
    message,
    next,
    step_index,
    findings: [...findings],
    approval_id,
    ...(skill_code !== undefined && { skill_code }),
  };
}
