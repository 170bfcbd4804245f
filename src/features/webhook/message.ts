// What a webhook sends, in the form that Standard Webhooks suggests: the type of the event, its time, and a record of
// list_messages.
import { z } from "zod";
import { listMessages } from "../../api/operations/shapes/journal.ts";
import type { EventDefinition } from "../../domain/event.ts";
import { EVENTS, eventOf } from "../../domain/journal.ts";
import type { ReasonCode } from "../../domain/reason-code.ts";
import { subjectOfThread } from "../../domain/thread-id.ts";

const Message = listMessages.output.shape.messages.element;

const STATUSES = ["need_input", "need_approval", "blocked", "failed", "ok"] as const;
const WEBHOOK_TYPES = [
  ...STATUSES.map((status) => `task.${status}` as const),
  ...STATUSES.map((status) => `promotion.${status}` as const),
  ...new Set([
    // The first that were published, in their order.
    "sop.trial_failed",
    "verification.missed",
    "sop.set_back",
    "sop.failing",
    ...Object.values(EVENTS).flatMap(({ message }: EventDefinition) => message?.webhook ?? []),
  ]),
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

/** What is said of a version has a type of its own: a trial fails in the journal of a task that has an end of its own. */
const typeOf = (thread_id: string, status: (typeof STATUSES)[number], reason_code: ReasonCode): string =>
  eventOf(reason_code)?.message?.webhook ?? `${subjectOfThread(thread_id).kind}.${status}`;
