// One server owns a database. One that was replaced writes nothing more, also where its lock was lost.
import { chmodSync, linkSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { watchFile } from "../../src/store/sqlite-file.ts";
import { createStore } from "../../src/store/store.ts";
import { runSql, temporaryFolder } from "../support/database.ts";
import { aTask, aThread, eventsOf, started } from "./store-records.ts";
import { commitTo, createIn, expectReplaced, FENCED } from "./store-replaced.ts";

const clock = () => new Date();
const folder = temporaryFolder();
afterAll(folder.remove);

/** A directory of its own for each database: the path of its file, and the URL. */
function aFile() {
  const path = join(mkdtempSync(join(folder.path, "d-")), "orch.db");
  return { path, url: `file:${path}` };
}

/** What is known of the server before, which was a process like this one. */
const theOneBefore = ({ servers }: Database) =>
  servers.stateOf({ owner: `${servers.owner} before`, lease_expires_at: "9999-01-01T00:00:00.000Z" });
const NONE = { lives: false, may_have_crashed: false, is_over: false };
const STOPPED = { ...NONE, is_over: true };
const ENDED = { ...STOPPED, may_have_crashed: true };
const MAY_LIVE = { lives: true, may_have_crashed: true, is_over: false };

describe("a SQLite file whose lock was deleted", () => {
  test.each([
    ["a commit", commitTo],
    ["a commit without events", createIn],
    ["its heartbeat", (database: Database) => database.heartbeat()],
  ])("lets a second server in; the first one hears of it with %s, and writes nothing more", async (_what, act) => {
    const { path, url } = aFile();
    const heard: string[] = [];
    const first = await openDatabase({ url, exclusive: true, onFenced: (reason) => heard.push(reason) });
    rmSync(`${path}-lock`);
    const second = await openDatabase({ url, exclusive: true });
    expect(theOneBefore(second)).toEqual(MAY_LIVE);
    await expect(act(first)).rejects.toMatchObject(FENCED);
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
    expect(theOneBefore(first)).toEqual(NONE);
    await first.close();
    const second = await openDatabase({ url, exclusive: true });
    expect(theOneBefore(second)).toEqual(STOPPED);
    await second.close();
  });

  test("that holds the very lock of the one before it knows that it has ended, without its word", async () => {
    const { url } = aFile();
    const first = await openDatabase({ url, exclusive: true });
    await first.close();
    const tool = await openDatabase({ url });
    await tool.client.server.updateMany({ data: { stopped_at: null, row_sum: "" } });
    await tool.close();
    const second = await openDatabase({ url, exclusive: true });
    expect(theOneBefore(second)).toEqual(ENDED);
    await second.close();
  });

  test.each(["epoch = 7", "epoch = 'x'", "epoch = 2147483647", "stopped_at = 'x'", "holder = '{}'", "row_sum = 'x'"])(
    "whose row was altered (%s) does not keep the next one from starting, which counts on a server that may live",
    async (altered) => {
      const { url } = aFile();
      const first = await openDatabase({ url, exclusive: true });
      await first.close();
      const tool = await openDatabase({ url });
      await runSql(tool, `UPDATE server SET ${altered}`);
      await tool.close();
      const second = await openDatabase({ url, exclusive: true });
      expect(theOneBefore(second)).toEqual(MAY_LIVE);
      expect(await commitTo(second)).toMatchObject({ ok: true });
      await second.close();
    },
  );

  test("commits nothing into a file that was deleted or replaced, says so with its heartbeat, and goes on once it is back", async () => {
    const { path, url } = aFile();
    const database = await openDatabase({ url, exclusive: true });
    await database.heartbeat();
    renameSync(path, `${path}.gone`);
    const refusal = { code: "database_unusable", message: expect.stringContaining("was deleted or replaced") };
    await expect(database.heartbeat()).rejects.toMatchObject(refusal);
    await expect(commitTo(database)).rejects.toMatchObject(refusal);
    writeFileSync(path, "");
    await expect(database.heartbeat()).rejects.toMatchObject(refusal);
    await expect(commitTo(database)).rejects.toMatchObject(refusal);
    renameSync(`${path}.gone`, path);
    await database.heartbeat();
    eventsOf(await commitTo(database));
    await database.close();
  });

  test("is refused a file with a second name, under which another server would not be seen", async () => {
    const { path, url } = aFile();
    await (await openDatabase({ url })).close();
    linkSync(path, `${path}.other`);
    const refusal = { code: "database_unusable", message: expect.stringContaining("a second name") };
    await expect(openDatabase({ url, exclusive: true })).rejects.toMatchObject(refusal);
    rmSync(`${path}.other`);
    await (await openDatabase({ url, exclusive: true })).close();
  });

  test("says when the disk of its file is nearly full, before a commit fails", async () => {
    const { path } = aFile();
    writeFileSync(path, "");
    const mebibyte = 1024 * 1024;
    let free = 17 * mebibyte;
    const look = watchFile(path, async () => free).ensureRoom;
    await look();
    free = 15 * mebibyte;
    const message = "the disk of the database has 15360 kB left";
    await expect(look()).rejects.toMatchObject({ code: "database_unusable", message, fix: "free some space" });
    await watchFile(path).ensureRoom();
  });

  test("keeps its files to its own account under any umask and in any directory", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "orch-open-")), "orch.db");
    chmodSync(join(path, ".."), 0o755);
    const files = [path, `${path}-wal`, `${path}-shm`];
    // As a program leaves them that has the file open.
    const other = await openDatabase({ url: `file:${path}` });
    for (const file of files) chmodSync(file, 0o644);
    const before = process.umask(0);
    const database = await openDatabase({ url: `file:${path}`, exclusive: true });
    process.umask(before);
    eventsOf(await commitTo(database));
    for (const file of [...files, `${path}-lock`, `${path}.pid`])
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    await other.close();
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
