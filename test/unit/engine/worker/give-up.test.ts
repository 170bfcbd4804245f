// The end of a task that orch itself could not continue, or of which the database has lost the last events.
import { describe, expect, test } from "vitest";
import type { Approval } from "../../../../src/domain/approval.ts";
import { OrchError } from "../../../../src/domain/errors.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import { sopChanged } from "../../../../src/engine/tasks/sop-versions.ts";
import { giveUp, settleLostTail } from "../../../../src/engine/worker/give-up.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { PROCEDURE, pinning, pipelineParts } from "../../../support/pipeline-parts.ts";
import { aSop } from "../tasks/a-sop.ts";
import { anApproval } from "../tasks/a-task.ts";

const FAILED = outcome("failed", "internal_error", "orch could not carry the task on: the disk was full.", {
  thread_id: "t-1",
});

async function broken(...events: Parameters<ReturnType<typeof pipelineParts>["begin"]>[1][]) {
  const parts = pipelineParts();
  await parts.begin(aContract(), pinning(), ...events);
  const fail = (over: Partial<typeof parts.store> = {}) =>
    giveUp({ store: { ...parts.store, ...over }, clock: parts.deps.clock }, "t-1", "the disk was full");
  return { ...parts, fail };
}

describe("a task that orch cannot continue", () => {
  test("fails, with the pins, and without a lease", async () => {
    const { store, fail } = await broken();
    expect(await fail()).toEqual({ is: "failed" });
    expect((await store.readJournal("t-1")).at(-1)).toMatchObject({ kind: "reported", body: FAILED });
    expect(await store.findTask("t-1")).toMatchObject({
      status: "failed",
      outcome: FAILED,
      owner: null,
      lease_expires_at: null,
      ended_at: AT,
      sop_id: PROCEDURE.sop_id,
      sop_version: 3,
    });
  });

  test("gives the previous version back that its replacement has set aside", async () => {
    const previous = aSop({ sop_id: "s-1", version: 1, status: "deprecated" });
    const candidate = aSop({ sop_id: "s-2", version: 2, status: "candidate", origin: "update_sop t-1" });
    const { store, write, fail } = await broken(
      sopChanged(previous, "deprecated", "update_sop t-1"),
      sopChanged(candidate, "candidate", "update_sop t-1"),
    );
    await write(
      "sops",
      [],
      [previous, candidate].map((sop) => ({ on: "sop_created", sop })),
    );
    expect(await fail()).toEqual({ is: "failed" });
    expect([(await store.findSop("s-1"))?.status, (await store.findSop("s-2"))?.status]).toEqual([
      "active",
      "deprecated",
    ]);
    const last = (await store.readJournal("t-1")).slice(-3);
    expect(last.map(({ kind }) => kind)).toEqual(["sop_changed", "sop_changed", "reported"]);
  });

  test("is left as it is when its journal cannot be read: a step may have had an effect", async () => {
    const { store, fail } = await broken();
    const error = new OrchError("quarantined", "event 2 of t-1 cannot be read");
    expect(await fail({ readJournal: () => Promise.reject(error) })).toEqual({ is: "quarantined", error });
    expect(await fail({ readJournal: () => Promise.reject(new Error("the connection is lost")) })).toBeNull();
    expect(await store.findTask("t-1")).toMatchObject({ status: "running" });
  });

  test("does not when another writer has appended meanwhile, or has ended it", async () => {
    const { store, write, fail } = await broken();
    const readJournal = async (id: string) => {
      const known = await store.readJournal(id);
      await write(id, [{ kind: "cancel_requested", body: { reason: null } }]);
      return known;
    };
    expect(await fail({ readJournal })).toBeNull();
    expect(await store.findTask("t-1")).toMatchObject({ status: "running" });
    await write("t-1", [], [{ on: "task", task_id: "t-1", expect: { status: ["running"] }, set: { status: "ok" } }]);
    expect(await fail()).toBeNull();
    expect(await store.findTask("t-1")).toMatchObject({ status: "ok" });
  });
});

const previous = aSop({ sop_id: "s-1", version: 1, status: "deprecated" });
const candidate = aSop({ sop_id: "s-2", version: 2, status: "candidate", origin: "update_sop t-1" });
const log = { error: () => undefined };

/** An update whose request for an approval is lost, with the events of its versions or without. */
async function updating(lost: number, approvals: readonly Approval[]) {
  const parts = pipelineParts();
  await parts.begin(
    aContract({ intent: "update_sop" }),
    sopChanged(previous, "deprecated", "update_sop t-1"),
    sopChanged(candidate, "candidate", "update_sop t-1"),
    { kind: "approval_requested", body: { approval_id: "a-1", kind: "replacement", digest: "d" } },
  );
  const sops = [previous, candidate].map((sop) => ({ on: "sop_created", sop }) as const);
  const asked = approvals.map((approval) => ({ on: "approval_created", approval }) as const);
  await parts.write("rows", [], [...sops, ...asked]);
  const known = await parts.store.readJournal("t-1");
  const store = { ...parts.store, readJournal: async () => known.slice(0, -lost) };
  await settleLostTail({ store, clock: parts.deps.clock, log }, "t-1", known);
  return parts.store;
}

const ends = async (store: Awaited<ReturnType<typeof updating>>) => [
  (await store.findTask("t-1"))?.status,
  (await store.findSop("s-1"))?.status,
  (await store.findSop("s-2"))?.status,
];

test.each([1, 3])(
  "an update that has lost its last %i events gives the previous version back, and its approval is withdrawn",
  async (lost) => {
    const store = await updating(lost, [anApproval()]);
    expect(await ends(store)).toEqual(["failed", "active", "deprecated"]);
    expect(await store.findApproval("a-1")).toMatchObject({ status: "superseded" });
  },
);
