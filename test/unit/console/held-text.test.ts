// A task that a freeze holds says why, and until when, on its page and in every list.
import { expect, test } from "vitest";
import { reasonOf } from "../../../src/console/pages/task/reason-of.ts";
import { heldText } from "../../../src/console/parts/held-text.ts";
import { absoluteTime } from "../../../src/console/parts/text.ts";

const UNTIL = "2026-03-09T07:00:00.000Z";
const held_by_freeze = { freeze_id: null, reason: "weekend", until: UNTIL };

test("a task that a window holds says why and until when, in the list and on its page", () => {
  expect(heldText(held_by_freeze)).toBe(`held by a freeze until ${absoluteTime(UNTIL)}: weekend`);
  const shown = { outcome: null, status: "accepted", steps: [], queued_behind: null, queued_for: null };
  const task = { ...shown, held_by_freeze, waits_for: null, progress: null } as unknown as Parameters<
    typeof reasonOf
  >[0];
  expect(reasonOf(task)).toBe(`It is ${heldText(held_by_freeze)}. It starts by itself once that is over.`);
});

test("one that a human has frozen says why, as nothing knows until when", () => {
  expect(heldText({ reason: "the disk is replaced", until: null })).toBe("held by a freeze: the disk is replaced");
});
