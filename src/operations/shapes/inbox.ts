// list_inbox: everything that waits for the supervisor.
import { z } from "zod";
import { APPROVAL_KINDS } from "../../domain/approval.ts";
import { HeldBy } from "../../domain/hold.ts";
import { INBOX_RISKS } from "../../domain/inbox-order.ts";
import { NextAction } from "../../domain/next-action.ts";
import { Quarantined } from "../../domain/quarantine.ts";
import { Limit, READ, shape } from "../operation.ts";

const INBOX_KINDS = [...APPROVAL_KINDS, "teaching", "resolution", "parked", "verification"] as const;

const InboxItem = z.strictObject({
  kind: z
    .enum(INBOX_KINDS)
    .describe(
      "teaching: steps are unknown; resolution: the outcome of a step is unknown; parked: servers crashed in it again and again, or its skill cannot be used; verification: done, and not verified from outside in time; otherwise an approval",
    ),
  risk: z
    .enum(INBOX_RISKS)
    .describe(
      "set_back: a version that was in use and has lost its proof; changes, cannot_tell, looks: what the approved steps do",
    ),
  thread_id: z.string().describe("the task, or the thread of a promotion"),
  approval_id: z.string().nullable(),
  intent: z.string(),
  target_signature: z.string(),
  text: z.string().describe("what is asked, in a sentence"),
  since: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable().describe("of an approval: after that it is refused"),
  next: z.array(NextAction).describe("how to answer, best first"),
});
export type InboxItem = z.infer<typeof InboxItem>;

export const listInbox = shape({
  name: "list_inbox",
  summary:
    "Everything that waits for the supervisor: approvals, tasks to teach, unknown outcomes and owed checks, riskiest first.",
  guidance:
    "Use it when you come back: each item says what is asked and how to answer. list_messages has what ended; this has what waits.",
  method: "GET",
  path: "/v1/inbox",
  scope: "read",
  hints: READ,
  input: z.strictObject({ limit: Limit }),
  output: z.strictObject({
    items: z.array(InboxItem),
    more: z.boolean().describe("more wait than the limit shows; answering these shows them"),
    frozen: z.array(HeldBy).default([]).describe("what lets nothing start now: open freezes, and a window by calendar"),
    quarantined: z.array(Quarantined).describe("records that cannot be read: an operator has to mend them"),
    notices: z.array(z.string()).default([]).describe("what goes wrong on this server without a question to anyone"),
  }),
  example: { limit: 20 },
});
