// How a task ended or what it waits for, and why [4.results]. Every outcome has a stable reason_code, a sentence for the supervisor
// and what it may do next.
import { z } from "zod";
import { Finding } from "./finding.ts";
import { actionsIn, NextAction, type NextFacts, RecordedNext } from "./next-action.ts";
import { nextByReason } from "./next-by-reason.ts";
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
