// Defines what the journal records of approvals, and what is said of it.
import { z } from "zod";
import { Decision } from "../../domain/approval.ts";
import { event } from "../../domain/event.ts";
import { plainWord } from "../../domain/printable.ts";

export const APPROVAL_EVENTS = {
  approval_requested: event({
    body: z.strictObject({ approval_id: z.string(), kind: z.string(), digest: z.string() }),
    text: ({ approval_id, kind }, { program }) => ({
      about: "approval",
      text: `${kind} asked for: ${program} approvals ${plainWord(approval_id, "ID")}`,
    }),
    trace: ({ approval_id, kind }) => ({
      moment: { name: "approval_requested", attributes: { approval_kind: kind }, waits_for: approval_id },
    }),
  }),
  approval_decided: event({
    is_progress: true,
    body: Decision.extend({ approval_id: z.string(), status: z.enum(["approved", "rejected", "expired"]) }),
    text: ({ status, decided_by, reason }) => ({
      about: "approval",
      text: `${status}${decided_by === null ? "" : ` by ${decided_by}`}${reason === null ? "" : `: ${reason}`}`,
    }),
    waits: () => ({ over: ["people"] }),
    trace: ({ approval_id, status }) => ({
      moment: { name: "approval_decided", attributes: { approval_status: status }, waited_for: approval_id },
    }),
  }),
};
