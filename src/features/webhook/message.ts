// What a webhook sends, in the form that Standard Webhooks suggests: the type of the event, its time, and a record of
// list_messages.
import { z } from "zod";
import type { EventOfFeature } from "../../domain/event.ts";
import type { ReasonCode } from "../../domain/reason-code.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";
import { listMessages } from "../../operations/shapes/journal.ts";
import { eventOfFeature, FEATURE_EVENTS } from "../records.ts";

const Message = listMessages.output.shape.messages.element;

const STATUSES = ["need_input", "need_approval", "blocked", "failed", "ok"] as const;
const WEBHOOK_TYPES = [
  ...STATUSES.map((status) => `task.${status}` as const),
  ...STATUSES.map((status) => `promotion.${status}` as const),
  "sop.trial_failed",
  "verification.missed",
  "sop.set_back",
  "sop.failing",
  ...Object.values(FEATURE_EVENTS).flatMap(({ message }: EventOfFeature) => message?.webhook ?? []),
];

export const webhookMessage = z.strictObject({
  type: z.enum(WEBHOOK_TYPES).describe("what reports, and the status that it reports"),
  timestamp: z.string().describe("when it was reported; webhook-timestamp is when it was sent"),
  data: Message,
});
type WebhookMessage = z.infer<typeof webhookMessage>;

/** Null for a cancelled task: the supervisor has cancelled it. */
export function webhookMessageOf(data: z.infer<typeof Message>): WebhookMessage | null {
  const { status, reason_code } = data.outcome;
  if (status === "cancelled") return null;
  return { type: typeOf(data.thread_id, status, reason_code), timestamp: data.at, data };
}

/** What is said of a version: a trial fails in the journal of a task that has an end of its own. */
const BY_REASON: Partial<Record<ReasonCode, string>> = {
  sop_trial_failed: "sop.trial_failed",
  sop_set_back: "sop.set_back",
  sop_failing: "sop.failing",
  verification_missed: "verification.missed",
};

const typeOf = (thread_id: string, status: (typeof STATUSES)[number], reason_code: ReasonCode): string =>
  BY_REASON[reason_code] ??
  eventOfFeature(reason_code)?.message?.webhook ??
  `${subjectOfThread(thread_id).kind}.${status}`;
