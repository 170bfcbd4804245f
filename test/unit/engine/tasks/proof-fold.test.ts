// What the journal says of the checks of a task: how they were before the change, and what is known of each.
import { describe, expect, test } from "vitest";
import type { JournalEvent, NewEvent } from "../../../../src/domain/journal.ts";
import type { BeforeLook, Examination } from "../../../../src/domain/proof.ts";
import { evolveProof, noProof, proofAt } from "../../../../src/engine/tasks/projection.ts";

const FOUND: Examination = {
  constant: null,
  chance: null,
  names_target: true,
  reads_before: false,
  joined: false,
  red_at: null,
  decoy: null,
  control: { answer: "not_possible", exit_code: null, reason: "no world", world: "empty", wrote: false },
};
const look = (step_index: number, answer: BeforeLook["answer"]): BeforeLook => ({
  step_index,
  answer,
  exit_code: 1,
  reason: null,
  duration_ms: 1,
  printed: "x",
});
const looked = (...looks: BeforeLook[]): NewEvent => ({ kind: "checks_looked_at", body: { looks } });
const examined = (step_index: number, over: Partial<Examination> = {}): NewEvent => ({
  kind: "checks_examined",
  body: { checks: [{ step_index, ...FOUND, ...over }] },
});

function stateAfter(...events: NewEvent[]) {
  const state = noProof();
  for (const event of events) evolveProof(state, event as JournalEvent);
  return state;
}

describe("the proof of a check", () => {
  test("is that of its own look and its own examination", () => {
    const state = stateAfter(looked(look(1, "red"), look(2, "green")), examined(1), examined(2));
    expect(proofAt(state, 1)).toMatchObject({ class: "proved", change: "became_true", seen_red: ["before"] });
    expect(proofAt(state, 2)).toMatchObject({ class: "not_possible", change: "was_true_already", reason: "no world" });
    expect(proofAt(stateAfter(examined(1)), 1)).toMatchObject({ change: "not_looked_at" });
    expect(proofAt(stateAfter(looked(look(2, "red")), examined(1)), 1)).toMatchObject({ change: "not_looked_at" });
  });
});
