// What a server holds and recovers when it starts, in which order.
import { describe, expect, test } from "vitest";
import type { NewEvent } from "../../../../src/domain/journal.ts";
import type { Task } from "../../../../src/domain/task.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { openTasks, pausedInTheMiddle, unfinishedInOrder } from "../../../../src/engine/worker/recovery.ts";
import type { Store } from "../../../../src/ports.ts";
import { aContract } from "../../../support/builders.ts";
import { pipelineParts } from "../../../support/pipeline-parts.ts";
import { APPROVAL, RESOLUTION, TEACHING } from "../tasks/a-task.ts";

const started: NewEvent = { kind: "step_started", body: { index: 0, attempt: 1 } };
const looked: NewEvent = { kind: "skill_step_started", body: { index: 0, attempt: 1, name: "look", repeatable: true } };
const acted: NewEvent = { kind: "skill_step_started", body: { index: 0, attempt: 1, name: "act" } };

/** Stored tasks; each is newer than the one before it. */
async function stored(tasks: Record<string, { row: Partial<Task>; over?: object; events?: NewEvent[] }>) {
  const { store, write } = pipelineParts();
  for (const [nth, [task_id, { row, over = {}, events = [] }]] of Object.entries(tasks).entries()) {
    const at = `2026-03-06T09:00:${String(nth % 60).padStart(2, "0")}.000Z`;
    const accepted = accept({ contract: aContract({ task_id, ...over }), backend: "local", at });
    await write(task_id, [...accepted.events, ...events], [{ on: "task_created", task: { ...accepted.task, ...row } }]);
  }
  return store;
}
const refuse = async () => Promise.reject(new Error("no journal is damaged"));
const paused = async (store: Store) => pausedInTheMiddle(store, await openTasks(store, refuse), refuse);
const namesOf = (tasks: readonly Task[]) => tasks.map(({ task_id }) => task_id);

describe("what is paused in the middle", () => {
  const asking = { status: "need_approval", waiting: APPROVAL } as const;
  const skill = { intent: "water_plants" };
  const agent = { delegation_mode: "agent" };

  test("is a task that asks about a step, and none that is to be taught", async () => {
    const store = await stored({
      unknown: { row: { status: "need_input", waiting: RESOLUTION } },
      taught: { row: { status: "need_input", waiting: TEACHING }, events: [started] },
      running: { row: { status: "running", waiting: RESOLUTION } },
      without_question: { row: { status: "need_input", waiting: null } },
    });
    expect(namesOf(await paused(store))).toEqual(["unknown"]);
  });

  test("is a skill or an agent that has begun and asks, and no procedure", async () => {
    const store = await stored({
      procedure: { row: asking, events: [started] },
      skill: { row: asking, over: skill, events: [acted] },
      looking: { row: asking, over: skill, events: [looked] },
      agent: { row: asking, over: agent, events: [started] },
      waiting: { row: asking, over: agent },
    });
    expect(namesOf(await paused(store)).sort()).toEqual(["agent", "skill"]);
  });

  test("is found on every page", async () => {
    const row = { status: "need_input", waiting: RESOLUTION } as const;
    const names = Array.from({ length: 501 }, (_, nth) => `t-${nth}`);
    const store = await stored(Object.fromEntries(names.map((name) => [name, { row }])));
    expect(namesOf(await paused(store)).sort()).toEqual(names.sort());
  });
});

test("unfinished tasks are recovered oldest first, after those that hold their target", async () => {
  const store = await stored({
    old: { row: { status: "accepted" } },
    answered: { row: { status: "running" } },
    begun: { row: { status: "running" }, events: [started] },
    odd: { row: { status: "accepted" }, events: [started] },
    ended: { row: { status: "ok" }, events: [started] },
    acting: { row: { status: "running" }, events: [acted] },
  });
  expect(namesOf(await unfinishedInOrder(store, await openTasks(store, refuse), refuse))).toEqual([
    "begun",
    "acting",
    "old",
    "answered",
    "odd",
  ]);
});
