// A task that orch cannot continue: it ends, unless its journal cannot be read.
import { afterAll, beforeAll, expect, test } from "vitest";
import { accept, claim } from "../../../../src/engine/tasks/transitions.ts";
import { giveUp } from "../../../../src/engine/worker/give-up.ts";
import type { Store } from "../../../../src/ports.ts";
import type { Database } from "../../../../src/store/database.ts";
import { createStore } from "../../../../src/store/store.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { type Databases, runSql, sqliteDatabases } from "../../../support/database.ts";

const clock = () => new Date();
let databases: Databases;
let database: Database;
let store: Store;

beforeAll(async () => {
  databases = sqliteDatabases();
  database = await databases.create();
  store = createStore({ database, clock });
});
afterAll(() => databases.stop());

async function runningTask(task_id: string): Promise<void> {
  const { events, changes } = accept({ contract: aContract({ task_id }), backend: "local", at: AT });
  await store.commit({ thread_id: task_id, after: null, events, changes });
  const claimed = claim({ task_id, owner: "server-1", lease_expires_at: AT, recovery: false });
  await store.commit({ thread_id: task_id, after: "last", ...claimed });
}

test("a task that orch cannot continue is reported failed, with what stopped it", async () => {
  await runningTask("stopped");
  expect(await giveUp({ store, clock }, "stopped", "the disk is full")).toEqual({ is: "failed" });
  expect(await store.findTask("stopped")).toMatchObject({
    status: "failed",
    owner: null,
    lease_expires_at: null,
    outcome: { reason_code: "internal_error", message: "orch could not carry the task on: the disk is full." },
  });
});

test("a task whose journal has a damaged row does not end: it may be in the middle of a step", async () => {
  await runningTask("damaged");
  await runSql(database, "UPDATE journal_event SET body = '{' WHERE thread_id = 'damaged' AND seq = 1");
  const error = expect.objectContaining({ code: "quarantined" });
  expect(await giveUp({ store, clock }, "damaged", "it failed")).toEqual({ is: "quarantined", error });
  expect(await store.findTask("damaged")).toMatchObject({ status: "running" });
});
