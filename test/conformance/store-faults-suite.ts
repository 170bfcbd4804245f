// What a Store does when the answer to a commit is lost, whether it was done or not: it finds out, and does nothing twice.
import { describe, expect, test } from "vitest";
import type { Commit, Store } from "../../src/ports.ts";
import type { Fault } from "../support/postgresql-proxy.ts";
import { anApproval, aSop, aTask, aThread, eventsOf, finished, reported, started } from "./store-records.ts";

export type FaultyStore = {
  readonly store: Store;
  /** The next statement that makes a commit durable meets the fault. Resolves when it has. */
  readonly arm: (fault: Fault, ofOwner: boolean) => Promise<void>;
};

const FAULTS: Fault[] = ["done_answer_lost", "not_done_answer_lost", "slow"];

const SITES = {
  "the start of a step": { events: [started()] },
  "several events": { events: [started(), finished(), started(1)] },
  "the events of another writer": { events: [{ kind: "cancel_requested", body: { reason: null } }], isLast: true },
  "a report": { events: [reported()] },
} as const;

export function storeFaultsSuite(create: () => Promise<FaultyStore>): void {
  describe.each(FAULTS)("when a commit meets %s", (fault) => {
    test.each(Object.entries(SITES))("%s is written once", async (_name, site) => {
      const { store, arm } = await create();
      const thread_id = aThread();
      const [first] = eventsOf(await store.commit({ thread_id, after: null, events: [started(9)] }));
      const after = "isLast" in site ? "last" : (first ?? null);
      const met = arm(fault, !("isLast" in site));
      const events = eventsOf(await store.commit({ thread_id, after, events: [...site.events] }));
      await met;
      expect(events.map(({ kind }) => kind)).toEqual(site.events.map(({ kind }) => kind));
      expect(await store.readJournal(thread_id)).toEqual([first, ...events]);
    });

    test("an acceptance, a count and an approval change their rows once", async () => {
      const { store, arm } = await create();
      const [task, sop, approval] = [aTask(), aSop({ target_signature: aThread() }), anApproval()];
      const rows: Commit["changes"] = [
        { on: "task_created", task },
        { on: "sop_created", sop },
        { on: "approval_created", approval },
      ];
      const { task_id } = task;
      const accepted = arm(fault, true);
      const commit = { thread_id: task_id, after: null, events: [started()], changes: rows };
      const [event] = eventsOf(await store.commit(commit));
      await accepted;
      expect(await store.commit(commit)).toEqual({ ok: false, conflict: "journal" });
      const counted = arm(fault, true);
      const changes: Commit["changes"] = [
        { on: "sop_counted", sop_id: sop.sop_id, passed: true, proved: false },
        { on: "approval", approval_id: approval.approval_id, set: { status: "approved" } },
        { on: "task", task_id, expect: { status: ["running"] }, set: { status: "failed" } },
      ];
      eventsOf(await store.commit({ thread_id: task_id, after: event ?? null, events: [finished()], changes }));
      await counted;
      expect(await store.findSop(sop.sop_id)).toMatchObject({ success_count: 1 });
      expect(await store.findApproval(approval.approval_id)).toMatchObject({ status: "approved" });
      expect(await store.findTask(task_id)).toMatchObject({ status: "failed" });
      expect(await store.readJournal(task_id)).toHaveLength(2);
    });
  });
}
