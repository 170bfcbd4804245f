// A task that a freeze holds is set aside before its claim, or gives its claim back, and begins when the freeze is over.
import { expect, test } from "vitest";
import type { HeldBy } from "../../../../src/domain/hold.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { accept, claim } from "../../../../src/engine/tasks/transitions.ts";
import { createHoldBack, heldBackBy, releaseHeld, unlessHeld } from "../../../../src/engine/worker/hold-back.ts";
import { openFreeze, thawFreeze } from "../../../../src/features/freeze/operations.ts";
import { createFreezeHolds } from "../../../../src/features/freeze/windows.ts";
import type { Commit, CommitResult } from "../../../../src/ports.ts";
import { aFreeze } from "../../../conformance/store-records.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { started } from "./a-server.ts";

const clock = () => new Date(AT);

async function world() {
  const store = memoryStore(clock);
  const task_holds = createFreezeHolds({ store, clock, windows: [] });
  const holdBack = createHoldBack({ store, task_holds, owner: "me" });
  const submit = async (task_id: string, intent = "deploy") => {
    const { task, ...accepted } = accept({ contract: aContract({ task_id, intent }), backend: "local", at: AT });
    await store.commit({ thread_id: task_id, after: null, ...accepted });
    return task;
  };
  const claiming = (task_id: string) =>
    claim({ task_id, owner: "me", recovery: false, lease_expires_at: "2026-03-06T09:00:30.000Z" });
  const state = async (task_id: string) => projection(await store.readJournal(task_id));
  const guarded = async (commit: Commit, onTry: (given: Commit) => Promise<void> = async () => undefined) => {
    const guard = unlessHeld(task_holds, async (given): Promise<CommitResult> => {
      await onTry(given);
      return store.commit(given);
    });
    return guard(await state(commit.thread_id), commit);
  };
  const step = (thread_id: string): Commit => ({ thread_id, after: "last", events: [started] });
  const freeze = (over = {}) => store.commit(openFreeze(aFreeze(over)));
  return { store, task_holds, holdBack, submit, claiming, guarded, step, freeze };
}

const refused = (attempt: Promise<unknown>): Promise<HeldBy | null> => attempt.then(() => null, heldBackBy);

test("a first step is refused by a freeze that this server did not know of, and nothing is written", async () => {
  const it = await world();
  await it.submit("t-1");
  await it.freeze();
  const held_by = { freeze_id: "freeze-00000001", reason: "the disk is replaced", until: null };
  expect(await refused(it.guarded(it.step("t-1")))).toEqual(held_by);
  expect((await it.store.readJournal("t-1")).map(({ kind }) => kind)).toEqual(["task_accepted"]);
  const { events, changes } = it.claiming("t-1");
  expect(await refused(it.guarded({ thread_id: "t-1", after: "last", events, changes }))).toEqual(held_by);
});

test("what has begun goes on, and so does what begins nothing", async () => {
  const it = await world();
  await it.submit("t-1");
  expect(await it.guarded(it.step("t-1"))).toMatchObject({ ok: true });
  await it.freeze();
  await it.task_holds.look();
  expect(await it.guarded(it.step("t-1"))).toMatchObject({ ok: true });
  await it.submit("t-2");
  const asked = { kind: "cancel_requested", body: { reason: null } } as const;
  expect(await it.guarded({ thread_id: "t-2", after: "last", events: [asked] })).toMatchObject({ ok: true });
  const reads = { kind: "skill_step_started", body: { index: 0, attempt: 1, name: "a" } } as const;
  const repeated = { ...reads, body: { ...reads.body, repeatable: true as const } };
  expect(await it.guarded({ thread_id: "t-2", after: "last", events: [repeated] })).toMatchObject({ ok: true });
  expect(await refused(it.guarded({ thread_id: "t-2", after: "last", events: [reads] }))).toMatchObject({
    until: null,
  });
});

test("freezes that are made between every look and every commit do not hold a server up for ever", async () => {
  const it = await world();
  await it.submit("t-1");
  let made = 0;
  const onTry = async () => {
    made += 1;
    await it.freeze({ freeze_id: `freeze-0000${made + 1000}`, intent: "restart", reason: `${made}` });
  };
  await expect(it.guarded(it.step("t-1"), onTry)).rejects.toMatchObject({ code: "busy" });
});

test("a freeze that comes between the claim and the first step takes the claim back", async () => {
  const it = await world();
  const task = await it.submit("t-1");
  await it.store.commit({ thread_id: "t-1", after: "last", ...it.claiming("t-1") });
  const run = async () => {
    await it.freeze();
    return it.guarded(it.step("t-1"));
  };
  expect(await it.holdBack.around(task, run)).toBeNull();
  expect(await it.store.findTask("t-1")).toMatchObject({ status: "running", owner: null, lease_expires_at: null });
  expect((await it.store.readJournal("t-1")).at(-1)).toMatchObject({
    kind: "held_back",
    body: { freeze_id: "freeze-00000001", reason: "the disk is replaced", until: null },
  });
});

test("before its claim a task is held until the thaw, if nothing of it has begun", async () => {
  const it = await world();
  const [held, begun] = [await it.submit("t-1"), await it.submit("t-2")];
  await it.guarded(it.step("t-2"));
  const runs = (task: typeof held) => it.holdBack.around(task, async () => "it ran");
  expect(await runs(held)).toBe("it ran");
  await it.freeze();
  await it.task_holds.look();
  expect([await runs(held), await runs(begun)]).toEqual([null, "it ran"]);
  expect([it.holdBack.keeps(held), it.holdBack.keeps({ ...held, status: "running" })]).toEqual([true, false]);
});

test("after a thaw what was held is claimed, the oldest first, and what is still held is not", async () => {
  const it = await world();
  for (const task_id of ["b", "a"]) await it.submit(task_id);
  await it.submit("c", "restart");
  await it.freeze();
  await it.freeze({ freeze_id: "freeze-00000002", intent: "restart" });
  await it.store.commit(thawFreeze({ freeze_id: "freeze-00000001", thawed_by: "bo", at: AT }));
  await it.task_holds.look();
  const claimed: string[] = [];
  await releaseHeld({ ...it, reclaim: async ({ task_id }) => void claimed.push(task_id) });
  expect(claimed).toEqual(["a", "b"]);
});
