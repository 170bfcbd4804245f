// A PostgreSQL database is not always orch's alone, and a restore into it may be cut off after it was migrated.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { dumpPostgresql, OUR_TABLES } from "../../../../../src/store/copy/postgresql-copy.ts";
import { openDatabase } from "../../../../../src/store/database.ts";
import { backUp, restoreTo } from "../../../../support/copied-engine.ts";
import { temporaryFolder } from "../../../../support/database.ts";
import { UNDO } from "../../../../support/older-database.ts";
import { postgres } from "../../../../support/postgres.ts";

const server = postgres();
const folder = temporaryFolder();
afterAll(async () => {
  folder.remove();
  await server?.stop();
});

async function query(url: string, sql: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

const newUrl = async () => (await server?.createDatabase()) ?? "";
const placeOf = (url: string) => {
  const directory = join(folder.path, "place");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return { directory, env: { DATABASE_URL: url } };
};

test("the tables of a backup are those of the migrations", () => {
  const migrations = join(import.meta.dirname, "../../../../../prisma/migrations/postgresql");
  const scripts = readdirSync(migrations, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".sql"),
  );
  const text = scripts.map((name) => readFileSync(join(migrations, name), "utf8")).join("\n");
  const made = [...text.matchAll(/CREATE TABLE "(\w+)"/g)].map(([, name]) => name);
  expect(["_prisma_migrations", ...made].sort()).toEqual([...OUR_TABLES]);
});

describe.skipIf(server === null)("a database that is shared", () => {
  test("keeps the tables of others: they are in no backup, and nothing is restored beside them", async () => {
    const source = await newUrl();
    await (await openDatabase({ url: source })).close();
    await query(source, "CREATE TABLE invoices (id INT); INSERT INTO invoices VALUES (1)");
    const file = join(folder.path, "shared.orch");
    await backUp(placeOf(source), file);
    const shared = await newUrl();
    await query(shared, "CREATE SCHEMA billing; CREATE TABLE billing.invoices AS SELECT 7 AS id");
    await expect(restoreTo(placeOf(shared), file)).rejects.toThrow("is not empty: it has billing.invoices");
    expect((await query(shared, "SELECT id FROM billing.invoices")).rows).toEqual([{ id: 7 }]);
    const target = await newUrl();
    await restoreTo(placeOf(target), file);
    expect((await query(target, "SELECT to_regclass('public.invoices') AS found")).rows).toEqual([{ found: null }]);
  });

  test("gives no secret of a server that runs to its backup", async () => {
    const url = await newUrl();
    const self = { name: "nas", labels: [], url: "http://nas.internal:3400", output_secret: "s".repeat(43) };
    const running = await openDatabase({ url, exclusive: true, self });
    let dumped = "";
    await dumpPostgresql(url, { reads: false }, async (dump) => {
      for await (const chunk of dump) dumped += chunk;
    });
    await running.close();
    expect(dumped).toContain("20261127170000_output_secret");
    expect(dumped).not.toContain(self.output_secret);
  });

  test("takes an older backup again whose restore was cut off after the migrations", async () => {
    const source = await newUrl();
    await (await openDatabase({ url: source })).close();
    await query(source, UNDO);
    const file = join(folder.path, "older.orch");
    await backUp(placeOf(source), file);
    const target = await newUrl();
    await restoreTo(placeOf(target), file);
    await query(target, "CREATE TABLE orch_restoring (since TEXT)");
    await expect(restoreTo(placeOf(target), file)).resolves.toMatchObject({ journals_verified: 0 });
    await (await openDatabase({ url: target })).close();
  });

  test("is backed up by the version that has migrated it", async () => {
    const url = await newUrl();
    await (await openDatabase({ url })).close();
    await query(
      url,
      "UPDATE _prisma_migrations SET migration_name = '29990101000000_later' WHERE migration_name LIKE '%_archive'",
    );
    await expect(backUp(placeOf(url), join(folder.path, "newer.orch"))).rejects.toThrow("by a newer version");
  });
});
