// The committed migrations make what prisma/schema.prisma says, in both databases.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { afterAll, describe, expect, test } from "vitest";
import { providerSchema } from "../../prisma/provider-schema.ts";
import { openDatabase } from "../../src/store/database.ts";
import { examineDatabase } from "../../src/store/examine-database.ts";
import { withSchemaEngine } from "../../src/store/migrate.ts";
import { postgresqlFactory } from "../../src/store/postgresql-session.ts";
import type { Provider } from "../../src/store/sql.ts";
import { sqliteFactory } from "../../src/store/sqlite.ts";
import { createStore } from "../../src/store/store.ts";
import { runSql, sqlRows, temporaryFolder } from "../support/database.ts";
import { postgres } from "../support/postgres.ts";
import { aTask } from "./store-records.ts";

const folder = temporaryFolder();
const server = postgres();
afterAll(async () => {
  await server?.stop();
  folder.remove();
});

const SHAPE = {
  sqlite: `
    SELECT t.name || '.' || c.name || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk || ' ' || COALESCE(c.dflt_value, '')
      AS part FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'
    UNION ALL SELECT tbl_name || ' ' || sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL`,
  postgresql: `
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS part
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'`,
};

/** Every column and index of a database, one line each. */
async function shapeOf(provider: Provider, factory: SqlMigrationAwareDriverAdapterFactory): Promise<string[]> {
  const adapter = await factory.connect();
  const { rows } = await adapter.queryRaw({ sql: SHAPE[provider], args: [], argTypes: [] });
  await adapter.dispose();
  const foreign = /_prisma_migrations|sqlite_sequence/;
  return rows
    .map(([part]) => String(part))
    .filter((part) => !foreign.test(part))
    .sort();
}

/** Makes in an empty database what the schema says, all at once. */
async function makeFromSchema(provider: Provider, factory: SqlMigrationAwareDriverAdapterFactory): Promise<void> {
  const schema = { path: "schema.prisma", content: providerSchema(provider) };
  const to: DiffTarget = { tag: "schemaDatamodel", files: [schema] };
  const filters = { externalTables: [], externalEnums: [] };
  const { stdout } = await withSchemaEngine(
    factory,
    (engine) => engine.diff({ from: { tag: "empty" }, to, script: true, exitCode: null, filters }),
    schema,
  );
  const adapter = await factory.connect();
  await adapter.executeScript(stdout ?? "");
  await adapter.dispose();
}

async function expectMigrationsToAgree(
  provider: Provider,
  factoryOf: (url: string) => SqlMigrationAwareDriverAdapterFactory,
  [migrated, made]: readonly [string, string],
): Promise<void> {
  await (await openDatabase({ url: migrated })).close();
  await makeFromSchema(provider, factoryOf(made));
  const shape = await shapeOf(provider, factoryOf(migrated));
  const partial = shape.filter((part) => / WHERE /.test(part));
  expect(partial).toHaveLength(PARTIAL.length);
  for (const expected of PARTIAL) expect(partial).toContainEqual(expect.stringMatching(expected));
  expect(shape.filter((part) => !partial.includes(part))).toEqual(await shapeOf(provider, factoryOf(made)));
}

const PARTIAL = [
  /UNIQUE INDEX sop_one_active .*WHERE.*status = 'active'/s,
  /INDEX journal_event_verification_missed .*WHERE.*kind = 'verification_missed'/s,
  /INDEX task_verify_by .*WHERE.*verification IS NULL.*"verify_by":/s,
  /INDEX task_verify_within .*WHERE.*verification IS NULL.*"verify_within_hours":/s,
];

test("the migrations for SQLite make what the schema says, and the indexes that it cannot say", async () => {
  const files = [join(folder.path, "migrated.db"), join(folder.path, "made.db")] as const;
  await expectMigrationsToAgree("sqlite", sqliteFactory, files);
});

test.skipIf(server === null)("the migrations for PostgreSQL do the same", async () => {
  const database = async () => (await server?.createDatabase()) ?? "";
  await expectMigrationsToAgree("postgresql", postgresqlFactory, [await database(), await database()]);
});

test("opening a database that is up to date changes nothing in it", async () => {
  const path = join(folder.path, "twice.db");
  const history = async () => {
    const database = await openDatabase({ url: path });
    const rows = await database.client.$queryRawUnsafe("SELECT id, migration_name FROM _prisma_migrations");
    await database.close();
    return rows;
  };
  expect(await history()).toEqual(await history());
});

test("a migration that was cut short is made again", async () => {
  const path = join(folder.path, "cut-short.db");
  const copy = join(folder.path, "copy.db");
  const database = await openDatabase({ url: path });
  await database.client.$executeRawUnsafe("UPDATE _prisma_migrations SET finished_at = NULL");
  for (const table of [
    "task",
    "journal_event",
    "sop",
    "approval",
    "checkpoint",
    "checkpoint_blob",
    "checkpoint_write",
    "check_look",
    "delivery",
    "task_score",
    "duty",
    "schedule",
    "target_hold",
    "work_freeze",
    "token_bucket",
    "compatibility",
    "anchor_leaf",
    "archived",
    "server",
  ]) {
    await database.client.$executeRawUnsafe(`DROP TABLE ${table}`);
  }
  await database.close();
  copyFileSync(path, copy);
  const again = await openDatabase({ url: copy });
  expect(await again.client.task.count()).toBe(0);
  await again.close();
});

describe("a database that a newer version has migrated", () => {
  /** As that version leaves it, with the row that says who may use it. */
  async function migratedBy(name: string, compatibility: string): Promise<string> {
    const path = join(folder.path, `${name}.db`);
    const database = await openDatabase({ url: path });
    const history = "id, checksum, finished_at, migration_name, applied_steps_count";
    await runSql(
      database,
      `INSERT INTO _prisma_migrations (${history}) VALUES ('x', 'x', '2999-01-01', '29990101000000_newer', 1)`,
    );
    await runSql(database, "ALTER TABLE task ADD COLUMN of_newer TEXT");
    await runSql(database, compatibility);
    await database.close();
    return path;
  }
  const task = aTask();
  const clock = () => new Date();

  test("is used where that version says so, without the columns that it has added", async () => {
    const path = await migratedBy("both", "UPDATE compatibility SET min_level = 53");
    const database = await openDatabase({ url: path });
    const store = createStore({ database, clock });
    const created = { on: "task_created", task } as const;
    await store.commit({ thread_id: task.task_id, after: null, events: [], changes: [created] });
    await runSql(database, "UPDATE task SET of_newer = 'kept'");
    const set = { owner: null } as const;
    const changed = { on: "task", task_id: task.task_id, expect: { status: ["running"] }, set } as const;
    expect((await store.commit({ thread_id: task.task_id, after: null, events: [], changes: [changed] })).ok).toBe(
      true,
    );
    const found = { ...task, ...set, updated_at: expect.any(String) };
    expect(await store.findTask(task.task_id)).toEqual(found);
    expect(await store.listTasks({ limit: 1 })).toEqual([found]);
    expect(await sqlRows(database, "SELECT of_newer FROM task")).toEqual([{ of_newer: "kept" }]);
    await database.close();
    expect(await examineDatabase(path)).toMatchObject({ is: "there", pending: 0, refusal: null });
  });

  test.each([
    [
      ...["of a higher level", "UPDATE compatibility SET min_level = 99, min_version = '7.0.0'"],
      /it needs level 99, which orch has from version 7\.0\.0 on, and this one has level \d+$/,
    ],
    ["without saying so", "DELETE FROM compatibility", /it does not say down to which version it may be used$/],
  ] as const)("is refused where it wants a server %s", async (what, sql, message) => {
    const path = await migratedBy(what.replaceAll(" ", "-"), sql);
    const refusal = { code: "database_unusable", message: expect.stringMatching(message) };
    await expect(openDatabase({ url: path })).rejects.toMatchObject(refusal);
    expect(await examineDatabase(path)).toMatchObject({ pending: null, refusal });
  });
});
