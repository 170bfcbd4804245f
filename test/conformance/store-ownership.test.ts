// One server owns a database. One that was replaced writes nothing more, also where its lock was lost.
import { chmodSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { postgresqlProxy } from "../support/postgresql-proxy.ts";
import { aTask, aThread, eventsOf, started } from "./store-records.ts";

const clock = () => new Date();
const folder = temporaryFolder();
const server = postgres();
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

/** A directory of its own for each database: the path of its file, and the URL. */
function aFile() {
  const path = join(mkdtempSync(join(folder.path, "d-")), "orch.db");
  return { path, url: `file:${path}` };
}

const commitTo = (database: Database) => {
  const thread_id = aThread();
  return createStore({ database, clock }).commit({ thread_id, after: null, events: [started()] });
};

/** The first server was replaced by the second. */
async function expectReplaced(first: Database, heard: readonly string[], second: Database): Promise<void> {
  const fenced = { code: "fenced", message: expect.stringContaining("another orch server has taken over") };
  await expect(commitTo(first)).rejects.toMatchObject(fenced);
  await expect(first.heartbeat()).rejects.toMatchObject(fenced);
  const task = aTask();
  const created = { thread_id: "t", after: null, events: [], changes: [{ on: "task_created", task } as const] };
  await expect(createStore({ database: first, clock }).commit(created)).rejects.toMatchObject(fenced);
  expect(heard).toHaveLength(1);
  eventsOf(await commitTo(second));
  await second.heartbeat();
  expect(await createStore({ database: second, clock }).findTask(task.task_id)).toBeNull();
}

describe("a SQLite file whose lock was deleted", () => {
  test("lets a second server in, and then the first one writes nothing more", async () => {
    const { path, url } = aFile();
    const heard: string[] = [];
    const first = await openDatabase({ url, exclusive: true, onFenced: (reason) => heard.push(reason) });
    rmSync(`${path}-lock`);
    const second = await openDatabase({ url, exclusive: true });
    expect(second.predecessor).toBe("may_live");
    await expectReplaced(first, heard, second);
    await first.close();
    await second.close();
  });

  test("is locked again with the next heartbeat", async () => {
    const { path, url } = aFile();
    const first = await openDatabase({ url, exclusive: true });
    rmSync(`${path}-lock`);
    await first.heartbeat();
    await expect(openDatabase({ url, exclusive: true })).rejects.toMatchObject({
      message: expect.stringContaining("is using this database"),
    });
    await first.close();
  });
});

describe("a server", () => {
  test("knows that the one before it has stopped, or was killed", async () => {
    const { url } = aFile();
    const first = await openDatabase({ url, exclusive: true });
    expect(first.predecessor).toBe("none");
    await first.close();
    const second = await openDatabase({ url, exclusive: true });
    expect(second.predecessor).toBe("ended");
    await second.close();
  });

  test("that holds the very lock of the one before it knows that it has ended, without its word", async () => {
    const { url } = aFile();
    const first = await openDatabase({ url, exclusive: true });
    await first.close();
    const tool = await openDatabase({ url });
    await tool.client.server.updateMany({ data: { stopped_at: null } });
    await tool.close();
    const second = await openDatabase({ url, exclusive: true });
    expect(second.predecessor).toBe("ended");
    await second.close();
  });

  test("says with its heartbeat that its file was deleted or replaced", async () => {
    const { path, url } = aFile();
    const database = await openDatabase({ url, exclusive: true });
    await database.heartbeat();
    renameSync(path, `${path}.gone`);
    const refusal = { code: "database_unusable", message: expect.stringContaining("was deleted or replaced") };
    await expect(database.heartbeat()).rejects.toMatchObject(refusal);
    writeFileSync(path, "");
    await expect(database.heartbeat()).rejects.toMatchObject(refusal);
    await database.close();
  });

  test("keeps its files to its own account under any umask and in any directory", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "orch-open-")), "orch.db");
    chmodSync(join(path, ".."), 0o755);
    writeFileSync(path, "", { mode: 0o644 });
    const before = process.umask(0);
    const database = await openDatabase({ url: `file:${path}`, exclusive: true });
    process.umask(before);
    eventsOf(await commitTo(database));
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    await database.close();
    rmSync(join(path, ".."), { recursive: true });
  });
});

test("an event is chained only to one that is there", async () => {
  const { url } = aFile();
  const database = await openDatabase({ url, exclusive: true });
  const store = createStore({ database, clock });
  const thread_id = aThread();
  const events = eventsOf(await store.commit({ thread_id, after: null, events: [started(), started(1), started(2)] }));
  await database.client.journalEvent.deleteMany({ where: { thread_id, seq: { gt: 1 } } });
  const lost = { ok: false, conflict: "lost_tail" };
  const after = events.at(-1) ?? null;
  expect(await store.commit({ thread_id, after, events: [started(3)] })).toEqual(lost);
  const task = aTask();
  const changes = [{ on: "task_created", task }] as const;
  expect(await store.commit({ thread_id, after, events: [started(3)], changes })).toEqual(lost);
  expect(await store.findTask(task.task_id)).toBeNull();
  expect(await store.readJournal(thread_id)).toEqual(events.slice(0, 1));
  await database.close();
});

describe.skipIf(server === null)("on PostgreSQL", () => {
  test("a server whose connections fell silent is replaced, and writes nothing more when it is heard again", async () => {
    const direct = (await server?.createDatabase()) ?? "";
    const proxy = await postgresqlProxy(direct);
    const heard: string[] = [];
    const first = await openDatabase({ url: proxy.url, exclusive: true, onFenced: (reason) => heard.push(reason) });
    proxy.silence();
    // What the keepalive of the server does after a minute.
    const tool = await openDatabase({ url: direct });
    await tool.client.$queryRawUnsafe(
      "SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE application_name LIKE 'orch pid%'",
    );
    const second = await openDatabase({ url: direct, exclusive: true });
    expect(second.predecessor).toBe("may_live");
    await expectReplaced(first, heard, second);
    for (const database of [tool, first, second]) await database.close();
    await proxy.stop();
  }, 120_000);
});
