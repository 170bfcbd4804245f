// A SQLite file gets shorter after rows were deleted, a few pages at a time.
import { copyFileSync, mkdtempSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { composeArchive } from "../../../src/features/keeping/keeping.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { createShrink } from "../../../src/store/shrink.ts";
import { createStore } from "../../../src/store/store.ts";
import { started } from "../../conformance/store-records.ts";
import { runSql, sqlRows, temporaryFolder, writeMigrated } from "../../support/database.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const FIXTURE = join(import.meta.dirname, "../../fixtures/data-directory-0.1.0/orch.sqlite3");
const newPath = () => join(mkdtempSync(join(folder.path, "data-")), "orch.db");
const clock = () => new Date();

/** Adds rows of about that many bytes, and deletes them again where they are to be free pages. */
function fill(path: string, bytes: number, deletes: boolean): void {
  const database = new DatabaseSync(path);
  const insert = database.prepare(
    "INSERT INTO checkpoint_blob (thread_id, ns, channel, version, type, data) VALUES (?, '', '', '', '', ?)",
  );
  database.exec("BEGIN");
  const row = new Uint8Array(Math.min(bytes, 2 ** 21)).fill(1);
  for (let nth = 0; nth * row.length < bytes; nth++) insert.run(`thread ${nth}`, row);
  database.exec(deletes ? "COMMIT; DELETE FROM checkpoint_blob" : "COMMIT");
  database.close();
}

function askFile(path: string, pragma: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true });
  const [row] = database.prepare(`PRAGMA ${pragma}`).all();
  database.close();
  return row?.[pragma.replace(/\(.*/, "")];
}

async function withFreePages() {
  const path = newPath();
  await writeMigrated(path);
  fill(path, 8 * 2 ** 20, true);
  const database = await openDatabase({ url: `file:${path}`, exclusive: true });
  return { path, database, shrink: createShrink(database), store: createStore({ database, clock }) };
}

describe("a file with free pages", () => {
  test("gets shorter while commits go on in between, and keeps some pages for the next tasks", async () => {
    const { path, database, shrink, store } = await withFreePages();
    const before = statSync(path).size;
    let isDone = false;
    const shrinking = shrink().finally(() => {
      isDone = true;
    });
    let between = 0;
    while (!isDone) {
      expect((await store.commit({ thread_id: `t${between}`, after: null, events: [started()] })).ok).toBe(true);
      if (!isDone) between++;
    }
    expect(await shrinking).toBeGreaterThan(6 * 2 ** 20);
    // There are some 30 slices, and a commit finds its turn after each.
    expect(between).toBeGreaterThan(15);
    await database.close();
    expect(before - statSync(path).size).toBeGreaterThan(5 * 2 ** 20);
    expect(askFile(path, "quick_check")).toBe("ok");
    expect(askFile(path, "freelist_count")).toBeGreaterThan(200);
  });

  test("stays as it is at a stop, and the next run of the archive goes on", async () => {
    const { database, shrink, store } = await withFreePages();
    const stop = new AbortController();
    const first = shrink(stop.signal);
    setTimeout(() => stop.abort(), 30);
    const given = await first;
    expect(given).toBeLessThan(6 * 2 ** 20);
    const logged: object[] = [];
    const log = { info: (details: object) => logged.push(details), warn: () => undefined, error: () => undefined };
    const run = Promise.withResolvers<void>();
    const every = (_name: string, _ms: number, act: (signal: AbortSignal) => Promise<void>) => {
      act(new AbortController().signal).then(run.resolve, run.reject);
      return { wake: async () => undefined };
    };
    const archive_dir = mkdtempSync(join(folder.path, "archive-"));
    composeArchive({ archive_dir, keep_days: 1 }, { store, clock, log, shrink, wakeups: { every } }).shareArchive();
    await run.promise;
    const [{ bytes } = { bytes: 0 }] = logged as { bytes: number }[];
    expect(given + bytes).toBeGreaterThan(6 * 2 ** 20);
    expect(await shrink(), "nothing is left to give").toBe(0);
    await database.close();
  });
});

/** An index under the name of its table: SQLite uses it, and cannot make it a second time. */
function addTwins(path: string): void {
  const database = new DatabaseSync(path);
  database.enableDefensive(false);
  database.exec(`CREATE TABLE twins (x); CREATE INDEX twins_x ON twins (x); PRAGMA writable_schema = ON;
    UPDATE sqlite_schema SET name = 'twins', sql = 'CREATE INDEX twins ON twins (x)' WHERE name = 'twins_x'`);
  database.close();
}

describe("a file of a version that did not make it so", () => {
  const start = async (path: string, exclusive = true) => {
    const database = await openDatabase({ url: `file:${path}`, exclusive });
    const tasks = await database.client.task.count();
    await database.close();
    return tasks;
  };

  test("is rewritten once, by a start and not by a tool", async () => {
    const path = newPath();
    copyFileSync(FIXTURE, path);
    expect(askFile(path, "auto_vacuum")).toBe(0);
    const tasks = await start(path, false);
    expect(askFile(path, "auto_vacuum")).toBe(0);
    expect(await start(path)).toBe(tasks);
    expect(askFile(path, "auto_vacuum")).toBe(2);
    expect(askFile(path, "quick_check")).toBe("ok");
  });

  test("that cannot be rewritten stays as it is, and the server starts and says so", async () => {
    const path = newPath();
    copyFileSync(FIXTURE, path);
    await start(path, false);
    addTwins(path);
    const said: unknown[] = [];
    const warn = (...line: unknown[]) => void said.push(line);
    const database = await openDatabase({ url: `file:${path}`, exclusive: true, warn });
    const temp_store = await sqlRows(database, "SELECT temp_store FROM pragma_temp_store()");
    expect(temp_store).toEqual([{ temp_store: 0n }]);
    expect(
      (await createStore({ database, clock }).commit({ thread_id: "t", after: null, events: [started()] })).ok,
    ).toBe(true);
    await database.close();
    expect(said).toEqual([[{ why: expect.stringContaining("twins") }, expect.stringContaining("was not rewritten")]]);
    expect(askFile(path, "auto_vacuum")).toBe(0);
  });

  test("stays as it is where it is large, and is never given back", async () => {
    const path = newPath();
    copyFileSync(FIXTURE, path);
    await start(path, false);
    fill(path, 66 * 2 ** 20, false);
    const database = await openDatabase({ url: `file:${path}`, exclusive: true });
    await runSql(database, "DELETE FROM checkpoint_blob");
    expect(await createShrink(database)()).toBe(0);
    await database.close();
    expect(askFile(path, "auto_vacuum")).toBe(0);
  });
});
