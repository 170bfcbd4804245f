// A backup, a restore and a migration that are killed at each of their moments: nothing is lost, nothing half done is taken for whole, and
// the same can be done again.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contractBody } from "../../support/builders.ts";
import { pointsIn } from "../../support/kill-at.ts";
import { makeOlder } from "../../support/older-database.ts";
import { linesOf, startOrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { postgres } from "../../support/postgres.ts";
import { runProgram } from "../../support/program.ts";

const server = postgres();
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
/** The data directory of a server that had three tasks. */
let worked: string;
let backedUp: string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  worked = place("worked");
  await serveTasks(worked);
  backedUp = join(directory.path, "whole.orch");
  expect((await runProgram(["backup", backedUp], { data_dir: worked })).exit).toBe(0);
});
afterAll(async () => {
  await directory[Symbol.asyncDispose]();
  await server?.stop();
});

function place(name: string): string {
  const data_dir = join(directory.path, name);
  mkdirSync(data_dir);
  return data_dir;
}

async function serveTasks(data_dir: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const orch = await startOrchProcess({ data_dir, env });
  for (const service of ["a", "b", "c"])
    await orch.post("/v1/tasks", contractBody({ task_id: service, target: { service } }));
  await orch.kill("SIGTERM");
}

/** What a server finds there. */
async function tasksIn(data_dir: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const orch = await startOrchProcess({ data_dir, env });
  const { body } = await orch.get("/v1/tasks");
  await orch.kill("SIGTERM");
  return body.tasks.map(({ task_id }: { task_id: string }) => task_id).sort();
}

/** The moments of a run that nothing kills, without those of a commit. */
async function momentsOf(args: readonly string[], data_dir: string, env = {}): Promise<string[]> {
  rmSync(pointsIn(data_dir), { force: true });
  expect(await runProgram(args, { data_dir, env })).toMatchObject({ exit: 0, stderr: "" });
  return linesOf(pointsIn(data_dir)).filter((point) => /^(backup|restore|migration):/.test(point));
}

test("a backup that is killed at any moment is whole or not there, and leaves nothing that a second one minds", async () => {
  const file = join(directory.path, "killed.orch");
  const moments = await momentsOf(["backup", file], worked);
  expect(moments).toEqual(["backup:copied#1", "backup:packed database#1", "backup:written#1", "backup:named#1"]);
  for (const kill_at of moments) {
    rmSync(file, { force: true });
    expect((await runProgram(["backup", file], { data_dir: worked, kill_at })).exit).toBeNull();
    expect(existsSync(file), kill_at).toBe(kill_at === "backup:named#1");
    if (!existsSync(file)) expect((await runProgram(["backup", file], { data_dir: worked })).exit).toBe(0);
    const data_dir = place(`from-${kill_at.replaceAll(/\W/g, "-")}`);
    expect(await runProgram(["restore", file], { data_dir })).toMatchObject({ exit: 0, stderr: "" });
    rmSync(file);
  }
  await runProgram(["backup", file], { data_dir: worked });
  expect(readdirSync(directory.path).filter((name) => name.startsWith("killed.orch"))).toEqual(["killed.orch"]);
});

test("a restore that is killed at any moment leaves an empty place or the whole, and can be done again", async () => {
  const moments = await momentsOf(["restore", backedUp], place("unkilled"));
  expect(moments).toEqual(["restore:unpacked#1", "restore:verified#1", "restore:settled#1", "restore:named#1"]);
  for (const kill_at of moments) {
    const data_dir = place(`restore-${kill_at.replaceAll(/\W/g, "-")}`);
    expect((await runProgram(["restore", backedUp], { data_dir, kill_at })).exit).toBeNull();
    const again = await runProgram(["restore", backedUp], { data_dir });
    expect([kill_at, again.exit]).toEqual([kill_at, kill_at === "restore:named#1" ? 2 : 0]);
    expect(await tasksIn(data_dir)).toEqual(["a", "b", "c"]);
  }
});

test.skipIf(server === null)(
  "a restore into PostgreSQL that is killed lets no server start until it is done again",
  { timeout: 300_000 },
  async () => {
    const urlOf = async () => ({ DATABASE_URL: (await server?.createDatabase()) ?? "" });
    const from = place("postgresql");
    const source = await urlOf();
    await serveTasks(from, source);
    const file = join(directory.path, "postgresql.orch");
    expect(await runProgram(["backup", file], { data_dir: from, env: source })).toMatchObject({ exit: 0, stderr: "" });
    for (const kill_at of ["restore:marked#1", "restore:unpacked#1", "restore:settled#1"]) {
      const env = await urlOf();
      expect((await runProgram(["restore", file], { data_dir: from, env, kill_at })).exit).toBeNull();
      await expect(startOrchProcess({ data_dir: from, env })).rejects.toThrow(/was being restored into this database/);
      expect(await runProgram(["restore", file], { data_dir: from, env })).toMatchObject({ exit: 0, stderr: "" });
      expect(await tasksIn(from, env)).toEqual(["a", "b", "c"]);
    }
  },
);

test("a start that is killed before, in or after a migration loses nothing, and its backup can be restored", async () => {
  const moments = ["backup:named#1", "migration:backed up#1", "migration:begins#1", "migration:done#1"];
  for (const point of moments) {
    const data_dir = place(`migrated-${point.replaceAll(/\W/g, "-")}`);
    cpSync(worked, data_dir, { recursive: true });
    makeOlder(join(data_dir, "state", "orch.db"));
    const killed = await runProgram(["serve"], { data_dir, kill_at: point });
    expect([point, killed.exit]).toEqual([point, null]);
    expect(await tasksIn(data_dir)).toEqual(["a", "b", "c"]);
    const backups = readdirSync(join(data_dir, "state", "backups"));
    expect(backups.filter((name) => name.endsWith(".orch")).length).toBeGreaterThan(0);
    const data_dir_of_backup = place(`undone-${point.replaceAll(/\W/g, "-")}`);
    const [first = ""] = backups;
    const undone = await runProgram(["restore", join(data_dir, "state", "backups", first)], {
      data_dir: data_dir_of_backup,
    });
    expect(undone).toMatchObject({ exit: 0, stderr: "" });
  }
});
