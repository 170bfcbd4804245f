// Whether the next task of a target on this server waits for a moment, so that another server may claim an older one (D-402).
import { expect, test } from "vitest";
import type { TaskColumns } from "../../../src/domain/task.ts";
import { createGiveWay } from "../../../src/worker/task-queue.ts";
import { settled } from "../../support/manual-timer.ts";

const row = (task_id: string, over: Partial<TaskColumns> = {}) =>
  ({ task_id, intent: "restart", target_signature: "service=web", owner: null, ...over }) as TaskColumns;

type Deps = Parameters<typeof createGiveWay>[0];

/** How long tasks give way. `later`: what is in the database after the moment. */
function giving(rows: readonly TaskColumns[], over: Partial<Deps> = {}, later = rows) {
  const waits: number[] = [];
  const forget: (() => void)[] = [];
  let looks = 0;
  const giveWay = createGiveWay({
    store: { listTaskColumns: async () => [...(looks++ % 2 === 0 ? rows : later)] },
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
  return { waits, forget, call: (task: TaskColumns) => giveWay(task).then(settled) };
}
const own = row("own");

test("an older task of another server is given way to each time that something comes of it", async () => {
  const { waits, forget, call } = giving([row("here"), row("older"), own], {}, [row("older", { owner: "b" }), own]);
  await call(own);
  await call(own);
  expect([waits, forget]).toEqual([[500, 500], []]);
});

test("where no server has claimed a task of the target meanwhile, none is given way to for a while", async () => {
  const { waits, forget, call } = giving([row("older"), own, row("younger")]);
  await call(own);
  await call(own);
  expect(waits).toEqual([500]);
  for (const act of forget.splice(0)) act();
  await call(own);
  expect(waits).toEqual([500, 500]);
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
  const { waits, call } = giving(rows, over);
  await call(own);
  expect(waits).toEqual([]);
});
