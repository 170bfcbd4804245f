// One approval for the whole plan, bound to exactly what will run, and the decision on it.
import { describe, expect, test } from "vitest";
import { approvalQuestion, awaitApproval, requestApproval } from "../../../../graphs/nodes/await-approval.ts";
import { type Approval, approvalDigest, type Decided } from "../../../../src/domain/approval.ts";
import type { Finding } from "../../../../src/domain/finding.ts";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import { planContent } from "../../../../src/engine/tasks/plan.ts";
import { askingNode } from "../../../support/asking-node.ts";
import { AT, aContract, cmd } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts, procedureOf, stateOf } from "../../../support/pipeline-parts.ts";
import { APPROVED, anApproval } from "../../engine/tasks/a-task.ts";

const FINDING: Finding = {
  step_index: 0,
  verdict: "ask",
  code: "safety.approval_required",
  reason: "It asks.",
  command: null,
  category: null,
};
const found = (...findings: Finding[]): NewEvent => ({ kind: "policy_judged", body: { findings } });
const decidedOn = (approval_id: string, over: Partial<Decided> = {}): NewEvent => ({
  kind: "approval_decided",
  body: { ...APPROVED, approval_id, ...over },
});

describe("request_approval", () => {
  const opened = async (remote = false, reason = FINDING.reason) => {
    const parts = pipelineParts({ remote });
    const contract = await parts.begin(aContract(), pinning(), found({ ...FINDING, reason }));
    const { approval_id } = await requestApproval(parts.deps)(stateOf({ contract }));
    return { parts, contract, approval_id: approval_id ?? "" };
  };
  const stored = async ({ store }: ReturnType<typeof pipelineParts>, id: string) => {
    const approval = await store.findApproval(id);
    if (approval === null) throw new Error(`there is no approval ${id}`);
    return approval;
  };

  test("opens one approval of the plan with its findings, and records its digest in the same commit", async () => {
    const { parts, contract, approval_id } = await opened();
    const content = planContent(contract, (await parts.journalOf()).projection, [FINDING]);
    expect(content).toMatchObject({ ...PROCEDURE, contract: { ...contract, execution_backend: "local" } });
    const digest = approvalDigest(content);
    expect(await stored(parts, approval_id)).toEqual({
      approval_id,
      thread_id: "t-1",
      kind: "plan",
      content,
      digest,
      reason: "It asks.",
      status: "pending",
      interrupt_id: null,
      decision: null,
      decided_at: null,
      created_at: AT,
      expires_at: "2026-03-06T10:00:00.000Z",
    });
    expect((await parts.store.readJournal("t-1")).at(-1)).toMatchObject({
      kind: "approval_requested",
      body: { approval_id, kind: "plan", digest },
    });
  });

  test("ends a reason with a full stop before it says so", async () => {
    const { parts, approval_id } = await opened(true, "`bash -n` shows where");
    expect((await stored(parts, approval_id)).reason).toBe("`bash -n` shows where. It would run on the flow engine.");
  });

  test("opens none for content that was asked about before", async () => {
    const { parts, contract, approval_id } = await opened();
    expect(await requestApproval(parts.deps)(stateOf({ contract }))).toEqual({ approval_id });
    expect(await parts.store.listApprovals({ limit: 9 })).toHaveLength(1);
  });

  test("opens another one for content that has changed, and withdraws the open one before it", async () => {
    const { parts, contract, approval_id } = await opened();
    (await parts.journalOf()).note(found(FINDING, { ...FINDING, step_index: 1 }));
    const again = (await requestApproval(parts.deps)(stateOf({ contract }))).approval_id ?? "";
    expect(again).not.toBe(approval_id);
    expect((await stored(parts, approval_id)).status).toBe("superseded");
    expect((await stored(parts, again)).status).toBe("pending");
    expect((await stored(parts, again)).content).toEqual(
      planContent(contract, (await parts.journalOf()).projection, [FINDING, { ...FINDING, step_index: 1 }]),
    );
  });
});

describe("await_approval", () => {
  const waiting = (approval_id: string | undefined, event: NewEvent) => {
    const parts = pipelineParts();
    const facts = parts
      .begin(aContract(), pinning(), event)
      .then((contract) => awaitApproval(parts.deps)({ contract, approval_id }));
    return facts;
  };

  test("hands on the recorded approval", async () => {
    expect(await waiting("a-1", decidedOn("a-1"))).toEqual({ decision: "approve" });
  });

  test.each([
    ["approve", "approved", { decision: "approve" }],
    ["reject", "rejected", { decision: "reject", reason: { reason_code: "approval_rejected" } }],
  ] as const)("asks for a decision that is not recorded; the answer %s is recorded", async (type, status, facts) => {
    const parts = pipelineParts();
    const contract = await parts.begin(aContract(), pinning());
    const approval = anApproval();
    await parts.write("t-1", [], [{ on: "approval_created", approval }]);
    const node = askingNode(async (state) => awaitApproval(parts.deps)(state));
    expect(await node.ask(stateOf({ contract, approval_id: "a-1" }))).toEqual(approvalQuestion(approval));
    expect((await parts.kindsOf()).at(-1)).toBe("sop_pinned");
    expect(await node.answer({ type })).toMatchObject(facts);
    expect(await parts.store.findApproval("a-1")).toMatchObject({ status, decided_at: AT });
    expect((await parts.kindsOf()).at(-1)).toBe("approval_decided");
  });

  test("refuses to wait for an approval that is not stored, also when another one was decided", async () => {
    await expect(waiting("a-2", decidedOn("a-1"))).rejects.toThrow("approval a-2 was requested and is not stored");
    await expect(waiting(undefined, decidedOn("a-1"))).rejects.toThrow("approval  was requested and is not stored");
  });
});

describe("the question of an approval", () => {
  const steps = procedureOf([cmd("a"), cmd("b")]);
  const procedure = { intent: "deploy", target_signature: "service=web", ...steps, findings: [FINDING] };
  const skill = { intent: "record", target_signature: "", action: "Write", details: ["one"], data: {} };
  const agent = {
    intent: "deploy",
    target_signature: "service=web",
    turn: 1,
    findings: [FINDING],
    calls: [{ index: 0, step: cmd("a") }],
  };
  const until = "to be approved before 2026-03-06T10:00:00.000Z.";

  test.each<[Approval["kind"], Approval["content"], string, string]>([
    ["plan", procedure, "approval_required", `Why. 2 steps for deploy on "service=web", ${until}`],
    ["promotion", procedure, "promotion_pending", `Why. 2 steps for deploy on "service=web", ${until}`],
    ["replacement", procedure, "replacement_pending", `Why. 2 steps for deploy on "service=web", ${until}`],
    ["skill", skill, "approval_required", `Why. 1 line to be read for record, ${until}`],
    ["agent", agent, "approval_required", `Why. 1 call of an agent for deploy on "service=web", ${until}`],
  ])("for a %s says what is asked, and carries all of its content", (kind, content, reason_code, message) => {
    const asked = approvalQuestion(anApproval({ kind, content, reason: "Why" }));
    expect(approvalQuestion(anApproval({ kind, content, reason: "Why." }))).toEqual(asked);
    expect(asked.waiting).toEqual({ kind: "approval", approval_id: "a-1" });
    expect(asked.outcome).toMatchObject({ status: "need_approval", reason_code, message, approval_id: "a-1" });
    expect(asked.outcome.findings).toEqual("findings" in content ? content.findings : []);
    const request = {
      name: `approve_${kind}`,
      description: message,
      args: { approval_id: "a-1", digest: "d", ...content },
    };
    expect(asked["actionRequests"]).toEqual([{ ...request, arguments: request.args }]);
    expect(asked["reviewConfigs"]).toEqual([{ actionName: request.name, allowedDecisions: ["approve", "reject"] }]);
  });
});
