// A replacement: the current SOP steps aside, and the decision settles which of the two is used.
import { describe, expect, test } from "vitest";
import { replaceSop, settleReplacement } from "../../../../graphs/nodes/replace-sop.ts";
import type { TaskContract } from "../../../../src/domain/contract.ts";
import { AT, aContract, check, cmd } from "../../../support/builders.ts";
import { type PipelineParts, pipelineParts, stateOf } from "../../../support/pipeline-parts.ts";
import { aSop } from "../../engine/tasks/a-sop.ts";

const CURRENT = aSop({ version: 3 });
const steps = [cmd("touch y"), check("test -e y")];
const UPDATE = aContract({ intent: "update_sop", payload: { intent: "deploy", steps } });

async function requested() {
  const parts = pipelineParts();
  await parts.write("s", [], [{ on: "sop_created", sop: CURRENT }]);
  const contract = await parts.begin(UPDATE);
  const facts = await replaceSop(parts.deps)(stateOf({ contract }));
  return { parts, contract, facts };
}
const byVersion = async ({ store }: PipelineParts) =>
  Object.fromEntries((await store.listSops({ limit: 9 })).map(({ version, status }) => [version, status]));
const settled = (parts: PipelineParts, contract: TaskContract, decision: "approve" | "reject") =>
  settleReplacement(parts.deps)(stateOf({ contract, decision }));

describe("replace_sop", () => {
  test("deprecates the current version, stores the candidate and asks for it, in one commit", async () => {
    const { parts, facts } = await requested();
    expect(facts).toEqual({ replacement: "requested", approval_id: expect.any(String) });
    expect(await byVersion(parts)).toEqual({ 3: "deprecated", 4: "candidate" });
    const [candidate] = await parts.store.listSops({ limit: 1, status: "candidate" });
    expect(candidate).toMatchObject({
      intent: "deploy",
      target: UPDATE.target,
      steps,
      origin: "update_sop t-1",
      success_count: 0,
      criteria: [],
    });
    const { sop_id } = candidate ?? {};
    const approval = await parts.store.findApproval(facts.approval_id ?? "");
    expect(approval).toMatchObject({
      kind: "replacement",
      thread_id: "t-1",
      created_at: AT,
      reason: "Version 4 asks for its place in use; it would replace version 3.",
      content: { intent: "deploy", sop_id, sop_version: 4, steps, findings: [], replaces: 3 },
    });
    expect((await parts.store.readJournal("t-1")).slice(2)).toMatchObject([
      { kind: "sop_changed", body: { sop_id: CURRENT.sop_id, status: "deprecated", why: "update_sop t-1" } },
      { kind: "sop_changed", body: { sop_id, version: 4, status: "candidate", why: "update_sop t-1" } },
      { kind: "policy_judged", body: { findings: [] } },
      { kind: "sop_examined", body: { level: "defined", warnings: ["No run of it has passed yet."] } },
      { kind: "approval_requested", body: { approval_id: facts.approval_id, kind: "replacement" } },
    ]);
  });

  test("is refused where only versions come into use that a run has proved", async () => {
    const parts = pipelineParts();
    await parts.write("s", [], [{ on: "sop_created", sop: CURRENT }]);
    const contract = await parts.begin(UPDATE);
    const facts = await replaceSop({ ...parts.deps, sop_promotion: "proved_only" })(stateOf({ contract }));
    expect(facts).toMatchObject({ replacement: "refused", reason: { reason_code: "sop_not_proved" } });
    expect(await byVersion(parts)).toEqual({ 3: "active" });
  });

  test("asks once", async () => {
    const { parts, contract, facts } = await requested();
    expect(await replaceSop(parts.deps)(stateOf({ contract }))).toEqual(facts);
    expect(await parts.store.listSops({ limit: 9 })).toHaveLength(2);
  });

  test.each([
    ["update_invalid", { steps }],
    ["sop_not_found", { intent: "restart", steps }],
  ])("refuses with %s and changes nothing", async (reason_code, payload) => {
    const parts = pipelineParts();
    await parts.write("s", [], [{ on: "sop_created", sop: CURRENT }]);
    const contract = await parts.begin(aContract({ intent: "update_sop", payload }));
    expect(await replaceSop(parts.deps)(stateOf({ contract }))).toMatchObject({
      replacement: "refused",
      reason: { reason_code },
    });
    expect(await byVersion(parts)).toEqual({ 3: "active" });
  });
});

describe("settle_replacement", () => {
  const reason = { reason_code: "sop_replaced", message: "Version 4 of deploy is active.", step_index: null };
  test.each([
    ["approve", { reason }, { 3: "deprecated", 4: "active" }],
    ["reject", {}, { 3: "active", 4: "deprecated" }],
  ] as const)("after %s settles once which version is used", async (decision, facts, versions) => {
    const { parts, contract } = await requested();
    expect(await settled(parts, contract, decision)).toEqual(facts);
    const journal = await parts.store.readJournal("t-1");
    expect(await byVersion(parts)).toEqual(versions);
    expect(await settled(parts, contract, decision)).toEqual(facts);
    expect([await parts.store.readJournal("t-1"), await byVersion(parts)]).toEqual([journal, versions]);
  });

  test("is an error without a replacement on record", async () => {
    const parts = pipelineParts();
    const contract = await parts.begin(UPDATE);
    await expect(settled(parts, contract, "approve")).rejects.toThrow("the journal records no replacement");
  });
});
