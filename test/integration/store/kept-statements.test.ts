// The statements that are kept of Prisma's SQLite adapter: nothing differs from the adapter alone but the time.
import { join } from "node:path";
import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import { afterAll, expect, test } from "vitest";
import { keepStatements } from "../../../src/store/kept-statements.ts";
import { temporaryFolder } from "../../support/database.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());

let files = 0;
const open = async (): Promise<SqlDriverAdapter> => {
  const adapter = await new PrismaBetterSqlite3({ url: join(folder.path, `${++files}.db`) }).connect();
  await adapter.executeScript(
    "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT UNIQUE, is_on BOOLEAN, bytes BLOB)",
  );
  return adapter;
};

type Arg = string | number | boolean | null | Uint8Array;
const query = (sql: string, ...args: Arg[]) => ({
  sql,
  args,
  argTypes: args.map(() => ({ scalarType: "unknown", arity: "scalar" }) as const),
});

const INSERT = "INSERT INTO item (name, is_on, bytes) VALUES (?, ?, ?)";
const SELECT = "SELECT * FROM item WHERE name <> ? ORDER BY id";

/** What a session of the adapter answers, faults included. */
async function session(adapter: SqlDriverAdapter): Promise<unknown[]> {
  const answers: unknown[] = [];
  const answer = (work: Promise<unknown>) =>
    work.then(
      (done) => answers.push(done),
      (error) => answers.push(error.cause),
    );
  const rows: Arg[][] = [
    ["a", true, new Uint8Array([1, 2])],
    ["b", false, null],
    ["a", true, null],
    [null, null, null],
    ["ü\u2028'\"", 1, null],
  ];
  for (const row of rows) await answer(adapter.executeRaw(query(INSERT, ...row)));
  for (const name of ["b", "x", "b"]) await answer(adapter.queryRaw(query(SELECT, name)));
  await answer(adapter.queryRaw(query("SELECT count(*) AS n, 1.5 AS f, NULL AS o FROM item")));
  await answer(adapter.executeRaw(query(INSERT, "too few")));
  await answer(adapter.queryRaw(query("SELECT * FROM nothing")));
  await adapter.executeScript("ALTER TABLE item RENAME TO thing");
  await answer(adapter.queryRaw(query(SELECT, "b")));
  await adapter.executeScript("ALTER TABLE thing RENAME TO item");
  await answer(adapter.queryRaw(query(SELECT, "b")));
  return answers;
}

test("the adapter that is installed has a connection whose statements can be kept", async () => {
  const adapter = await open();
  expect(keepStatements(adapter)).toBe(true);
  await adapter.dispose();
});

test("every answer and every fault is that of the adapter alone", async () => {
  const [alone, keeping] = [await open(), await open()];
  keepStatements(keeping);
  const expected = await session(alone);
  expect(expected.length).toBe(13);
  expect(await session(keeping)).toEqual(expected);
  await Promise.all([alone.dispose(), keeping.dispose()]);
});

test("a statement is prepared once, and again only after many others", async () => {
  const adapter = await open();
  const { client } = adapter as unknown as { client: { prepare: (sql: string) => unknown } };
  const prepare = client.prepare.bind(client);
  const prepared: string[] = [];
  client.prepare = (sql) => {
    prepared.push(sql);
    return prepare(sql);
  };
  keepStatements(adapter);
  for (let n = 0; n < 500; n++) {
    await adapter.queryRaw(query(SELECT, "a"));
    await adapter.queryRaw(query(`SELECT ${n} AS n`));
  }
  await adapter.queryRaw(query("SELECT 0 AS n"));
  expect(prepared.filter((sql) => sql === SELECT)).toHaveLength(1);
  expect(prepared.filter((sql) => sql === "SELECT 0 AS n")).toHaveLength(2);
  await adapter.dispose();
});

test.each([{}, { client: null }, { client: {} }, { client: { prepare: () => "another library" } }])(
  "an adapter of another make (%o) is left as it is",
  (adapter) => {
    const before = structuredClone(Object.keys(adapter));
    expect(keepStatements(adapter)).toBe(false);
    expect(Object.keys(adapter)).toEqual(before);
  },
);
