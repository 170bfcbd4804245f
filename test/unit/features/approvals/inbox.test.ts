// The inbox where more tasks wait to be taught than are read.
import { expect, test } from "vitest";
import type { OperationDeps } from "../../../../src/api/operations/deps.ts";
import { outcome } from "../../../../src/domain/outcome.ts";
import type { Task } from "../../../../src/domain/task.ts";
import { handleListInbox } from "../../../../src/features/approvals/inbox.ts";
import { memoryStore } from "../../../support/memory-store.ts";
import { RESOLUTION, TEACHING, taskIn } from "../../engine/tasks/a-task.ts";

const at = (nth: number) => new Date(Date.parse("2026-03-06T09:00:00.000Z") + nth).toISOString();
const waiting = (task_id: string, over: Partial<Task>): Task => ({
  ...taskIn("need_input"),
  task_id,
  outcome: outcome("need_input", "sop_unknown", "It waits.", { thread_id: task_id }),
  ...over,
});

test("a step of unknown outcome is first, though 600 younger tasks wait to be taught", async () => {
  const store = memoryStore();
  const young = Array.from({ length: 600 }, (_, nth) =>
    waiting(`t-${nth}`, { waiting: TEACHING, created_at: at(nth + 1) }),
  );
  const old = waiting("cut-off", { waiting: RESOLUTION, created_at: at(0) });
  const changes = [old, ...young].map((task) => ({ on: "task_created", task }) as const);
  await store.commit({ thread_id: "t", after: null, events: [], changes });
  const task_holds = { look: async () => undefined, inForce: () => [] };
  const known = { quarantined: () => [], answers: { notice: () => null } };
  const deps = { store, task_holds, clock: () => new Date(at(1_000)), ...known } as unknown as OperationDeps;
  const caller = { token_id: "supervisor", signal: new AbortController().signal };
  const { items, more } = await handleListInbox(deps)({ limit: 1 }, caller);
  expect([items.map(({ thread_id }) => thread_id), more]).toEqual([["cut-off"], true]);
});
