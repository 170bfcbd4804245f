// How good the routing model's answers were, as far as a journal knows [4.gate.error] [4.gate.approval]. "Transient" is right when
// the retry passes. "Unknown", and "no approval is needed", have no truth on record and are only counted.
import { z } from "zod";
import type { EventBody, JournalEvent } from "../journal.ts";

const Count = z.int().min(0);

export const GateScore = z.strictObject({
  error: z.strictObject({ asked: Count, fallback: Count, right: Count, wrong: Count }),
  approval: z.strictObject({
    asked: Count,
    fallback: Count,
    allowed: Count,
    asked_human: Count,
    rejected: Count.describe("of those asked about: the human rejected what it asked about"),
  }),
});
export type GateScore = z.infer<typeof GateScore>;

/** Null where the model was not asked. */
export function gateScoreOf(events: readonly JournalEvent[]): GateScore | null {
  const error = { asked: 0, fallback: 0, right: 0, wrong: 0 };
  const approval = { asked: 0, fallback: 0, allowed: 0, asked_human: 0, rejected: 0 };
  const granted = new Set<number>();
  let to_decide = 0;
  for (const event of events) {
    switch (event.kind) {
      case "gate_answered":
        if (event.body.question === "error") count(error, event.body);
        else {
          count(approval, event.body);
          const asks = isAsking(event.body);
          approval[asks ? "asked_human" : "allowed"] += 1;
          if (asks) to_decide += 1;
        }
        break;
      case "retry_granted":
        granted.add(event.body.index);
        break;
      case "step_finished":
        if (granted.delete(event.body.index)) error[event.body.status === "passed" ? "right" : "wrong"] += 1;
        break;
      case "approval_decided":
        if (event.body.status === "rejected") approval.rejected += to_decide;
        to_decide = 0;
        break;
    }
  }
  return error.asked + approval.asked === 0 ? null : { error, approval };
}

type Answer = EventBody<"gate_answered">;

function count(counts: { asked: number; fallback: number }, { fallback }: Answer): void {
  counts.asked += 1;
  if (fallback !== null) counts.fallback += 1;
}

const NotNeeded = z.looseObject({ requires_approval: z.literal(false) });

const isAsking = ({ answer }: Answer): boolean => !NotNeeded.safeParse(answer).success;
