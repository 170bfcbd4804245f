// orch migrate, and what a start does by itself: on a database of an earlier schema, beside a server, and over releases.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { FIRST_LEVEL } from "../../../../../src/domain/journal.ts";
import { migrate } from "../../../../../src/features/keeping/backup/commands.ts";
import { openDatabase } from "../../../../../src/store/database.ts";
import { previewMigration } from "../../../../../src/store/migrate.ts";
import { migrationNames } from "../../../../../src/store/migration-plan.ts";
import { runInProcess } from "../../../../support/cli-in-process.ts";
import { restoreTo } from "../../../../support/copied-engine.ts";
import { runSql, sqlRows, temporaryFolder, writeMigrated } from "../../../../support/database.ts";
import { makeEarlier } from "../../../../support/earlier-schema.ts";
import { databasesOfEachChange, postgres } from "../../../../support/postgres.ts";

const server = postgres();
const folder = temporaryFolder();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

const EARLIER = "20261126220000_schedule";
const newDirectory = () => mkdtempSync(join(folder.path, "data-"));

const orchIn =
  (directory: string, env: Readonly<Record<string, string>> = {}) =>
  (...args: string[]) =>
    runInProcess(["migrate", ...args], {
      environment: { ORCH_DATA_DIR: directory, HOME: directory, ...env },
      parts: { migrate } as never,
    });

const filesIn = (directory: string) =>
  Object.fromEntries(readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "hex")]));

function schemaOf(path: string): unknown[] {
  const database = new DatabaseSync(path);
  const sql = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '_prisma%' ORDER BY type, name";
  const found = database.prepare(sql).all();
  database.close();
  return found;
}

describe.each(databasesOfEachChange(server))("orch migrate on %s", (kind, create) => {
  test("shows what is pending, does it after a backup, and then has nothing to do", async () => {
    const directory = newDirectory();
    const env: Readonly<Record<string, string>> = await create();
    await makeEarlier(env["DATABASE_URL"] ?? join(directory, "orch.db"), EARLIER);
    const orch = orchIn(directory, env);
    const before = filesIn(directory);
    const names = await migrationNames(kind === "PostgreSQL" ? "postgresql" : "sqlite");
    const pending = names.slice(names.indexOf(EARLIER) + 1);
    const shown = await orch("--dry-run");
    expect(shown).toMatchObject({ exit: 0, stderr: "" });
    expect([...shown.stdout.matchAll(/^-- Migration (.*)$/gm)].map(([, name]) => name)).toEqual(pending);
    const json = JSON.parse((await orch("--dry-run", "--json")).stdout);
    expect(json).toMatchObject({ dry_run: true, is_new: false, backup: null });
    expect(json.migrations.map(({ name }: { name: string }) => name)).toEqual(pending);
    for (const { sql } of json.migrations) expect(shown.stdout).toContain(sql.trimEnd());
    expect(filesIn(directory)).toEqual(before);

    const done = JSON.parse((await orch("--json")).stdout);
    expect(done).toMatchObject({ dry_run: false, backup: expect.stringContaining("pre-upgrade-"), warnings: [] });
    expect(done.migrations).toEqual(json.migrations);
    expect(readdirSync(join(directory, "backups"))).toHaveLength(1);
    for (const args of [["--dry-run"], []])
      expect(await orch(...args)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^nothing to do: /) });
    expect(readdirSync(join(directory, "backups"))).toHaveLength(1);

    // The way back: an empty place beside it.
    const back = { directory: newDirectory(), env: await create() };
    const { manifest } = await restoreTo(back, done.backup);
    expect(manifest).toMatchObject({ tasks: 2, journal_level: FIRST_LEVEL });
  });

  test("goes from release to release, skips none, and keeps the latest on record", async () => {
    const directory = newDirectory();
    const env: Readonly<Record<string, string>> = await create();
    const url = env["DATABASE_URL"] ?? `file:${join(directory, "orch.db")}`;
    await makeEarlier(env["DATABASE_URL"] ?? join(directory, "orch.db"), EARLIER);
    const lines = ["0.1", "0.2", "0.3"];
    const start = async (version: string) => {
      const database = await openDatabase({ url, exclusive: true, release: { version, lines } });
      const rows = await sqlRows(database, "SELECT last_release FROM compatibility");
      await database.close();
      return rows[0]?.["last_release"];
    };
    const refusal = {
      code: "release_skipped",
      message: expect.stringContaining("0.3.0 cannot migrate it: 0.2 comes between"),
      fix: expect.stringContaining("install the last release of 0.2"),
    };
    await expect(start("0.3.0")).rejects.toMatchObject(refusal);
    await expect(previewMigration(url, { version: "0.3.0", lines })).rejects.toMatchObject(refusal);
    expect((await previewMigration(url)).pending.length, "nothing of it was migrated").toBeGreaterThan(3);
    expect(await start("0.1.5")).toBe("0.1.5");
    await expect(start("0.3.0")).rejects.toMatchObject({ ...refusal, message: expect.stringContaining("0.1.5") });
    expect(await start("0.2.1")).toBe("0.2.1");
    expect(await start("0.1.7"), "an older one beside it").toBe("0.2.1");
    expect(await start("0.3.0")).toBe("0.3.0");
  });
});

test("the script that is shown makes by hand the schema that a start makes", async () => {
  const [shown, migrated] = [newDirectory(), newDirectory()].map((directory) => join(directory, "orch.db"));
  if (shown === undefined || migrated === undefined) throw new Error("there are two directories");
  await makeEarlier(shown, EARLIER);
  copyFileSync(shown, migrated);
  const { stdout } = await orchIn(join(shown, ".."))("--dry-run");
  const database = new DatabaseSync(shown);
  database.exec(stdout);
  database.close();
  await orchIn(join(migrated, ".."))();
  expect(schemaOf(shown)).toEqual(schemaOf(migrated));
});

test("a place without a database is shown every migration, and stays without one", async () => {
  const directory = newDirectory();
  const shown = await orchIn(directory)("--dry-run");
  expect(shown).toMatchObject({ exit: 0, stdout: expect.stringContaining("The database is new") });
  expect([...shown.stdout.matchAll(/^-- Migration /gm)]).toHaveLength((await migrationNames("sqlite")).length);
  expect(readdirSync(directory)).toEqual([]);
});

test("a server goes on while its database is looked at, and is not migrated under it", async () => {
  const directory = newDirectory();
  const path = join(directory, "orch.db");
  await writeMigrated(path);
  const orch = orchIn(directory);
  await using closing = new AsyncDisposableStack();
  const database = await openDatabase({ url: `file:${path}`, exclusive: true });
  closing.defer(database.close);
  // As if this server were of the version before.
  const last = (await migrationNames("sqlite")).at(-1) ?? "";
  await runSql(database, "DELETE FROM _prisma_migrations WHERE migration_name = ?", last);
  await database.transaction(async ({ duty }) => {
    await duty.create({ data: { name: "half done", cursor: 1 } });
    expect(await orch("--dry-run")).toMatchObject({ exit: 0, stdout: expect.stringContaining(`Migration ${last}`) });
  });
  expect(await orch()).toMatchObject({
    exit: 2,
    stderr: expect.stringMatching(/another orch server \(pid \d+\) is using this database.*database_unusable/),
  });
});

test("a database that a killed server has left is shown as it is, and not repaired", async () => {
  const directory = newDirectory();
  const path = join(directory, "orch.db");
  await writeMigrated(path);
  const left = newDirectory();
  const database = await openDatabase({ url: `file:${path}` });
  await runSql(database, "DELETE FROM _prisma_migrations");
  // Without what the end of a process would move into the file.
  for (const name of ["orch.db", "orch.db-wal"]) copyFileSync(join(directory, name), join(left, name));
  await database.close();
  const before = filesIn(left);
  expect(await orchIn(left)("--dry-run")).toMatchObject({ exit: 0, stdout: expect.stringContaining("is new") });
  expect(filesIn(left)).toMatchObject(before);
});
