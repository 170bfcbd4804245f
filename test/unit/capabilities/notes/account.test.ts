import { expect, test } from "vitest";
import { cancelled, endOf } from "../../../../capabilities/notes/end-of-plan.ts";

const MOVED = { note_id: "m1", title: "Meeting 1", from: "inbox", to: "y2026" };
const account = { done: [MOVED], left_out: [], failed: null, not_done: [] };
const missing = [{ note_id: "m1", to: "y2026" }];
const UNDO = "give reverse_plan to apply_note_moves";

test("the failure for a missing note says how to undo the other moves [4.notes.failure]", () => {
  expect(endOf(account, { is: "looked", missing, objections: [] })).toMatchObject({
    status: "failed",
    code: "not_placed",
    next: expect.stringContaining(UNDO),
    result: { missing, reverse_plan: [{ note_id: "m1", target_parent_note_id: "inbox" }] },
  });
});

test("the failure suggests no undo when no move was made", () => {
  const { code, next } = endOf({ ...account, done: [] }, { is: "looked", missing, objections: [] });
  expect(code).toBe("not_placed");
  expect(next).not.toContain("reverse_plan");
});

test("no end suggests to undo when no move was made", () => {
  const failed = { ...MOVED, code: "refused", message: "the notes server refused" };
  const left_out = [{ note_id: "m2", title: null, to: "y2026", code: "gone", reason: "is not there" }];
  const none = { ...account, done: [] };
  const ends = [
    endOf({ ...none, failed }, { is: "not_asked" }),
    endOf({ ...none, left_out }, { is: "looked", missing: [], objections: [] }),
    cancelled({ ...none, not_done: [MOVED] }),
  ];
  for (const { next } of ends) expect(next).not.toContain("reverse_plan");
  expect(endOf({ ...account, failed }, { is: "not_asked" }).next).toContain(UNDO);
  expect(cancelled(account)).toMatchObject({
    message: "1 note moved, 0 not done.",
    next: expect.stringContaining(UNDO),
  });
});

test("a target that was changed meanwhile is a failure that says what to do", () => {
  const about = { note_id: "m1", title: "Meeting 1", to: "y2026" };
  const objection = (code: string) => ({ ...about, code, reason: "the target y2026 lies inside it" });
  const end = (code: string) => endOf(account, { is: "looked", missing: [], objections: [objection(code)] });
  expect(end("inside_itself")).toMatchObject({
    status: "failed",
    code: "cut_off",
    message:
      '1 note moved, and the target was changed by somebody else meanwhile: "Meeting 1" (m1): the target y2026 lies inside it.',
    next: expect.stringMatching(/^put the target back to where it was.*; give reverse_plan/),
  });
  expect(end("target_moved")).toMatchObject({ code: "target_moved", next: expect.stringMatching(/^look whether/) });
});
