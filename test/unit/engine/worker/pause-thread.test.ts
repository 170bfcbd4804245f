// The question of an interrupted graph on record: the report, the row, and the approval that can now be decided.
import { describe, expect, test } from "vitest";
import { outcome } from "../../../../src/domain/outcome.ts";
import { pauseThread } from "../../../../src/engine/worker/task-runs.ts";
import { aContract } from "../../../support/builders.ts";
import { pinning, pipelineParts } from "../../../support/pipeline-parts.ts";
import { anApproval } from "../tasks/a-task.ts";

const APPROVE = outcome("need_approval", "approval_required", "Approve it.", { thread_id: "t-1", approval_id: "a-1" });
const approval = { kind: "approval", approval_id: "a-1" } as const;

async function pausing(value: object, task_id: string | null = "t-1", pinned = true) {
  const parts = pipelineParts();
  await parts.begin(aContract(), ...(pinned ? [pinning()] : []));
  await parts.write("t-1", [], [{ on: "approval_created", approval: anApproval({ interrupt_id: null }) }]);
  const before = await parts.store.findTask("t-1");
  const thread = await parts.threads.threadOf("t-1");
  const paused = pauseThread(thread, task_id, { id: "i-7", value });
  const last = async () => (await parts.store.readJournal("t-1")).at(-1);
  return { ...parts, before, paused, last };
}

describe("a question", () => {
  test("that a promotion asks changes its approval alone", async () => {
    const { store, paused, before, last } = await pausing({ outcome: APPROVE, waiting: approval }, null);
    await paused;
    expect(await store.findApproval("a-1")).toMatchObject({ interrupt_id: "i-7" });
    expect(await store.findTask("t-1")).toEqual(before);
    expect(await last()).toMatchObject({ kind: "reported" });
  });

  test.each([
    ["no outcome", { waiting: approval }],
    ["nothing to wait for", { outcome: APPROVE }],
    ["an unknown kind of wait", { outcome: APPROVE, waiting: { kind: "tea" } }],
    ["an end", { outcome: outcome("ok", "verified", "It is done.", { thread_id: "t-1" }), waiting: approval }],
  ])("that holds %s is an error, and nothing is written", async (_what, value) => {
    const { store, paused, before, last } = await pausing(value);
    await expect(paused).rejects.toThrow();
    expect(await store.findTask("t-1")).toEqual(before);
    expect((await last())?.kind).toBe("sop_pinned");
  });
});
