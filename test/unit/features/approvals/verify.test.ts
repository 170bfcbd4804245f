import { expect, test } from "vitest";
import type { EventBody, NewEvent } from "../../../../src/domain/journal.ts";
import { walk } from "../../../../src/engine/evidence/verify/walk.ts";
import { aContract, journalOf } from "../../../support/builders.ts";

const asks = (approval_id: string): NewEvent => ({
  kind: "approval_requested",
  body: { approval_id, kind: "plan", digest: "d" },
});
const decides = (approval_id: string, over: Partial<EventBody<"approval_decided">> = {}): NewEvent => {
  const granted = { status: "approved", decision: "approve", reason: null, decided_by: null, token_id: "t" } as const;
  return { kind: "approval_decided", body: { approval_id, ...granted, ...over } };
};
const ask = { step_index: 0, verdict: "ask", code: "safety.approval_required", reason: "r" } as const;
const judges: NewEvent = { kind: "policy_judged", body: { findings: [{ ...ask, command: null, category: null }] } };
const starts: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const faults = (...events: NewEvent[]) =>
  walk(journalOf(...events), aContract()).order_faults.map(({ fault }) => fault);
const rejected = { status: "rejected", decision: "reject" } as const;

test.each([
  ["nothing was asked for", [starts]],
  ["what was asked for was granted", [asks("a"), decides("a"), starts]],
  ["what was refused never ran", [asks("a"), decides("a", rejected)]],
  ["what was asked for last was granted", [asks("a"), asks("b"), decides("b"), starts]],
])("an order of events is sound where %s", (_where, events) => expect(faults(...events)).toEqual([]));

test.each([
  ["a step before the decision", [asks("a"), starts, decides("a")], "entry 2 starts a step"],
  ["a step behind a rejection", [asks("a"), decides("a", rejected), starts], "entry 3 starts a step"],
  ["a step that policy asked about, without a question", [judges, starts], "entry 2 starts a step"],
  ["a step behind a grant that was taken back", [asks("a"), decides("a"), decides("a", rejected), starts], "entry 4"],
  ["a step behind a grant of something else", [asks("a"), decides("a"), asks("b"), starts], "entry 4 starts a step"],
  ["a decision before its question", [decides("a"), asks("a")], "entry 1 decides"],
  ["a rejection that says approved", [asks("a"), decides("a", { decision: "reject" })], "entry 2 has a status"],
])("a journal out of order is found by %s", (_what, events, fault) => {
  expect(faults(...events)[0]).toContain(fault);
});
