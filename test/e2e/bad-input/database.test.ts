// Unusable databases: the server refuses to start with one sentence, changes nothing in them, and has all its data once
// the cause is removed.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { type Start, temporaryDirectory } from "../../support/orch-process.ts";
import { databaseIn, expectSound, fileServers } from "./sound-server.ts";

const { startServer, refusal } = fileServers();

const CONSTRAIN = join(import.meta.dirname, "constrain.ts");
const NOBODY = 65_534;
const asStranger = process.getuid?.() === 0 ? { CONSTRAIN_UID: String(NOBODY) } : {};
const TASKS = 40;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
/** The data directory of a server with tasks. Tests copy it and damage the copy. */
let original: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  chmodSync(directory.path, 0o755);
  original = place("original");
  const { post, kill } = await startServer({ data_dir: original });
  for (let n = 0; n < TASKS; n++)
    await post("/v1/tasks", contractBody({ task_id: `t-${n}`, target: { service: `s${n}` } }));
  expect(await kill("SIGTERM")).toBe(0);
});
afterAll(() => directory[Symbol.asyncDispose]());

function place(name: string): string {
  const data_dir = join(directory.path, name);
  mkdirSync(join(data_dir, "state"), { recursive: true });
  return data_dir;
}

function copy(name: string): string {
  cpSync(original, join(directory.path, name), { recursive: true });
  return join(directory.path, name);
}

/** The server prints one sentence with the reason, and does not change the file. */
async function expectRefusal(start: Start, reason: RegExp, path = databaseIn(start.data_dir)): Promise<void> {
  const before = statSync(path).isFile() ? readFileSync(path) : null;
  const said = await refusal(start);
  expect(said).toMatch(/^orch ended with 1 before it listened:\n(?:\{.*\}\n)*orch cannot start: [^\n]+\n$/);
  expect(said).toMatch(reason);
  if (before !== null) expect(readFileSync(path).equals(before)).toBe(true);
}

async function expectEverything(data_dir: string): Promise<void> {
  const orch = await startServer({ data_dir });
  expect((await orch.get("/v1/tasks?limit=500&status=need_input")).body.tasks).toHaveLength(TASKS);
  await expectSound(orch, data_dir);
  expect(await orch.kill("SIGTERM")).toBe(0);
}

/** Writes to the database without orch, which would refuse some of these statements. */
function execute(data_dir: string, sql: string): void {
  const database = new DatabaseSync(databaseIn(data_dir));
  database.exec(sql);
  database.close();
}

describe.concurrent("a database file", () => {
  test("that is a directory is refused", async () => {
    const data_dir = place("directory");
    mkdirSync(databaseIn(data_dir));
    await expectRefusal({ data_dir }, /orch\.db: the file or its folder cannot be opened/);
  });

  test("that is no database is refused", async () => {
    const data_dir = place("text");
    writeFileSync(databaseIn(data_dir), "These are notes with an unlucky name. ".repeat(20));
    await expectRefusal({ data_dir }, /the file is not a database/);
  });

  test("that is read-only is refused, and used again once it is writable", async () => {
    const data_dir = copy("read-only");
    chmodSync(join(data_dir, "state"), 0o777);
    chmodSync(`${databaseIn(data_dir)}-lock`, 0o666);
    chmodSync(databaseIn(data_dir), 0o444);
    const reason = /the file or its folder cannot be written/;
    await expectRefusal({ data_dir, preload: CONSTRAIN, env: asStranger }, reason);
    chmodSync(databaseIn(data_dir), 0o644);
    await expectEverything(data_dir);
  });

  test("that a newer version has migrated is refused where that took something away, and used where it has only added", async () => {
    const data_dir = copy("newer");
    execute(data_dir, "UPDATE compatibility SET min_level = 9999, min_version = '9.0.0'");
    const columns = "id, checksum, finished_at, migration_name, started_at, applied_steps_count";
    execute(data_dir, `INSERT INTO _prisma_migrations (${columns}) VALUES ('x', 'y', 1, '99990101_future', 1, 1)`);
    await expectRefusal(
      { data_dir },
      /newer version of orch \(99990101_future\): it needs level 9999.*version 9\.0\.0/,
    );
    execute(data_dir, "UPDATE compatibility SET min_level = 0");
    await expectEverything(data_dir);
  });

  test.each([0.3, 0.7])("that was overwritten at %f of its length is refused", async (part) => {
    const data_dir = copy(`overwritten-${part}`);
    const path = databaseIn(data_dir);
    const bytes = readFileSync(path);
    const page = Math.floor((bytes.length * part) / 4096);
    writeFileSync(path, bytes.fill(0xab, page * 4096, (page + 2) * 4096));
    await expectRefusal({ data_dir }, /the file is damaged; restore a backup/);
  });

  test("that lost its end is refused", async () => {
    const data_dir = copy("short");
    const { size } = statSync(databaseIn(data_dir));
    truncateSync(databaseIn(data_dir), Math.floor(size / 8192) * 4096);
    await expectRefusal({ data_dir }, /the file is damaged; restore a backup/);
  });

  test("with an unreadable task is served, and the list names the task", async () => {
    const data_dir = copy("task");
    execute(data_dir, `UPDATE task SET contract = '{"task_id": 7' WHERE task_id = 't-5'`);
    const orch = await startServer({ data_dir });
    const { tasks, quarantined } = (await orch.get("/v1/tasks?limit=500&status=need_input")).body;
    expect(tasks).toHaveLength(TASKS - 1);
    expect(quarantined).toMatchObject([{ record: "task", id: "t-5" }]);
    expect(await orch.kill("SIGTERM")).toBe(0);
  });

  test("with an unreadable event is served; only the evidence of that task fails", async () => {
    const data_dir = copy("event");
    execute(data_dir, "UPDATE journal_event SET body = '' WHERE thread_id = 't-6' AND seq = 2");
    const orch = await startServer({ data_dir });
    const answer = await orch.get("/v1/tasks/t-6/evidence");
    expect(answer).toMatchObject({ status: 500, body: { code: "quarantined" } });
    expect(orch.output()).toMatch(/event 2 of t-6 in the database cannot be read/);
    expect((await orch.get("/v1/tasks/t-7/evidence")).body.broken_link).toBeNull();
    expect(await orch.kill("SIGTERM")).toBe(0);
  });

  test("whose journal was altered is served, and the evidence names the broken link", async () => {
    const data_dir = copy("altered");
    execute(data_dir, `UPDATE journal_event SET body = replace(body, 'brain', 'human') WHERE thread_id = 't-3'`);
    const orch = await startServer({ data_dir });
    expect((await orch.get("/v1/tasks/t-3/evidence")).body.broken_link).toBe(1);
    expect((await orch.get("/v1/tasks/t-4/evidence")).body.broken_link).toBeNull();
    expect(await orch.kill("SIGTERM")).toBe(0);
  });

  test("that is empty is a new database", async () => {
    const data_dir = place("empty");
    writeFileSync(databaseIn(data_dir), "");
    const orch = await startServer({ data_dir });
    await expectSound(orch, data_dir);
    expect(await orch.kill("SIGTERM")).toBe(0);
  });

  test("without disk space for its tables is refused, and used once there is space", async () => {
    const data_dir = place("no-room");
    const env = { CONSTRAIN_FILE_KIB: "64" };
    expect(await refusal({ data_dir, preload: CONSTRAIN, env })).toMatch(/orch cannot start: .*the disk is full/);
    const orch = await startServer({ data_dir });
    await expectSound(orch, data_dir);
    expect(await orch.kill("SIGTERM")).toBe(0);
  });
});

test("a second server on the same file is refused, also through a symbolic link, and the first goes on", async () => {
  const data_dir = copy("shared");
  const first = await startServer({ data_dir });
  const reason = new RegExp(`another orch server \\(pid ${first.child.pid}\\) is using this database`);
  expect(await refusal({ data_dir })).toMatch(reason);
  const elsewhere = place("elsewhere");
  const link = join(elsewhere, "state", "link.db");
  symlinkSync(databaseIn(data_dir), link);
  expect(await refusal({ data_dir: elsewhere, env: { DATABASE_URL: `file:${link}` } })).toMatch(reason);
  expect((await first.get("/v1/tasks?limit=500")).body.tasks).toHaveLength(TASKS);
  const answer = await first.post("/v1/tasks", contractBody({ task_id: "after", wait_seconds: 30 }));
  expect(answer.body.status).toBe("need_input");
  await expectSound(first, data_dir);
  await first.kill("SIGKILL");
  rmSync(link);
  const next = await startServer({ data_dir });
  await expectSound(next, data_dir);
  expect(await next.kill("SIGTERM")).toBe(0);
});
