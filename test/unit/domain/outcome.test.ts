// What may be done next, of records as they were written before it became actions.
import { describe, expect, test } from "vitest";
import { EVENT_BODIES } from "../../../src/domain/journal.ts";
import { Outcome, OutcomeView, outcome, outcomeView } from "../../../src/domain/outcome.ts";

const NOW = outcome("need_input", "sop_unknown", "No active SOP.", { thread_id: "t-1" });
const BEFORE = { ...NOW, next: "teach this task its steps with teach, or cancel_task" };

describe("an outcome with a sentence", () => {
  test("is read to the letter, so that its hash holds", () => {
    expect(Outcome.parse(BEFORE)).toEqual(BEFORE);
    expect(EVENT_BODIES.reported.parse(BEFORE)).toEqual(BEFORE);
  });

  test("is shown with the actions of its reason", () => {
    expect(outcomeView("t-1", BEFORE)).toEqual(NOW);
  });

  test("that is a skill's own is shown with it first", () => {
    const ended = outcome("ok", "skill_done", "Moved.", { thread_id: "t-1", skill_code: "moved" });
    const { next } = outcomeView("t-1", { ...ended, next: "look at the notes" });
    expect(next).toEqual([{ operation: null, arguments: {}, text: "look at the notes" }, ...ended.next]);
  });
});

test("an outcome with actions is shown as it was recorded", () => {
  const recorded = { ...NOW, next: [{ operation: "get_task", arguments: { task_id: "t-1" }, text: "Look." }] };
  expect(outcomeView("t-2", recorded)).toEqual(recorded);
  expect(OutcomeView.safeParse(BEFORE).success).toBe(false);
});

test("a sentence or actions of a skill take the place of what its reason suggests", () => {
  const given = { thread_id: "t-1", skill_code: "moved" };
  const own = [{ operation: "get_evidence", arguments: { task_id: "t-1" }, text: "Read it." }];
  expect(outcome("ok", "skill_done", "Moved.", { ...given, next: own }).next).toEqual(own);
  expect(outcome("ok", "skill_done", "Moved.", { ...given, next: "Look." }).next).toMatchObject([{ text: "Look." }]);
});
