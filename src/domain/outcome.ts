// Defines how a task ended or what it waits for, and why [4.results]. Every outcome has a stable reason_code, a sentence for the
// supervisor, and what the supervisor may do next.
import { z } from "zod";
import { eventOfFeature, type ReasonOfFeature } from "../features/records.ts";
import { Finding } from "./finding.ts";
import {
  type Action,
  actionsIn,
  CANCEL,
  call,
  DECIDE,
  evidence,
  NextAction,
  type NextFacts,
  onTask,
  READ_APPROVAL,
  RecordedNext,
  say,
  submit,
  VERIFY,
} from "./next-action.ts";
import { ProofSummary } from "./proof.ts";
import { REASON_CODES, type ReasonCode } from "./reason-code.ts";

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

export const END_STATUSES = ["ok", "failed", "blocked", "cancelled"] as const;
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

/** As it is recorded: `next` is one sentence in records that were written before it became actions. */
export const Outcome = z.strictObject({
  status: z.enum([...END_STATUSES, ...PAUSE_STATUSES]),
  label: z.string(),
  reason_code: z.enum(REASON_CODES),
  message: z.string(),
  next: RecordedNext,
  step_index: z.int().min(0).nullable(),
  findings: z.array(Finding),
  approval_id: z.string().nullable(),
  skill_code: z.string().optional().describe("the skill's own word for the reason"),
  proof: ProofSummary.optional().describe("what the checks of a task that is done are worth"),
});
export type Outcome = z.infer<typeof Outcome>;

export const OutcomeView = Outcome.extend({ next: z.array(NextAction).describe("what the supervisor may do next") });
export type OutcomeView = z.infer<typeof OutcomeView>;

/** The reason for the end of a task: a fact that nodes hand on. */
export const Reason = z.object({
  reason_code: z.enum(REASON_CODES),
  message: z.string(),
  step_index: z.int().nullable(),
  skill_code: z.string().optional(),
  next: RecordedNext.optional(),
});
export type Reason = z.infer<typeof Reason>;

export const reason = (reason_code: ReasonCode, message: string, step_index: number | null = null): Reason => ({
  reason_code,
  message,
  step_index,
});

type Details = Pick<NextFacts, "thread_id"> & {
  readonly step_index?: number | null;
  readonly findings?: readonly Finding[];
  readonly approval_id?: string | null;
  readonly skill_code?: string | undefined;
  readonly proof?: ProofSummary | null;
  /** Instead of what the reason suggests. */
  readonly next?: RecordedNext | undefined;
};

export function outcome(
  status: EndStatus | PauseStatus,
  reason_code: ReasonCode,
  message: string,
  { thread_id, step_index = null, findings = [], approval_id = null, skill_code, proof = null, next }: Details,
): OutcomeView {
  const facts = { thread_id, step_index, approval_id };
  return {
    status,
    label: LABELS[status],
    reason_code,
    message,
    next: next === undefined ? nextByReason(reason_code, facts) : actionsIn(next),
    step_index,
    findings: [...findings],
    approval_id,
    ...(skill_code !== undefined && { skill_code }),
    ...(proof !== null && { proof }),
  };
}

/** A record with a sentence gets the actions of its reason, after the sentence where that is a skill's own. */
export function outcomeView(thread_id: string, recorded: Outcome): OutcomeView {
  const { next, reason_code } = recorded;
  if (typeof next !== "string") return { ...recorded, next };
  const own = recorded.skill_code === undefined ? [] : actionsIn(next);
  return { ...recorded, next: [...own, ...nextByReason(reason_code, { ...recorded, thread_id })] };
}

export const outcomeOf = (task: { readonly task_id: string; readonly outcome: Outcome | null }): OutcomeView | null =>
  task.outcome === null ? null : outcomeView(task.task_id, task.outcome);

/** As in `3 notes moved. (skill_done: moved)`. */
export const reasonOf = ({
  message,
  reason_code,
  skill_code,
}: Pick<Outcome, "message" | "reason_code" | "skill_code">): string =>
  `${message} (${skill_code === undefined || skill_code === reason_code ? reason_code : `${reason_code}: ${skill_code}`})`;

// Says what the supervisor may do next, by the reason of an outcome and the facts of its task.

/** After an agent has done the task: its run can become a procedure, which is then a candidate [3.sop.candidate]. */
export const PROPOSE = onTask("propose_sop", "Have a procedure drafted from what the agent did, and teach it.");

const RESOLVE: Action = ({ thread_id, step_index }) =>
  call(
    "resolve_step",
    { task_id: thread_id, ...(step_index !== null && { index: step_index }) },
    "Find out what the step did, then say that it succeeded, that it failed, or that it is to run again.",
  );

const UNPARK: Action = ({ thread_id }) =>
  call(
    "resolve_step",
    { task_id: thread_id, resolution: "retry" },
    "Find out why the server ended, in its log and in that of the machine; then let the task go on.",
  );

const SEE_WHAT_RAN = evidence("Read in the evidence what ran before.");
const STEPS_OR_SOP = [
  evidence("Look at what the steps did before you submit again."),
  submit("Replace the SOP if it is wrong.", { intent: "update_sop" }),
  submit("Submit again and teach better steps."),
];

const ACTIONS: Readonly<Record<Exclude<ReasonCode, ReasonOfFeature>, readonly Action[]>> = {
  verified: [VERIFY],
  already_done: [VERIFY, submit("Submit it without skip_if_done under a new task_id, to run the steps all the same.")],
  sop_replaced: [say("Nothing: the new version is used from now on.")],
  promoted: [say("Nothing: tasks with this intent and target run the SOP from now on.")],
  sop_not_proved: [
    submit("Have a task run the steps on this target: teach them to it.", { delegation_mode: "teach_if_unknown" }),
    say("Or set SOP_PROMOTION to ask."),
  ],
  sop_unknown: [onTask("teach", "Teach this task its steps, one check step for each success criterion."), CANCEL],
  step_outcome_unknown: [RESOLVE],
  parked: [UNPARK, evidence("Read in the evidence how far it came."), CANCEL],
  approval_required: [DECIDE, READ_APPROVAL, CANCEL],
  replacement_pending: [DECIDE, READ_APPROVAL, CANCEL],
  promotion_pending: [DECIDE, READ_APPROVAL],
  sop_not_found: [
    () =>
      call(
        "list_approvals",
        { status: "pending" },
        "Have the candidate approved, if one waits for its promotion or for an update_sop.",
      ),
    submit("Submit it so that it can be taught.", { delegation_mode: "teach_if_unknown" }),
  ],
  sop_altered: [
    say("Find out who changed the database, and restore a backup of it."),
    submit("Or have a version that is right take its place.", { intent: "update_sop" }),
  ],
  outside_scope: [submit("Submit a contract with the scope in implicit_scope, if the task really needs it.")],
  always_blocked: [say("Use a narrower command: nothing lifts this rule.")],
  read_only_intent: [submit("Keep to diagnostic steps, or submit under an intent that may change things.")],
  tool_list_unread: [
    say("See what orch doctor says of the tool server."),
    submit("Submit again under a new task_id when it lists its tools."),
  ],
  parameter_unknown: [submit("Submit a contract that gives the missing target attribute or payload field.")],
  update_invalid: [submit("Correct the payload and submit it under a new task_id.", { intent: "update_sop" })],
  mode_unavailable: [submit("Submit with another delegation_mode, intent or execution_backend.")],
  skill_unusable: [submit("Submit again under a new task_id when the skill is repaired and orch has started again.")],
  approval_rejected: [say("Talk to the human."), submit("Submit a changed contract under a new task_id.")],
  approval_expired: [submit("Submit again under a new task_id when a human is available.")],
  approval_stale: [submit("Submit again: what would run is not what was approved.")],
  approval_empty: [say("Have the skill say, in the details of its request, everything that it would do.")],
  step_failed: STEPS_OR_SOP,
  check_failed: STEPS_OR_SOP,
  flow_not_ok: [evidence("Read the evidence: no step failed, and the flow reports that the whole did not succeed.")],
  flow_contract_broken: [
    evidence("Read the raw result in the evidence."),
    say("Push the flow that comes with orch to the flow engine again."),
  ],
  flow_result_too_large: [evidence("Find out what the steps did."), submit("Submit again with steps that write less.")],
  flow_crashed: [
    evidence("Read the evidence, and the job's log in the flow engine."),
    submit("Submit again when you know what was done."),
  ],
  flow_cancelled: [
    say("Ask who cancelled the job in the flow engine."),
    evidence("Find out what was done."),
    submit("Submit again when you know what was done."),
  ],
  flow_not_found: [
    say("Have the flow pushed to the flow engine, or FLOWENGINE_FLOW_PATH corrected."),
    SEE_WHAT_RAN,
    submit("Submit again when the flow is there."),
  ],
  engine_refused: [
    say("Have what the engine reports corrected: FLOWENGINE_TOKEN, its scope, or FLOWENGINE_WORKSPACE."),
    SEE_WHAT_RAN,
    submit("Submit again when it is corrected."),
  ],
  engine_unreachable: [SEE_WHAT_RAN, submit("Submit again when the flow engine can be reached: the step did not run.")],
  engine_unavailable: [SEE_WHAT_RAN, submit("Submit again when the flow engine answers: the step did not run.")],
  engine_reference: [
    submit("Change the value, which the flow engine would replace."),
    submit("Submit it for local execution.", { execution_backend: "local" }),
  ],
  skill_done: [VERIFY],
  skill_failed: [
    evidence("Read the result and the evidence."),
    submit("Submit again under a new task_id when the cause is gone."),
  ],
  skill_blocked: [submit("Correct what the message names and submit again under a new task_id.")],
  nothing_verified: [
    submit("Give the SOP a check step.", { intent: "update_sop" }),
    submit("Give an agent criteria that it can check after its last change."),
  ],
  agent_refused: [
    evidence("Read in the evidence what was refused."),
    submit("Submit a contract with the scope it needs, or with another goal."),
  ],
  agent_turns_spent: [evidence(), submit("Ask for less at once."), say("Raise AGENT_MAX_TURNS.")],
  agent_calls_spent: [evidence(), submit("Ask for less at once."), say("Raise AGENT_MAX_CALLS.")],
  agent_time_spent: [evidence(), submit("Ask for less at once."), say("Raise AGENT_MAX_MINUTES.")],
  agent_output_spent: [evidence(), submit("Ask for less at once: the calls returned more output than a run may.")],
  agent_repeats: [
    evidence("Read the evidence: the agent made the same call again and again."),
    submit("Say in the payload what it has missed."),
  ],
  agent_idle: [
    evidence("Read the evidence: the model called no tool."),
    say("Use a model that can call tools."),
    submit("Say in the payload what to do."),
  ],
  agent_faulty_calls: [
    evidence("Read the evidence: the model made calls that cannot be made."),
    say("Use a more capable model."),
  ],
  context_too_small: [
    submit("Shorten what the message names, and submit again under a new task_id."),
    say("Raise AGENT_CONTEXT_TOKENS, where the model and its server can hold more."),
  ],
  model_unavailable: [
    say("Check the agent model: AGENT_MODEL and AGENT_URL."),
    submit("Submit again when it answers."),
  ],
  internal_error: [evidence("Read the evidence, and the log of orch.")],
  cancelled: [say("Nothing, unless the message says that a job may still run: then end it in the flow engine.")],
};

const BY_REASON: ReadonlyMap<string, readonly Action[]> = new Map(Object.entries(ACTIONS));

export const nextByReason = (reason_code: ReasonCode, facts: NextFacts): NextAction[] =>
  eventOfFeature(reason_code)?.message?.next(facts) ??
  (BY_REASON.get(reason_code) ?? []).map((action) => action(facts));
