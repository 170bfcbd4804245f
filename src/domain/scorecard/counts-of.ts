// The numbers of one task: each rule of what is counted, applied to its journal.
import type { EventKind, JournalEvent } from "../journal.ts";
import type { EndStatus } from "../outcome.ts";
import type { ReasonCode } from "../reason-code.ts";
import type { candidateOf } from "./candidate.ts";
import type { Counts } from "./counts.ts";
import { gateCountsIn } from "./gate-counts.ts";
import { questionsIn } from "./questions.ts";
import { timesOf } from "./times.ts";
import { unknownOutcomesIn } from "./unknown-outcomes.ts";

type Facts = {
  readonly status: EndStatus;
  readonly reason_code: ReasonCode;
  readonly candidate: ReturnType<typeof candidateOf>;
  readonly external: boolean | null;
  readonly checks_unseen: number;
  readonly broken: number;
};

export function countsOf(events: readonly JournalEvent[], facts: Facts): Counts {
  const { status, reason_code, candidate, external, checks_unseen, broken } = facts;
  const count = (...kinds: EventKind[]) => events.filter(({ kind }) => kinds.includes(kind)).length;
  const asked = questionsIn(events);
  const is_done = status === "ok";
  const is_taught = count("taught") > 0;
  const without_sop = reason_code === "sop_not_found" || events.some(asksForSteps);
  return {
    done: one(is_done),
    done_unseen: one(is_done && checks_unseen > 0),
    verified: one(is_done && external === true),
    refuted: one(is_done && external === false),
    taught: one(is_taught),
    taught_done: one(is_taught && is_done),
    without_sop: one(without_sop),
    promoted: one(candidate === "promoted"),
    turned_down: one(candidate === "rejected"),
    handed_back: one(asked.questions > 0 || reason_code === "sop_not_found"),
    asked: one(asked.questions + asked.approvals > 0),
    ...asked,
    ...{ steps: count("step_started", "skill_step_started"), retries: count("retry_granted") },
    ...unknownOutcomesIn(events),
    ...gateCountsIn(events),
    broken,
    ...timesOf(events),
  };
}

const one = (holds: boolean): number => (holds ? 1 : 0);

const asksForSteps = (event: JournalEvent): boolean =>
  event.kind === "reported" && event.body.reason_code === "sop_unknown";
