// Whether the next task of a target on this server waits for a moment, so that another server may claim an older one (D-402).
import { expect, test } from "vitest";
import type { TaskColumns } from "../../../../src/domain/task.ts";
import { createGiveWay } from "../../../../src/engine/worker/task-queue.ts";
import { settled } from "../../../support/manual-timer.ts";

const row = (task_id: string, over: Partial<TaskColumns> = {}) =>
  ({ task_id, intent: "restart", target_signature: "service=web", owner: null, ...over }) as TaskColumns;

type Deps = Parameters<typeof createGiveWay>[0];

/** How often tasks look before they go on. `later`: what is in the database from the given look on. */
function giving(rows: readonly TaskColumns[], over: Partial<Deps> = {}, later = rows, from = 1) {
  const waits: number[] = [];
  const forget: (() => void)[] = [];
  let looks = 0;
  const giveWay = createGiveWay({
    store: { listTaskColumns: async () => [...(looks++ < from ? rows : later)] },
    servers: { are_many: true },
    holdBack: { keeps: () => false },
    timer: (act, ms) => {
      if (ms > 1_000) forget.push(act);
      else {
        waits.push(ms);
        act();
      }
      return () => undefined;
    },
    isHere: (task_id) => task_id === "here",
    ...over,
  });
  const call = async (task: TaskColumns) => {
    looks = 0;
    waits.length = 0;
    await giveWay(task);
    await settled();
    return waits;
  };
  return { forget, call };
}
const own = row("own");

test.each<[string, readonly TaskColumns[]]>([
  ["is claimed", [row("older", { owner: "b" }), own]],
  ["has ended", [own]],
  ["is held by this server", [row("here"), own]],
])("an older task of another server is given way to until it %s, however late", async (_what, later) => {
  const { forget, call } = giving([row("here"), row("older"), own], {}, later, 40);
  expect(await call(own)).toEqual(Array(40).fill(100));
  expect(await call(own)).toEqual(Array(40).fill(100));
  expect(forget).toEqual([]);
});

test("where no server has claimed a task of the target meanwhile, none is given way to for a while", async () => {
  const { forget, call } = giving([row("older"), own, row("younger")]);
  expect(await call(own)).toHaveLength(60);
  expect(await call(own)).toEqual([]);
  for (const act of forget.splice(0)) act();
  expect(await call(own)).toHaveLength(60);
});

test.each<[string, readonly TaskColumns[], object]>([
  ["a younger one", [own, row("younger")], {}],
  ["one that waits here too", [row("here"), own], {}],
  ["one that another server runs", [row("runs", { owner: "b" }), own], {}],
  ["one that only looks, and shares its target", [row("looks", { intent: "triage" }), own], {}],
  ["one that a freeze holds", [row("frozen"), own], { holdBack: { keeps: () => true } }],
  ["any, by a task that had been claimed before", [row("older"), { ...own, owner: "lost" }], {}],
  ["any, by the only server", [row("older"), own], { servers: { are_many: false } }],
  [
    "any, while the database does not work",
    [],
    { store: { listTaskColumns: () => Promise.reject(new Error("gone")) } },
  ],
])("no way is given to %s", async (_what, rows, over) => {
  const { call } = giving(rows, over);
  expect(await call(own)).toEqual([]);
});
