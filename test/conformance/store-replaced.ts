// A server that was replaced, and writes nothing more.
import { expect } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { aTask, aThread, eventsOf, started } from "./store-records.ts";

const clock = () => new Date();

export const commitTo = (database: Database) => {
  const thread_id = aThread();
  return createStore({ database, clock }).commit({ thread_id, after: null, events: [started()] });
};

/** A commit that has no event. */
export const createIn = (database: Database) => {
  const changes = [{ on: "task_created", task: aTask() }] as const;
  return createStore({ database, clock }).commit({ thread_id: "t", after: null, events: [], changes });
};

export const FENCED = { code: "fenced", message: expect.stringContaining("another orch server has taken over") };

/** The first server was replaced by the second. */
export async function expectReplaced(first: Database, heard: readonly string[], second: Database): Promise<void> {
  for (const act of [commitTo, createIn]) await expect(act(first)).rejects.toMatchObject(FENCED);
  await expect(first.heartbeat()).rejects.toMatchObject(FENCED);
  expect(heard).toHaveLength(1);
  eventsOf(await commitTo(second));
  await second.heartbeat();
  expect(await createStore({ database: second, clock }).listTasks({ limit: 1 })).toEqual([]);
}
