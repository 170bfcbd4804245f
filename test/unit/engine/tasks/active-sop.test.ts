import { describe, expect, test } from "vitest";
import { approvalDigest, type ProcedureContent } from "../../../../src/domain/approval.ts";
import type { Sop } from "../../../../src/domain/sop.ts";
import { promotionThread } from "../../../../src/domain/thread-id.ts";
import { activeSop, noActiveSop } from "../../../../src/engine/tasks/active-sop.ts";
import { newApproval } from "../../../../src/engine/tasks/approval-record.ts";
import { AT, cmd } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { aSop } from "./a-sop.ts";

const clock = () => new Date(AT);

const contentOf = ({ intent, target_signature, sop_id, version, ...rest }: Sop): ProcedureContent => {
  const { steps, criteria, safety_level, preconditions } = rest;
  const shown = { steps, criteria, safety_level, preconditions, findings: [] };
  return { intent, target_signature, sop_id, sop_version: version, ...shown };
};

/** A store with the SOP, and the approval of its promotion in the thread. */
async function promoted(sop: Sop, content: ProcedureContent, thread_id = promotionThread(sop.sop_id)) {
  const store = memoryStore(clock);
  const deps = { clock, new_id: () => "a-1", approval_ttl_ms: 1 };
  const approval = { ...newApproval(deps, thread_id, "promotion", content), status: "approved" as const };
  const changes = [
    { on: "sop_created", sop },
    { on: "approval_created", approval },
  ] as const;
  await store.commit({ thread_id, after: null, events: [], changes });
  return { store, approval };
}

describe("the version that would run", () => {
  const sop = aSop();

  test("is the active one as it was promoted", async () => {
    const { store } = await promoted(sop, contentOf(sop));
    expect(await activeSop(store, sop)).toEqual(sop);
    expect(await activeSop(store, { ...sop, intent: "restart" })).toBeNull();
  });

  test.each([
    ["steps", { steps: [cmd("echo EVIL"), ...sop.steps] }],
    ["criteria", { criteria: [{ criterion: "another", step_index: 0 }] }],
    ["safety_level", { safety_level: "approval_required" as const }],
    ["preconditions", { preconditions: ["another"] }],
  ])("is refused where its %s are not those that were promoted", async (_field, change) => {
    const { store } = await promoted({ ...sop, ...change }, contentOf(sop));
    expect(await activeSop(store, sop)).toMatchObject({
      reason_code: "sop_altered",
      message: expect.stringContaining("is not what was promoted"),
    });
  });

  test("is refused where the approval was altered with it", async () => {
    const altered = { ...sop, steps: [cmd("echo EVIL")] };
    const { store, approval } = await promoted(altered, contentOf(altered));
    const forged = { ...store, listApprovals: async () => [{ ...approval, digest: approvalDigest(contentOf(sop)) }] };
    expect(await activeSop(forged, sop)).toMatchObject({ reason_code: "sop_altered" });
  });

  test("is compared with the approval of the update that brought it", async () => {
    const updated = aSop({ origin: "update_sop u-1" });
    const { store } = await promoted({ ...updated, steps: [cmd("echo EVIL")] }, contentOf(updated), "u-1");
    expect(await activeSop(store, updated)).toMatchObject({ reason_code: "sop_altered" });
  });
});

test("while an update waits, it is named with the task that waits for its approval", async () => {
  const store = memoryStore(clock);
  const key = { intent: "deploy", target_signature: "service=web" };
  expect(await noActiveSop(store, key)).toBe('No active SOP for deploy on "service=web".');
  const sop = aSop({ ...key, status: "candidate", version: 4, origin: "update_sop u-7" });
  await store.commit({ thread_id: "u-7", after: null, events: [], changes: [{ on: "sop_created", sop }] });
  expect(await noActiveSop(store, key)).toContain("version 4 waits for the approval that the update task u-7 asks for");
});
