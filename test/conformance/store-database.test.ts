// What can be wrong with a database, at start and later. Real files, real processes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { createStore } from "../../src/store/store.ts";
import { sqliteDatabases, temporaryFolder } from "../support/database.ts";
import { aTask, eventsOf, finished, started } from "./store-records.ts";

const CHILD = join(import.meta.dirname, "store-child.ts");
// Root may write everywhere, so where the tests run as root these servers run as `nobody`.
const STRANGER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const folder = temporaryFolder();
chmodSync(folder.path, 0o755);
const databases = sqliteDatabases();
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});
afterAll(async () => {
  await databases.stop();
  folder.remove();
});

const clock = () => new Date();
const urlOf = (name: string) => `file:${join(folder.path, name)}`;

function subfolder(name: string, mode: number): string {
  const path = join(folder.path, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
}

/** The first line of a server that opens `url`, and the server. `prefix` runs it under a limit. */
async function serve(url: string, options: object = {}, prefix: string[] = []) {
  const [command = "", ...args] = [...prefix, process.execPath, CHILD, url];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  children.add(child);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { line: String(line), child };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const refusal = (message: RegExp) => ({ code: "database_unusable", message: expect.stringMatching(message) });

describe("at start", () => {
  test("a folder that does not exist is named", async () => {
    await expect(openDatabase({ url: "file:/nowhere/at/all.db" })).rejects.toMatchObject(
      refusal(/\/nowhere\/at\/all\.db/),
    );
  });

  test("a folder that may only be read is refused", async () => {
    const { line } = await serve(`file:${join(subfolder("closed", 0o555), "new.db")}`, STRANGER);
    expect(JSON.parse(line)).toEqual(refusal(/cannot be opened or written/));
  });

  test("a plain path is a SQLite file, and what was stored is there when it is opened again", async () => {
    const url = join(folder.path, "again.db");
    const first = await openDatabase({ url });
    await createStore({ database: first, clock }).commit({ thread_id: "t", after: null, events: [started()] });
    await first.close();
    const second = await openDatabase({ url });
    expect(await createStore({ database: second, clock }).readJournal("t")).toHaveLength(1);
    await second.close();
  });
});

const ANOTHER = /another orch server \(pid \d+.*\) is using this database/;

/** PostgreSQL ends the session of a killed process a moment later, when it sees that the connection is closed. */
async function openedWhenFree(url: string) {
  for (const end = Date.now() + 10_000; ; await sleep(20)) {
    const opened = await openDatabase({ url, exclusive: true }).catch((error: unknown) => {
      if (Date.now() > end) throw error;
    });
    if (opened !== undefined) return opened;
  }
}

async function expectOneServerAtATime(url: string): Promise<void> {
  const { line, child } = await serve(url);
  expect(line).toBe("open");
  await expect(openDatabase({ url, exclusive: true })).rejects.toMatchObject(refusal(ANOTHER));
  await expect(openDatabase({ url, exclusive: true })).rejects.toMatchObject(
    refusal(new RegExp(`pid ${child.pid}\\b`)),
  );
  const reader = await openDatabase({ url });
  await reader.close();
  await kill(child);
  const next = await openedWhenFree(url);
  expect(JSON.parse((await serve(url)).line)).toEqual(refusal(new RegExp(`pid ${process.pid}\\b`)));
  await next.close();
  expect((await serve(url)).line).toBe("open");
}

test("a second server is refused while the first lives, and accepted after it was killed", async () => {
  await expectOneServerAtATime(urlOf("shared.db"));
});

describe("a full disk", () => {
  test("fails the write with nothing half done, and the next one goes on when there is room", async () => {
    const database = await databases.create();
    const store = createStore({ database, clock });
    const setPages = (pages: number) => database.client.$queryRawUnsafe(`PRAGMA max_page_count = ${pages}`);
    const [first] = eventsOf(await store.commit({ thread_id: "t", after: null, events: [started()] }));
    await setPages(1);
    const large = { thread_id: "t", after: first ?? null, events: [finished("x".repeat(200_000))] };
    const task = aTask();
    const created = { on: "task_created", task } as const;
    await expect(store.commit(large)).rejects.toMatchObject(refusal(/the disk is full/));
    await expect(store.commit({ ...large, changes: [created] })).rejects.toMatchObject(refusal(/the disk is full/));
    await expect(
      store.commit({ thread_id: "u", after: null, events: [started()], changes: [created, ...padding()] }),
    ).rejects.toMatchObject(refusal(/the disk is full/));
    expect(await store.readJournal("t")).toEqual([first]);
    expect(await store.readJournal("u")).toEqual([]);
    expect(await store.findTask(task.task_id)).toBeNull();
    await setPages(1_000_000);
    expect((await store.commit({ ...large, changes: [created] })).ok).toBe(true);
    expect(await store.findTask(task.task_id)).toEqual(task);
  });

  const padding = () => Array.from({ length: 300 }, () => ({ on: "task_created", task: aTask() }) as const);
});

describe("SQLite's one connection", () => {
  test("keeps a write that races an open transaction out of it, so that it is not rolled back with it", async () => {
    const database = await databases.create();
    const store = createStore({ database, clock });
    let append: Promise<unknown> = Promise.resolve();
    const rolledBack = database.client.$transaction(async (session) => {
      await session.task.create({ data: { ...rowOfTask(), task_id: "inside" } });
      append = store.commit({ thread_id: "outside", after: null, events: [started()] });
      await sleep(20);
      throw new Error("roll back");
    });
    await expect(rolledBack).rejects.toThrow("roll back");
    await append;
    expect(await store.readJournal("outside")).toHaveLength(1);
    expect(await store.findTask("inside")).toBeNull();
  });

  test("does not let a reader see what a transaction has not committed", async () => {
    const database = await databases.create();
    const store = createStore({ database, clock });
    let seen: Promise<unknown> = Promise.resolve();
    const rolledBack = database.client.$transaction(async (session) => {
      await session.task.create({ data: { ...rowOfTask(), task_id: "ghost" } });
      seen = store.findTask("ghost");
      await sleep(20);
      throw new Error("roll back");
    });
    await expect(rolledBack).rejects.toThrow("roll back");
    expect(await seen).toBeNull();
  });

  const rowOfTask = () => {
    const {
      contract,
      outcome: _outcome,
      waiting: _waiting,
      verification: _verification,
      runs_on: _on,
      ...plain
    } = aTask();
    return { ...plain, contract: JSON.stringify(contract) };
  };
});
