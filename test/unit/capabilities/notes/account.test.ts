import { expect, test } from "vitest";
import { endOf } from "../../../../capabilities/notes/account.ts";

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
