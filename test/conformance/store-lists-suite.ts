// How a Store lists tasks, SOPs and approvals.
import { describe, expect, test } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import { targetSignature } from "../../src/domain/contract.ts";
import type { Sop } from "../../src/domain/sop.ts";
import type { Task } from "../../src/domain/task.ts";
import type { UnverifiedTask } from "../../src/domain/verification.ts";
import { anApproval, aSop, aTask, type CreateStore } from "./store-records.ts";

export function listsSuite(create: CreateStore): void {
  describe("lists", () => {
    test("tasks newest first, page by page without a gap or a repetition", async () => {
      const fresh = await create();
      const tasks = Array.from({ length: 7 }, (_, n) => aTask({ created_at: `2026-03-0${1 + (n % 3)}T00:00:00.000Z` }));
      const changes = tasks.map((task): Change => ({ on: "task_created", task }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      const seen: string[] = [];
      for (let after: string | undefined; seen.length < 20; ) {
        const page = await fresh.listTasks({ limit: 3, after });
        seen.push(...page.map(({ created_at, task_id }) => `${created_at} ${task_id}`));
        after = page.at(-1)?.task_id;
        if (page.length < 3) break;
      }
      expect(new Set(seen).size).toBe(7);
      expect(seen.map((line) => line.slice(0, 10))).toEqual(
        seen
          .map((line) => line.slice(0, 10))
          .sort()
          .reverse(),
      );
    });

    test("tasks of a status, and what a server recovers when it starts", async () => {
      const fresh = await create();
      const tasks = (["ok", "running", "need_input", "accepted"] as const).map((status, n) =>
        aTask({ status, created_at: `2026-03-0${9 - n}T00:00:00.000Z` }),
      );
      const changes = tasks.map((task): Change => ({ on: "task_created", task }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      expect(await fresh.listTasks({ limit: 9, status: "need_input" })).toEqual([tasks[2]]);
      const live = { status: ["accepted", "running"], limit: 9 } as const;
      const unfinished = await fresh.listTaskColumns(live);
      expect(unfinished.map(({ task_id }) => task_id)).toEqual([tasks[3]?.task_id, tasks[1]?.task_id]);
      expect(tasks[3]).toMatchObject(unfinished[0] ?? {});
      await fresh.renewLeases("server-1", "2026-04-01T00:00:00.000Z");
      const leases = await Promise.all(
        tasks.map(async ({ task_id }) => (await fresh.findTask(task_id))?.lease_expires_at),
      );
      expect(leases.map((lease) => lease?.slice(0, 7))).toEqual(["2026-03", "2026-04", "2026-03", "2026-04"]);
    });

    test("tasks by what they wait for, besides what else is asked for", async () => {
      const fresh = await create();
      const resolution = { kind: "resolution", interrupt_id: '"kind":"parked"', index: 0, attempt: 1 } as const;
      const waiting = [{ kind: "teaching", interrupt_id: "i-1" } as const, resolution, null];
      const tasks = waiting.map((one) => aTask({ status: one === null ? "ok" : "need_input", waiting: one }));
      const changes = tasks.map((task): Change => ({ on: "task_created", task }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      const found = async (query: object) => await fresh.listTasks({ limit: 9, ...query });
      expect(await found({ waits_for: "resolution" })).toEqual([tasks[1]]);
      expect(await found({ waits_for: "teaching", q: "restart" })).toEqual([tasks[0]]);
      expect([await found({ waits_for: "parked" }), await found({ waits_for: "parked", q: "restart" })]).toEqual([
        [],
        [],
      ]);
    });

    test("tasks with a text in their id, intent or target, besides what else is asked for", async () => {
      const fresh = await create();
      const named = (task_id: string, target: Record<string, string>, over: Partial<Task> = {}): Task => ({
        ...aTask({ task_id, target_signature: targetSignature(target), ...over }),
      });
      const tasks = [
        named("Deploy-1", { host: "nas" }, { status: "ok", created_at: "2026-03-01T00:00:00.000Z" }),
        named("deploy-2", { host: "100%" }, { intent: "deploy", created_at: "2026-03-02T00:00:00.000Z" }),
        named("t-3", { host: "NAS_Ä" }, { created_at: "2026-03-03T00:00:00.000Z" }),
        named("t-4", { host: "other" }, { created_at: "2026-03-04T00:00:00.000Z" }),
      ];
      const changes = tasks.map((task): Change => ({ on: "task_created", task }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      const found = async (query: object) =>
        (await fresh.listTasks({ limit: 9, ...query })).map(({ task_id }) => task_id);
      expect(await found({ q: "DEPLOY" })).toEqual(["deploy-2", "Deploy-1"]);
      expect(await found({ q: "nas" })).toEqual(["t-3", "Deploy-1"]);
      expect([await found({ q: "S_" }), await found({ q: "0%" }), await found({ q: "%" })]).toEqual([
        ["t-3"],
        ["deploy-2"],
        ["deploy-2"],
      ]);
      expect([await found({ q: "_Ä" }), await found({ q: "_ä" }), await found({ q: "'; --" })]).toEqual([
        ["t-3"],
        [],
        [],
      ]);
      expect(await found({ q: "nas", status: "ok", verified: "none" })).toEqual(["Deploy-1"]);
      expect(await found({ q: "nas", since: "2026-03-02T00:00:00.000Z" })).toEqual(["t-3"]);
      expect(await found({ q: "deploy", intent: "deploy" })).toEqual(["deploy-2"]);
      expect(await found({ intent: "deploy" })).toEqual(["deploy-2"]);
      expect(await found({ target_signature: "host=nas" })).toEqual(["Deploy-1"]);
      expect(await found({ q: "deploy", limit: 1 })).toEqual(["deploy-2"]);
      expect(await found({ q: "deploy", limit: 1, after: "deploy-2" })).toEqual(["Deploy-1"]);
    });

    test("tasks with their labels, and on request only those that do not run anywhere", async () => {
      const fresh = await create();
      const labelled = aTask({ status: "accepted", runs_on: ["docker", "host:nas"] });
      const job = aTask({ status: "running", backend: "flowengine" });
      const tasks = [aTask({ status: "accepted" }), labelled, job, aTask({ status: "ok", runs_on: ["docker"] })];
      const changes = tasks.map((task): Change => ({ on: "task_created", task }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      expect(await fresh.findTask(labelled.task_id)).toEqual(labelled);
      const live = { status: ["accepted", "running"], limit: 9 } as const;
      expect(await fresh.listTaskColumns(live)).toHaveLength(3);
      const waiting = await fresh.listTaskColumns({ ...live, labelled: true });
      const found = { task_id: labelled.task_id, runs_on: ["docker", "host:nas"], backend: "local" };
      expect(new Set(waiting.map(({ task_id }) => task_id))).toEqual(new Set([labelled.task_id, job.task_id]));
      expect(waiting).toContainEqual(expect.objectContaining(found));
    });

    test("tasks by their columns, and a page follows one that has another status by now", async () => {
      const fresh = await create();
      const tasks = [1, 2, 3].map((n) => aTask({ status: "running", created_at: `2026-03-0${n}T00:00:00.000Z` }));
      const changes = tasks.map((task): Change => ({ on: "task_created", task }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      const [first] = await fresh.listTaskColumns({ status: ["running"], limit: 1 });
      const task_id = first?.task_id ?? "";
      expect(task_id).toBe(tasks[0]?.task_id);
      const ended: Change = { on: "task", task_id, expect: { status: ["running"] }, set: { status: "ok" } };
      await fresh.commit({ thread_id: "t", after: null, events: [], changes: [ended] });
      const rest = await fresh.listTaskColumns({ status: ["running"], limit: 9, after: task_id });
      expect(await fresh.listTasks({ status: "running", limit: 9, after: tasks[2]?.task_id })).toEqual([tasks[1]]);
      expect(rest.map((task) => task.task_id)).toEqual(tasks.slice(1).map((task) => task.task_id));
    });

    describe("tasks that are DONE and not verified from outside", () => {
      const VERIFICATION = { verified: true, source: "a look", note: null, recorded_at: "2026-03-06T09:00:00.000Z" };
      const ended = (task_id: string, wishes: object, over: Partial<Task> = {}): Task => {
        const task = aTask({ task_id, status: "ok", ended_at: "2026-03-02T00:00:00.000Z", owner: null, ...over });
        return { ...task, contract: { ...task.contract, ...wishes } };
      };
      const create_all = async (tasks: readonly Task[]) => {
        const fresh = await create();
        const changes = tasks.map((task): Change => ({ on: "task_created", task }));
        await fresh.commit({ thread_id: "t", after: null, events: [], changes });
        return fresh;
      };
      const idsOf = (tasks: readonly UnverifiedTask[]) => tasks.map(({ task_id }) => task_id);

      test("are those whose contract wants it, the first to end first, page by page", async () => {
        const within = { verify_within_hours: 1.5 };
        const fresh = await create_all([
          ended("later", within, { ended_at: "2026-03-03T00:00:00.000Z" }),
          ended("b", within),
          ended("a", within),
          ended("last", within, { ended_at: "2026-03-04T00:00:00.000Z" }),
          ended("verified", within, { verification: VERIFICATION }),
          ended("failed", within, { status: "failed" }),
          ended("running", within, { status: "running", ended_at: null }),
          ended("without", {}),
          ended("nested", { payload: { verify_within_hours: 1, text: 'the words "verify_within_hours":' } }),
          ended("by", { verify_by: "sop:triage" }),
        ]);
        const page = (limit: number, after?: string) =>
          fresh.listUnverified({ wants: "verify_within_hours", limit, after });
        const all = await page(20);
        expect(idsOf(all)).toEqual(["a", "b", "later", "last"]);
        const { intent, target_signature } = aTask();
        expect(all[0]).toEqual({
          task_id: "a",
          intent,
          target_signature,
          ended_at: "2026-03-02T00:00:00.000Z",
          contract: within,
        });
        const set = { verification: VERIFICATION };
        const verified: Change = { on: "task", task_id: "b", expect: { status: ["ok"] }, set };
        await fresh.commit({ thread_id: "t", after: null, events: [], changes: [verified] });
        expect(idsOf(await page(1, "b")), "a page follows one that is verified by now").toEqual(["later"]);
        expect(idsOf(await page(1))).toEqual(["a"]);
        expect(idsOf(await page(20, "last"))).toEqual([]);
      });

      test("are not those whose procedure has given no verdict, where a procedure is to look", async () => {
        const wishes = { verify_by: "sop:health_check", verify_after_seconds: 0, verify_within_hours: 2 };
        const fresh = await create_all([ended("missed", wishes), ended("open", wishes)]);
        const body = { verify_by: "sop:health_check", task_id: null, message: "there is none" };
        await fresh.commit({ thread_id: "missed", after: null, events: [{ kind: "verification_missed", body }] });
        const open = await fresh.listUnverified({ wants: "verify_by", limit: 9 });
        expect(open).toMatchObject([{ task_id: "open", contract: wishes }]);
        expect(idsOf(await fresh.listUnverified({ wants: "verify_within_hours", limit: 9 }))).toEqual([
          "missed",
          "open",
        ]);
        expect(await fresh.readMessages(0, 9), "and that is a message").toMatchObject([{ event: { body } }]);
      });
    });

    test("active SOPs with the most successful runs first, and of those the newest", async () => {
      const fresh = await create();
      const sop = (target_signature: string, success_count: number, over: Partial<Sop> = {}) =>
        aSop({ status: "active", target_signature, success_count, ...over });
      const sops = [
        sop("a=1", 2),
        sop("a=2", 10, { failure_count: 9 }),
        sop("a=3", 99, { status: "candidate" }),
        sop("a=4", 99, { status: "deprecated" }),
        sop("a=5", 2, { created_at: "2027-01-01T00:00:00.000Z" }),
      ];
      const changes = sops.map((created): Change => ({ on: "sop_created", sop: created }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      expect(await fresh.mostUsedSops(9)).toEqual([sops[1], sops[4], sops[0]]);
      expect(await fresh.mostUsedSops(1)).toEqual([sops[1]]);
    });

    test("approvals oldest first, and which of them expire", async () => {
      const fresh = await create();
      const at = (day: number) => `2026-03-0${day}T00:00:00.000Z`;
      const approvals = [1, 2, 3].map((day) => anApproval({ created_at: at(day), expires_at: at(day + 4) }));
      const changes = approvals.map((approval): Change => ({ on: "approval_created", approval }));
      await fresh.commit({ thread_id: "t", after: null, events: [], changes });
      const [first, second, third] = approvals;
      expect(await fresh.listApprovals({ limit: 2 })).toEqual([first, second]);
      expect(await fresh.listApprovals({ limit: 2, after: second?.approval_id, thread_id: "task-1" })).toEqual([third]);
      expect(await fresh.listApprovals({ limit: 2, status: "expired" })).toEqual([]);
      expect(await fresh.expiringApprovals(at(6))).toEqual({ due: [first, second], next: at(7) });
      expect(await fresh.expiringApprovals(at(9))).toEqual({ due: approvals, next: null });
    });
  });
}
