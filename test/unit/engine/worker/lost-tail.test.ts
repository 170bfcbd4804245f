// A task of which the database has lost the last events: what it has opened is closed.
import { expect, test } from "vitest";
import type { Approval } from "../../../../src/domain/approval.ts";
import { sopChanged } from "../../../../src/engine/tasks/sop-versions.ts";
import { settleLostTail } from "../../../../src/engine/worker/give-up.ts";
import { aContract } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";
import { aSop } from "../tasks/a-sop.ts";
import { anApproval } from "../tasks/a-task.ts";

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
