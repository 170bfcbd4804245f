// The message that a task waits for a server, and that there is none with its labels.
import { expect, test } from "vitest";
import type { Server } from "../../../../src/domain/server.ts";
import { accept } from "../../../../src/engine/tasks/transitions.ts";
import { createNoServerLook } from "../../../../src/engine/worker/reconcile.ts";
import { AT, aContract } from "../../../support/builders.ts";
import { memoryStore } from "../../../support/memory-store.ts";

const MINUTE = 60_000;
const HERE: Server = { server_id: "a", name: "a", labels: ["docker", "host:a"], draining: false, journal_level: 53 };

async function watched({
  runs_on = ["docker", "zfs"] as string[] | null,
  backend = "local" as "local" | "flowengine",
} = {}) {
  let now = Date.parse(AT);
  let servers: Server[] = [HERE];
  const logged: object[] = [];
  const memory = memoryStore(() => new Date(now));
  const store = { ...memory, listServers: async () => servers };
  const { task, ...accepted } = accept({ contract: aContract(), backend, runs_on, at: AT });
  await store.commit({ thread_id: task.task_id, after: null, ...accepted });
  const look = createNoServerLook({
    store,
    clock: () => new Date(now),
    log: { error: (details: object) => void logged.push(details) },
  });
  const said = async () => (await store.readMessages(0, 10)).map(({ event }) => event);
  return {
    store,
    task,
    said,
    logged,
    after: async (minutes: number) => {
      now += minutes * MINUTE;
      await look();
    },
    haveServers: (given: Server[]) => {
      servers = given;
    },
  };
}

test("it is sent once, when there was none for ten minutes, and names what is missing", async () => {
  const it = await watched();
  await it.after(0);
  await it.after(9.9);
  expect(await it.said()).toEqual([]);
  await it.after(0.1);
  await it.after(1);
  await it.after(30);
  const [message, ...more] = await it.said();
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    kind: "no_server",
    body: {
      runs_on: ["docker", "zfs"],
      missing: ["zfs"],
      message: expect.stringMatching(/with the label zfs, .* ten minutes/),
    },
  });
  expect(it.logged).toEqual([]);
});

test("the ten minutes begin anew where a server was there in between", async () => {
  const it = await watched();
  await it.after(0);
  it.haveServers([HERE, { ...HERE, server_id: "b", labels: ["docker", "zfs"] }]);
  await it.after(9);
  it.haveServers([HERE]);
  await it.after(1);
  await it.after(9);
  expect(await it.said()).toEqual([]);
  await it.after(1);
  expect(await it.said()).toHaveLength(1);
});

test.each([
  ["a task that runs anywhere", { runs_on: null }],
  ["a task whose labels a server has", { runs_on: ["docker"] }],
])("it is not sent for %s", async (_what, over) => {
  const it = await watched(over);
  for (const minutes of [0, 11, 11]) await it.after(minutes);
  expect(await it.said()).toEqual([]);
});

test("it is sent for a job where no server has a flow engine, and says nothing of the labels of its workers", async () => {
  const it = await watched({ backend: "flowengine" });
  for (const minutes of [0, 11]) await it.after(minutes);
  expect(await it.said()).toMatchObject([{ body: { runs_on: ["flowengine"], missing: ["flowengine"] } }]);
});
