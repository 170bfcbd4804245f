// Where a next action is taken in the console.
import { describe, expect, test } from "vitest";
import type { NextAction } from "../../../domain/next-action.ts";
import { nextByReason } from "../../../domain/outcome.ts";
import { REASON_CODES, type ReasonCode } from "../../../domain/reason-code.ts";
import { nextPlace } from "../../parts/next-steps.tsx";

const ABOUT = { task_id: "t-1", sop_id: "s-1", reason_code: null };
const place = (operation: string | null, given: NextAction["arguments"] = {}, about: object = {}) =>
  nextPlace({ operation, arguments: given, text: "" }, { ...ABOUT, ...about });

describe("a next action", () => {
  test.each<[string, NextAction["arguments"], object]>([
    ["approve", { approval_id: "a-1" }, { to: "/approvals/$approval_id", params: { approval_id: "a-1" } }],
    ["list_approvals", { status: "pending" }, { to: "/" }],
    ["teach", { task_id: "t-1" }, { to: "/teach", search: { task_id: "t-1" } }],
    ["submit_task", { intent: "update_sop" }, { to: "/teach", search: { sop_id: "s-1" } }],
    ["submit_task", { delegation_mode: "teach_if_unknown" }, { to: "/teach", search: { task_id: "t-1" } }],
    ["list_freezes", {}, { to: "/servers" }],
  ])("%s with %j leads to the page where it is taken", (operation, given, link) => {
    expect(place(operation, given)?.link).toEqual(link);
  });

  test("that replaces a procedure of no known version begins with what the task ran", () => {
    const link = { to: "/teach", search: { task_id: "t-1" } };
    expect(place("submit_task", { intent: "update_sop" }, { sop_id: null })?.link).toEqual(link);
  });

  test("that only a supervisor can take, or that is taken on the page of the task, leads nowhere", () => {
    for (const operation of [null, "submit_task", "get_evidence", "cancel_task", "record_verification"])
      expect(place(operation)).toBeNull();
  });
});

test.each<ReasonCode>(["check_failed", "step_failed", "sop_not_found", "sop_unknown", "approval_required"])(
  "the outcome %s has an action with a place in the console",
  (reason_code) => {
    expect(REASON_CODES).toContain(reason_code);
    const next = nextByReason(reason_code, { thread_id: "t-1", approval_id: "a-1", step_index: 0 });
    expect(next.some((action) => nextPlace(action, { ...ABOUT, reason_code }) !== null)).toBe(true);
  },
);
