// Copies a PostgreSQL database by pg_dump, in the snapshot in which its journals are read, and back by pg_restore. Until what comes back
// is settled, a mark in the database keeps every server out of it.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import type { DatabaseCopy } from "../../domain/backup.ts";
import { OrchError } from "../../domain/errors.ts";
import { FIRST_LEVEL } from "../../domain/journal.ts";
import { moment } from "../../process/moment.ts";
import { reasonOf } from "../database-errors.ts";
import type { Prisma } from "../generated/sqlite/client.ts";
import { IS_RESTORING, MIGRATION_HISTORY, migrationNames, RESTORING, stillRestoring } from "../migration-plan.ts";
import { type Ask, brokenIn, contentsOf } from "./heads.ts";
import { noteBackup } from "./restored-rows.ts";
import type { CopyOptions } from "./sqlite-copy.ts";

// The tables of orch in PostgreSQL. The database may be shared with other applications, whose tables are none of its business.

/** Those of prisma/migrations, and the history of these. */
export const OUR_TABLES = [
  "_prisma_migrations",
  "anchor_leaf",
  "approval",
  "archived",
  "check_look",
  "checkpoint",
  "checkpoint_blob",
  "checkpoint_write",
  "compatibility",
  "delivery",
  "duty",
  "journal_event",
  "schedule",
  "server",
  "sop",
  "target_hold",
  "task",
  "task_score",
  "token_bucket",
  "work_freeze",
] as const;

/** By name: wakeups of pg-boss are made anew, and what else is in the database belongs to others. A restore forgets the servers, so their secrets stay. */
const OURS = [
  ...OUR_TABLES.map((name) => `--table=public.${name}`),
  ...["--exclude-table-data=public.server", "--no-owner", "--no-privileges"],
];

/** Calls `take` with the dump, and resolves with what is in it. */
export async function dumpPostgresql(
  url: string,
  { reads }: CopyOptions,
  take: (dump: Readable) => Promise<void>,
): Promise<DatabaseCopy> {
  return connected(url, async (client) => {
    const { major, version } = await versionOf(client);
    const tool = await findTool("pg_dump", major);
    if (!(await hasTable(client, "journal_event")))
      throw new OrchError("database_unusable", "there is no database of orch at DATABASE_URL", {
        fix: "set DATABASE_URL as the server has it",
      });
    if (await isMarked(client)) throw stillRestoring();
    await ensureKnown(client);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    const { rows } = await client.query("SELECT pg_export_snapshot() AS snapshot");
    const args = ["--format=custom", "--compress=0", `--snapshot=${rows[0]?.snapshot}`, ...OURS];
    const { child, ended } = startTool(tool, args, url);
    child.stdin.end();
    await Promise.all([take(child.stdout), ended]);
    moment("backup:copied");
    return {
      database: "postgresql",
      database_version: version,
      journal_level: Math.max(FIRST_LEVEL, await levelIn(client)),
      ...(await contentsOf(askIn(client))),
      broken: reads ? await brokenIn(askIn(client), await hasTable(client, "archived")) : [],
    };
  });
}

/** Into a database without tables of orch, or in which an earlier restore was cut off. */
export async function fillPostgresql(url: string, dump: Readable): Promise<void> {
  await connected(url, async (client) => {
    const { major } = await versionOf(client);
    const tool = await findTool("pg_restore", major);
    const isAgain = await isMarked(client);
    if (isAgain) await client.query(DROP_OURS);
    else await ensureEmpty(client);
    await client.query(`CREATE TABLE IF NOT EXISTS ${RESTORING} (since TEXT)`);
    moment("restore:marked");
    // A dump of an earlier version may name tables of others too.
    const again = isAgain ? ["--clean", "--if-exists"] : [];
    const args = [...again, "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"];
    const { child, ended } = startTool(tool, args, url);
    await Promise.all([pipeline(dump, child.stdin).catch(ignoreClosed), ended]);
  });
}

async function ensureEmpty(client: Client): Promise<void> {
  const [found] = (await client.query(FOREIGN)).rows;
  if (found === undefined) return;
  throw new OrchError("database_unusable", `the database is not empty: it has ${found.name}`, {
    fix: "make an empty one, and set DATABASE_URL to it: a backup is never restored over anything",
  });
}

/** A newer version may have tables that this one does not know, and would leave out. */
async function ensureKnown(client: Client): Promise<void> {
  const names = new Set(await migrationNames("postgresql"));
  const { rows } = await client.query(MIGRATION_HISTORY.text);
  const stranger = rows.find(({ migration_name }) => !names.has(migration_name));
  if (stranger === undefined) return;
  throw new OrchError(
    "database_unusable",
    `the database was migrated by a newer version (${stranger.migration_name})`,
    {
      fix: "back it up by that version",
    },
  );
}

/** pg_restore that ends early says why; the pipe to it says only that it has. */
function ignoreClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

export const notePostgresqlBackup = (url: string, taken_at: string): Promise<void> =>
  connected(url, async (client) => {
    if (await hasTable(client, "duty")) await noteBackup(askIn(client), taken_at);
  });

/** From now on a server may start. */
export const unmarkPostgresql = (url: string): Promise<void> =>
  connected(url, async (client) => void (await client.query(`DROP TABLE IF EXISTS ${RESTORING}`)));

async function versionOf(client: Client): Promise<{ major: number; version: string }> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS version",
  );
  return { major: Math.floor(Number(rows[0]?.number) / 10_000), version: String(rows[0]?.version) };
}

const isMarked = async (client: Client): Promise<boolean> =>
  Object.values((await client.query(IS_RESTORING)).rows[0] ?? {})[0] != null;

const hasTable = async (client: Client, name: (typeof OUR_TABLES)[number]): Promise<boolean> =>
  (await client.query("SELECT to_regclass($1) AS found", [`public.${name}`])).rows[0]?.found !== null;

async function levelIn(client: Client): Promise<number> {
  const column = "SELECT 1 FROM information_schema.columns WHERE table_name = 'task' AND column_name = 'needs_level'";
  if ((await client.query(column)).rows.length === 0) return 0;
  return Number((await client.query("SELECT MAX(needs_level) AS level FROM task")).rows[0]?.level ?? 0);
}

const askIn =
  (client: Client): Ask =>
  async <T>({ text, values }: Prisma.Sql) =>
    (await client.query(text, values)).rows as T[];

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: "orch backup",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof OrchError) throw error;
    const { host, pathname } = new URL(url);
    throw new OrchError("database_unusable", `cannot use the database ${host}${pathname}: ${reasonOf(error)}`, {
      cause: error,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** With their sequences, and indexes. */
const DROP_OURS = `DROP TABLE IF EXISTS ${OUR_TABLES.map((name) => `public."${name}"`).join(", ")}`;

/** Any table or view of a user, but what an extension has brought. */
const FOREIGN = `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class
  JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'information_schema' AND nspname !~ '^pg_'
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY name LIMIT 1`;

// Runs pg_dump and pg_restore: found by their version, and run without a password among their arguments, which every
// account could read.

const run = promisify(execFile);

/** Where packages of Debian put each version. */
const PACKAGED = "/usr/lib/postgresql";

/** The lowest version that fits, at least that of the server: an older tool refuses a newer server. */
async function findTool(tool: "pg_dump" | "pg_restore", server_major: number): Promise<string> {
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== ""),
    ...(existsSync(PACKAGED) ? readdirSync(PACKAGED).map((version) => join(PACKAGED, version, "bin")) : []),
  ];
  const found: { readonly path: string; readonly major: number }[] = [];
  for (const path of new Set(folders.map((folder) => join(folder, tool)))) {
    const major = existsSync(path) ? await majorOf(path) : null;
    if (major !== null && major >= server_major) found.push({ path, major });
  }
  const [nearest] = found.sort((one, other) => one.major - other.major);
  if (nearest !== undefined) return nearest.path;
  throw new OrchError("database_unusable", `${tool} of PostgreSQL ${server_major} is not installed here`, {
    fix: `install the client programs of PostgreSQL ${server_major} (Debian: postgresql-client-${server_major})`,
  });
}

async function majorOf(path: string): Promise<number | null> {
  const said = await run(path, ["--version"]).catch(() => null);
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(said?.stdout ?? "") ?? [];
  return major === undefined ? null : Number(major);
}

/** What libpq knows of a URL; the rest is for the driver. */
const KNOWN = new Set(["host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "connect_timeout"]);

/** The tool as a process that has begun. `ended` rejects with what it has written to stderr. */
function startTool(path: string, args: readonly string[], url: string) {
  const { name, env } = connectionOf(url);
  const child = spawn(path, [...args, "--no-password", `--dbname=${name}`], { env, stdio: ["pipe", "pipe", "pipe"] });
  return { child, ended: endOf(child, path) };
}

function connectionOf(url: string) {
  const parsed = new URL(url);
  const password = decodeURIComponent(parsed.password);
  parsed.password = "";
  for (const name of [...parsed.searchParams.keys()]) if (!KNOWN.has(name)) parsed.searchParams.delete(name);
  const { PATH = "", HOME = "" } = process.env;
  return { name: parsed.href, env: { PATH, HOME, LC_ALL: "C", ...(password !== "" && { PGPASSWORD: password }) } };
}

const MOST_SAID = 2_000;

async function endOf(child: ChildProcess, path: string): Promise<void> {
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = `${said}${text}`.slice(-MOST_SAID);
  });
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exit, signal) => resolve(exit ?? signal));
  });
  if (code === 0) return;
  throw new OrchError("database_unusable", `${path} ended with ${code}: ${said.trim().replaceAll(/\s*\n\s*/g, "; ")}`);
}
