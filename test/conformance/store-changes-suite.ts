// Changes that go with journal events: all of them or none, and each only when what it expects holds.
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Change } from "../../src/domain/change.ts";
import type { Commit, Store } from "../../src/ports.ts";
import { anApproval, aSop, aTask, aThread, type CreateStore, eventsOf, started } from "./store-records.ts";

export function changesSuite(create: CreateStore): void {
  let store: Store;
  beforeAll(async () => {
    store = await create();
  });
  const write = async (commit: Commit) => eventsOf(await store.commit(commit));
  const change = (...changes: Change[]) => store.commit({ thread_id: aThread(), after: null, events: [], changes });

  describe("a commit with changes", () => {
    test("writes nothing at all when one of its changes does not hold", async () => {
      const thread_id = aThread();
      const task = aTask();
      const stale: Change = { on: "task", task_id: "nobody", expect: { status: ["running"] }, set: { owner: null } };
      const changes: Change[] = [
        { on: "task_created", task },
        stale,
        { on: "sop_created", sop: aSop({ version: 99 }) },
      ];
      const result = await store.commit({ thread_id, after: null, events: [started()], changes });
      expect(result).toEqual({ ok: false, conflict: stale });
      expect(await store.readJournal(thread_id)).toEqual([]);
      expect(await store.findTask(task.task_id)).toBeNull();
    });

    test("gives rows no time before their events when the clock was set back [promises 5.3]", async () => {
      const thread_id = aThread();
      const task = aTask({ task_id: thread_id });
      const opened = async (at: number, change: Change, after: Commit["after"]) => {
        vi.setSystemTime(at);
        const [event] = await write({ thread_id, after, events: [started()], changes: [change] });
        if (event === undefined) throw new Error("one event was written");
        return event;
      };
      const noon = Date.parse("2026-03-06T12:00:00.000Z");
      const an_hour_before = new Date(noon - 3_600_000).toISOString();
      vi.useFakeTimers({ toFake: ["Date"], now: noon });
      try {
        const first = await opened(noon, { on: "task_created", task }, null);
        const expires_at = new Date(noon - 1_800_000).toISOString();
        const approval = anApproval({ thread_id, created_at: an_hour_before, expires_at });
        const { approval_id } = approval;
        const asked = await opened(noon - 3_600_000, { on: "approval_created", approval }, first);
        expect(await store.findApproval(approval_id)).toMatchObject({
          created_at: asked.at,
          expires_at: new Date(noon + 1_800_000).toISOString(),
        });
        const set = { status: "approved", decided_at: an_hour_before } as const;
        const decided = await opened(noon - 3_600_000, { on: "approval", approval_id, set }, asked);
        expect(await store.findApproval(approval_id)).toMatchObject({ decided_at: decided.at });
        const ended: Change = {
          on: "task",
          task_id: thread_id,
          expect: { status: [task.status] },
          set: { ended_at: an_hour_before },
        };
        const end = await opened(noon - 3_600_000, ended, decided);
        expect([end.at, (await store.findTask(thread_id))?.ended_at]).toEqual([first.at, first.at]);
      } finally {
        vi.useRealTimers();
      }
    });

    test("changes nothing when its events come too late", async () => {
      const thread_id = aThread();
      const task = aTask();
      await write({ thread_id, after: null, events: [started()] });
      const changes: Change[] = [{ on: "task_created", task }];
      const late = await store.commit({ thread_id, after: null, events: [started()], changes });
      expect(late).toEqual({ ok: false, conflict: "journal" });
      const lateWithoutEvents = await store.commit({ thread_id, after: null, events: [], changes });
      expect(lateWithoutEvents).toEqual({ ok: false, conflict: "journal" });
      expect(await store.findTask(task.task_id)).toBeNull();
    });

    test("creates a task once", async () => {
      const task = aTask();
      const creation: Change = { on: "task_created", task };
      expect(await change(creation)).toEqual({ ok: true, events: [] });
      expect(await change(creation)).toEqual({ ok: false, conflict: creation });
      expect(await store.findTask(task.task_id)).toEqual(task);
    });

    test("changes a task only in the status and at the question that are expected", async () => {
      const waiting = { kind: "teaching", interrupt_id: "i-7" } as const;
      const task = aTask({ status: "need_input", waiting });
      await change({ on: "task_created", task });
      const set = { status: "running", waiting: null } as const;
      const attempt = (expect: Extract<Change, { on: "task" }>["expect"]) =>
        change({ on: "task", task_id: task.task_id, expect, set });
      expect((await attempt({ status: ["running", "accepted"] })).ok).toBe(false);
      expect((await attempt({ status: ["need_input"], interrupt_id: "i-8" })).ok).toBe(false);
      expect(await store.findTask(task.task_id)).toEqual(task);
      const expected = { status: ["accepted", "need_input"], interrupt_id: "i-7" } as const;
      expect((await attempt(expected)).ok).toBe(true);
      expect((await attempt(expected)).ok).toBe(false);
      expect(await store.findTask(task.task_id)).toMatchObject({ ...set, owner: "server-1" });
    });

    test("raises the level that a task needs with an event of that level, and lets only such a server claim it", async () => {
      const task = aTask();
      const { task_id } = task;
      await change({ on: "task_created", task });
      const late = {
        index: 0,
        attempt: 1,
        owner: "o",
        server: "nas",
        status: "passed",
        exit_code: 0,
        timed_out: false,
      } as const;
      const body = { ...late, ended_at: task.created_at, stdout: "", stderr: "", message: "It has ended." };
      const released = { on: "task", task_id, expect: { status: ["running"] }, set: { owner: null } } as const;
      await write({ thread_id: task_id, after: null, events: [started()], changes: [released] });
      expect(await store.findTask(task_id)).toMatchObject({ owner: null, needs_level: null });
      await write({ thread_id: task_id, after: "last", events: [{ kind: "late_result", body }], changes: [released] });
      expect(await store.findTask(task_id)).toMatchObject({ owner: null, needs_level: 53 });
      const [columns] = (await store.listTaskColumns({ status: ["running"], limit: 99 })).filter(
        (one) => one.task_id === task_id,
      );
      expect(columns).toMatchObject({ needs_level: 53 });
      const claim = (readable_at: number) =>
        change({
          on: "task",
          task_id,
          expect: { status: ["running"], owner: [null], readable_at },
          set: { owner: "me" },
        });
      expect((await claim(52)).ok).toBe(false);
      expect((await claim(53)).ok).toBe(true);
    });

    test("writes a late result only after the last event of its thread", async () => {
      const thread_id = aThread();
      const late = {
        index: 0,
        attempt: 1,
        owner: "o",
        server: "nas",
        status: "failed",
        exit_code: null,
        timed_out: true,
      } as const;
      const body = { ...late, ended_at: aTask().created_at, stdout: "", stderr: "", message: "It was ended." };
      const [first] = await write({ thread_id, after: null, events: [started()] });
      const [second] = await write({ thread_id, after: first ?? null, events: [started()] });
      if (first === undefined || second === undefined) throw new Error("two events were written");
      expect(await store.appendLateResult(thread_id, first, body)).toEqual({ ok: false, conflict: "journal" });
      const [event] = eventsOf(await store.appendLateResult(thread_id, second, body));
      expect(event).toMatchObject({ seq: 3, kind: "late_result", body, prev_hash: second.hash });
      expect(await store.readJournal(thread_id)).toEqual([first, second, event]);
    });

    test("answers a question once, however many answer it at the same time", async () => {
      const task = aTask({ status: "need_input", waiting: { kind: "teaching", interrupt_id: "i-1" } });
      await change({ on: "task_created", task });
      const answers = Array.from({ length: 5 }, () =>
        change({
          on: "task",
          task_id: task.task_id,
          expect: { status: ["need_input"], interrupt_id: "i-1" },
          set: { status: "running", waiting: null },
        }),
      );
      expect((await Promise.all(answers)).filter(({ ok }) => ok)).toHaveLength(1);
    });

    test("decides an approval once", async () => {
      const approval = anApproval();
      await change({ on: "approval_created", approval });
      const decision = { decision: "approve", reason: null, decided_by: "ann", token_id: "approver" } as const;
      const set = { status: "approved", decision, decided_at: "2026-03-06T10:00:00.000Z" } as const;
      const deciding: Change = { on: "approval", approval_id: approval.approval_id, set };
      const results = await Promise.all([change(deciding), change(deciding)]);
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await store.findApproval(approval.approval_id)).toEqual({ ...approval, ...set });
    });
  });

  describe("SOPs", () => {
    test("have one row per version and at most one active version per key", async () => {
      const key = { intent: "deploy", target_signature: "host=one" };
      const [first, second] = [aSop(key), aSop({ ...key, version: 2 })];
      await change({ on: "sop_created", sop: first }, { on: "sop_created", sop: second });
      expect((await change({ on: "sop_created", sop: aSop({ ...key, version: 2 }) })).ok).toBe(false);
      const activate = ({ sop_id }: typeof first): Change => ({
        on: "sop",
        sop_id,
        expect: { status: "candidate" },
        set: { status: "active" },
      });
      expect((await change(activate(first))).ok).toBe(true);
      expect(await change(activate(second))).toEqual({ ok: false, conflict: activate(second) });
      expect((await change({ on: "sop_created", sop: aSop({ ...key, version: 3, status: "active" }) })).ok).toBe(false);
      expect((await store.findActiveSop("deploy", "host=one"))?.sop_id).toBe(first.sop_id);
      const retire: Change = {
        on: "sop",
        sop_id: first.sop_id,
        expect: { status: "active" },
        set: { status: "deprecated" },
      };
      expect((await change(retire, activate(second))).ok).toBe(true);
      expect((await change(retire)).ok).toBe(false);
      expect((await store.findActiveSop("deploy", "host=one"))?.sop_id).toBe(second.sop_id);
      expect(await store.findActiveSop("deploy", "host=ONE")).toBeNull();
    });

    test("change only in the round of their promotion that the change expects", async () => {
      const sop = aSop({ target_signature: "host=rounds", status: "active" });
      await change({ on: "sop_created", sop });
      const back = (round: number): Change => ({
        on: "sop",
        sop_id: sop.sop_id,
        expect: { status: "active", promotion_round: round },
        set: { status: "candidate", promotion_round: round + 1, record_since: sop.created_at },
      });
      expect(await change(back(2))).toEqual({ ok: false, conflict: back(2) });
      expect((await change(back(1))).ok).toBe(true);
      expect(await store.findSop(sop.sop_id)).toMatchObject({
        status: "candidate",
        promotion_round: 2,
        record_since: sop.created_at,
      });
      expect((await change(back(1))).ok).toBe(false);
    });

    test("count verified successes and failures, concurrent ones too", async () => {
      const sop = aSop({ target_signature: "host=counted" });
      await change({ on: "sop_created", sop });
      const count = (passed: boolean) => change({ on: "sop_counted", sop_id: sop.sop_id, passed, proved: false });
      await count(false);
      await Promise.all([count(true), count(true), count(true)]);
      const counted = await store.findSop(sop.sop_id);
      expect(counted).toMatchObject({ success_count: 3, failure_count: 1 });
      expect(counted?.last_success_at).toBe(counted?.updated_at);
      expect((await change({ on: "sop_counted", sop_id: "unknown", passed: true, proved: true })).ok).toBe(false);
    });

    test("are given back as they were stored and listed newest first", async () => {
      const intent = "commit_push";
      const sops = [1, 2, 3].map((version) =>
        aSop({ intent, version, created_at: `2026-03-0${version}T00:00:00.000Z` }),
      );
      await change(...sops.map((sop): Change => ({ on: "sop_created", sop })));
      const [oldest, middle, newest] = sops;
      expect(await store.listSops({ intent, limit: 2 })).toEqual([newest, middle]);
      expect(await store.listSops({ intent, limit: 2, after: middle?.sop_id })).toEqual([oldest]);
      expect(await store.listSops({ intent, status: "active", limit: 2 })).toEqual([]);
    });
  });

  test("text with a NUL character is refused with a sentence", async () => {
    const task = aTask({ owner: "a\0b" });
    await expect(change({ on: "task_created", task })).rejects.toMatchObject({
      code: "input_invalid",
      message: expect.stringContaining("NUL"),
    });
    expect(await store.findTask(task.task_id)).toBeNull();
  });
}
