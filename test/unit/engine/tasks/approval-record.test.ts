// A new approval, the reason that it shows to the human who decides it, and its clock [5.approval.flow].
import { describe, expect, test } from "vitest";
import { type Approval, type ApprovalContent, approvalDigest } from "../../../../src/domain/approval.ts";
import type { Finding } from "../../../../src/domain/finding.ts";
import { approvalOfTask, expiryClock, newApproval } from "../../../../src/engine/tasks/approval-record.ts";
import { AT, aContract, cmd } from "../../../support/builders.ts";
import { PROCEDURE } from "./a-task.ts";

const deps = { clock: () => new Date(AT), new_id: () => "a-new", approval_ttl_ms: 90_000 };
const finding = (reason: string): Finding => ({
  step_index: 0,
  verdict: "ask",
  code: "dyn.program",
  reason,
  command: null,
  category: null,
});
const about = { intent: "deploy", target_signature: "service=web" };
const findings = ["x is unknown", "y is unknown", "x is unknown"].map(finding);
const plan: ApprovalContent = { ...about, ...PROCEDURE, findings };

test("an approval is pending, bound to its content by the digest, and expires after its time", () => {
  expect(newApproval(deps, "t-1", "plan", plan)).toEqual({
    approval_id: "a-new",
    thread_id: "t-1",
    kind: "plan",
    content: plan,
    digest: approvalDigest(plan),
    reason: "X is unknown. Y is unknown.",
    status: "pending",
    interrupt_id: null,
    decision: null,
    created_at: AT,
    expires_at: "2026-03-06T09:01:30.000Z",
    decided_at: null,
  });
});

describe("the reason of an approval", () => {
  const calls = [{ index: 0, step: cmd("touch x") }];
  const stored = { ...plan, findings: [] };

  test.each<[string, Approval["kind"], ApprovalContent, string]>([
    ["the reasons of a plan, each once", "plan", plan, "X is unknown. Y is unknown."],
    [
      "the reasons of an agent's calls, each once",
      "agent",
      { ...about, turn: 1, calls, findings },
      "X is unknown. Y is unknown.",
    ],
    [
      "the action of a skill",
      "skill",
      { ...about, action: "Switch lamps off", details: [], data: {} },
      "Switch lamps off",
    ],
    ["the version that asks for its promotion", "promotion", stored, "Version 3 asks for its promotion."],
    ["the version that asks for its place in use", "replacement", stored, "Version 3 asks for its place in use."],
    [
      "the version that it would replace",
      "promotion",
      { ...stored, replaces: 2 },
      "Version 3 asks for its promotion; it would replace version 2, which is in use.",
    ],
  ])("is %s", (_what, kind, content, reason) => {
    expect(newApproval(deps, "t-1", kind, content).reason).toBe(reason);
    const asked = approvalOfTask(deps, aContract({ note: 1 }), kind, content);
    const ended = reason.endsWith(".") ? reason : `${reason}.`;
    expect(asked.reason).toBe(`${ended} Other fields of the contract are kept, and without effect: note.`);
    expect(approvalOfTask(deps, aContract(), kind, content).reason).toBe(reason);
  });
});

test("a server whose clock is ahead goes by that of the database, as it was measured last", () => {
  let ahead_ms = 600_000;
  const clock = expiryClock({ clock: () => new Date(AT), servers: { aheadMs: () => ahead_ms } });
  expect(clock().toISOString()).toBe("2026-03-06T08:50:00.000Z");
  ahead_ms = -1_000;
  expect(clock().toISOString()).toBe("2026-03-06T09:00:01.000Z");
});
