// How good the routing model's answers were, as far as a journal knows [4.gate.error] [4.gate.approval]. "Transient" is right when
// the retry passes. "Unknown", and "no approval is needed", have no truth on record and are only counted.
import { z } from "zod";
import type { EventBody, JournalEvent } from "../journal.ts";

export function gateCountsIn(events: readonly JournalEvent[]) {
  const errors = { gate_errors: 0, gate_error_fallbacks: 0, gate_right: 0, gate_wrong: 0 };
  const approvals = {
    ...{ gate_approvals: 0, gate_approval_fallbacks: 0 },
    ...{ gate_allowed: 0, gate_asked: 0, gate_useful: 0 },
  };
  const granted = new Set<number>();
  let undecided = 0;
  const answered = (body: EventBody<"gate_answered">): void => {
    const { question, fallback } = body;
    if (question === "error") {
      errors.gate_errors += 1;
      errors.gate_error_fallbacks += fallback === null ? 0 : 1;
      return;
    }
    const asks = isAsking(body);
    approvals.gate_approvals += 1;
    approvals.gate_approval_fallbacks += fallback === null ? 0 : 1;
    approvals[asks ? "gate_asked" : "gate_allowed"] += 1;
    undecided += asks ? 1 : 0;
  };
  for (const [position, event] of events.entries()) {
    switch (event.kind) {
      case "gate_answered":
        answered(event.body);
        break;
      case "retry_granted":
        // A retry that the model has granted is committed with its answer.
        if (events[position - 1]?.kind === "gate_answered") granted.add(event.body.index);
        break;
      case "step_finished":
        if (granted.delete(event.body.index)) errors[event.body.status === "passed" ? "gate_right" : "gate_wrong"] += 1;
        break;
      case "approval_decided":
        if (event.body.status === "rejected") approvals.gate_useful += undecided;
        undecided = 0;
        break;
    }
  }
  return { ...errors, ...approvals };
}

const NotNeeded = z.looseObject({ requires_approval: z.literal(false) });

const isAsking = ({ answer }: EventBody<"gate_answered">): boolean => !NotNeeded.safeParse(answer).success;
