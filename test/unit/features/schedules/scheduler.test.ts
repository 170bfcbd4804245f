// Schedules with a clock that the test sets: one task for each due time however often it is cut off, overlaps, outages, and what cannot
// be submitted.
import { expect, test } from "vitest";
import type { SentContract } from "../../../../src/domain/contract.ts";
import { OrchError } from "../../../../src/domain/errors.ts";
import type { HeldBy } from "../../../../src/domain/hold.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import {
  addSchedule,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
} from "../../../../src/features/schedules/changes.ts";
import { nextDue } from "../../../../src/features/schedules/due.ts";
import { type Schedule, ScheduledContract } from "../../../../src/features/schedules/schedule.ts";
import { createScheduler } from "../../../../src/features/schedules/scheduler.ts";
import type { Commit, CommitResult, Store } from "../../../../src/ports.ts";
import { aContract, contractBody } from "../../../support/builders.ts";
import { manualTimer } from "../../../support/manual-timer.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const BEGIN = Date.parse("2026-03-06T09:00:00.000Z");
const MINUTE = 60_000;
const { task_id: _task_id, requested_at: _requested_at, ...CONTRACT } = contractBody();

type World = {
  obstacle?: string | null;
  fault?: OrchError | null;
  turn?: number | null;
  held_by?: HeldBy | null;
  /** Is asked before each commit, with its kinds; "before" and "after" throw there. */
  cut?: (kinds: readonly string[]) => "before" | "after" | null;
};

function world() {
  let now = BEGIN;
  const clock = () => new Date(now);
  const store = memoryStore(clock);
  const given: World = {};
  const submitted: string[] = [];
  const commit = async (change: Commit): Promise<CommitResult> => {
    const cut = given.cut?.(change.events.map(({ kind }) => kind)) ?? null;
    if (cut === "before") throw new Error("the server was killed");
    const result = await store.commit(change);
    if (cut === "after") throw new Error("the server was killed");
    return result;
  };
  const submit = async (contract: SentContract) => {
    if (given.fault != null) throw given.fault;
    submitted.push(contract.task_id);
    const at = contract.requested_at ?? "";
    const { task, ...accepted } = accept({ contract: aContract(contract), backend: "local", at });
    if ((await store.findTask(task.task_id)) !== null) return;
    await commit({ thread_id: task.task_id, after: null, ...accepted });
  };
  /** A server, as it is after a start. */
  const start = () => {
    const manual = manualTimer();
    const scheduler = createScheduler({
      task_holds: { holdOn: () => given.held_by ?? null },
      store: { ...store, commit },
      clock,
      timer: manual.timer,
      submit,
      log: { error: () => undefined },
      obstacle: async () => given.obstacle ?? null,
      turn: () => given.turn ?? null,
    });
    return { ...scheduler, pending: manual.pending };
  };
  const add = async (every = "5m") => {
    const contract = ScheduledContract.parse(CONTRACT);
    const definition = { name: "web-up", contract, every, cron: null, timezone: null };
    const at = clock().toISOString();
    await store.commit(addSchedule(definition, nextDue(definition, at, clock()), at).commit);
  };
  const end = async (task_id: string) => {
    const set = { status: "ok", ended_at: clock().toISOString() } as const;
    const change = { on: "task", task_id, expect: { status: "any" }, set } as const;
    await store.commit({ thread_id: task_id, after: "last", events: [], changes: [change] });
  };
  return {
    store,
    given,
    submitted,
    start,
    add,
    end,
    pass: (ms: number) => {
      now += ms;
    },
    schedule: async () => (await store.findSchedule("web-up")) as Schedule,
    kinds: async () => (await store.readJournal("schedule/web-up")).map(({ kind }) => kind),
    messages: async () => (await store.readMessages(0, 99)).map(({ event }) => event.kind),
    tasks: async () => (await (store as Store).listTasks({ limit: 99 })).map(({ task_id }) => task_id).sort(),
  };
}

test("a schedule submits one task at each due time, and waits for the next", async () => {
  const it = world();
  await it.add();
  const server = it.start();
  await server.arm();
  expect(it.submitted).toEqual([]);
  expect(server.pending()).toEqual([MINUTE]);
  it.pass(5 * MINUTE);
  await server.arm();
  await server.arm();
  expect(it.submitted).toEqual(["web-up-20260306T090500Z"]);
  expect(await it.schedule()).toMatchObject({ runs: 1, next_due: "2026-03-06T09:10:00.000Z", open_due: null });
  expect(await it.kinds()).toEqual(["schedule_added", "schedule_due", "schedule_submitted"]);
  await it.end("web-up-20260306T090500Z");
  it.pass(5 * MINUTE);
  await server.arm();
  expect(await it.tasks()).toEqual(["web-up-20260306T090500Z", "web-up-20260306T091000Z"]);
});

const POINTS = ["schedule_due", "task_accepted", "schedule_submitted"].flatMap((kind) =>
  (["before", "after"] as const).map((when) => [when, kind] as const),
);

test.each(POINTS)(
  "a server that is killed %s the commit of %s leaves its due time to the next, once",
  async (when, kind) => {
    const it = world();
    await it.add();
    it.pass(5 * MINUTE);
    let isCut = false;
    it.given.cut = (kinds) => {
      if (isCut || !kinds.includes(kind)) return null;
      isCut = true;
      return when;
    };
    await it.start().arm();
    expect(isCut).toBe(true);
    // What would be refused now was submitted before the stop, or not.
    await it.start().arm();
    expect(await it.tasks()).toEqual(["web-up-20260306T090500Z"]);
    expect(await it.schedule()).toMatchObject({ runs: 1, open_due: null, last_task_id: "web-up-20260306T090500Z" });
    expect((await it.kinds()).filter((one) => one === "schedule_submitted")).toHaveLength(1);
  },
);

test("a task that was submitted before a stop counts also when it would be blocked by now", async () => {
  const it = world();
  await it.add();
  it.pass(5 * MINUTE);
  it.given.cut = (kinds) => (kinds.includes("schedule_submitted") ? "before" : null);
  await it.start().arm();
  Object.assign(it.given, { cut: () => null, obstacle: "there is no SOP any more" });
  await it.start().arm();
  expect(await it.schedule()).toMatchObject({ runs: 1, fault: null });
});

test("a due time is skipped while the task before has not ended, and that is recorded", async () => {
  const it = world();
  await it.add();
  const server = it.start();
  for (let round = 0; round < 3; round += 1) {
    it.pass(5 * MINUTE);
    await server.arm();
  }
  expect(await it.tasks()).toHaveLength(1);
  expect(await it.schedule()).toMatchObject({ runs: 1, skipped: 2, missed: 0 });
  expect((await it.kinds()).slice(-2)).toEqual(["schedule_skipped", "schedule_skipped"]);
});

test("a restart after a week submits one task, and records how many were missed", async () => {
  const it = world();
  await it.add();
  it.pass(7 * 24 * 60 * MINUTE + MINUTE);
  await it.start().arm();
  expect(it.submitted).toEqual(["web-up-20260313T090000Z"]);
  expect(await it.schedule()).toMatchObject({ runs: 1, missed: 7 * 24 * 12 - 1, next_due: "2026-03-13T09:05:00.000Z" });
});

test("what cannot be submitted is a message once, and again when it failed for another reason or worked between", async () => {
  const it = world();
  await it.add();
  const server = it.start();
  const round = async (given: World) => {
    Object.assign(it.given, given);
    it.pass(5 * MINUTE);
    await server.arm();
  };
  for (let times = 0; times < 3; times += 1) await round({ obstacle: "no SOP" });
  expect(await it.messages()).toEqual(["schedule_failed"]);
  await round({ obstacle: null, fault: new OrchError("contract_invalid", "the intent is unknown") });
  expect(await it.messages()).toEqual(["schedule_failed", "schedule_failed"]);
  await round({ fault: null });
  const { last_task_id } = await it.schedule();
  await it.end(last_task_id ?? "");
  await round({ obstacle: "no SOP" });
  expect(await it.messages()).toHaveLength(3);
  expect(await it.schedule()).toMatchObject({ runs: 1, fault: "no SOP" });
});

test("a fault that passes, and a rate that is used up, delay the task of a due time and lose nothing", async () => {
  const it = world();
  await it.add();
  it.pass(5 * MINUTE);
  const server = it.start();
  it.given.fault = new OrchError("database_unusable", "the disk is full");
  await server.arm();
  expect(server.pending()).toEqual([5_000]);
  Object.assign(it.given, { fault: null, turn: 7 });
  await server.arm();
  expect(server.pending()).toEqual([7_000]);
  it.given.turn = null;
  await server.arm();
  expect(await it.schedule()).toMatchObject({ runs: 1, fault: null });
});

test("a due time that a freeze holds is skipped with the reason, and not made up for after the thaw (D-321)", async () => {
  const it = world();
  await it.add();
  const server = it.start();
  const held_by = { freeze_id: "freeze-1a2b3c4d", reason: "the disk is replaced", until: null };
  const pass = async (minutes: number) => {
    it.pass(minutes * MINUTE);
    await server.arm();
    return it.submitted;
  };
  it.given.held_by = held_by;
  expect(await pass(11)).toEqual([]);
  expect(await it.schedule()).toMatchObject({ runs: 0, skipped: 1, missed: 1, open_due: null });
  const body = { due: "2026-03-06T09:10:00.000Z", held_by };
  expect((await it.store.readJournal("schedule/web-up")).at(-1)).toMatchObject({ kind: "schedule_held", body });
  it.given.held_by = null;
  expect(await pass(1)).toEqual([]);
  expect(await pass(3)).toEqual(["web-up-20260306T091500Z"]);
});

test("a pause is not made up for, and a removed schedule submits nothing", async () => {
  const it = world();
  await it.add();
  const server = it.start();
  await it.store.commit(pauseSchedule(await it.schedule()));
  it.pass(60 * MINUTE);
  await server.arm();
  const paused = await it.schedule();
  await it.store.commit(resumeSchedule(paused, nextDue(paused, paused.created_at, new Date(BEGIN + 60 * MINUTE))));
  await server.arm();
  expect(await it.schedule()).toMatchObject({ runs: 0, missed: 0, next_due: "2026-03-06T10:05:00.000Z" });
  await it.store.commit(removeSchedule(await it.schedule()));
  it.pass(10 * MINUTE);
  await server.arm();
  expect(it.submitted).toEqual([]);
});

test("a stopped scheduler submits nothing more", async () => {
  const it = world();
  await it.add();
  const server = it.start();
  await server.arm();
  await server.stop();
  it.pass(5 * MINUTE);
  await server.arm();
  expect([it.submitted, server.pending()]).toEqual([[], []]);
});
