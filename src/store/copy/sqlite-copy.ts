// Copies a SQLite file while a server uses it, by SQLite's own backup. The copy is read back before it counts.
import { rm, stat } from "node:fs/promises";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { DatabaseCopy } from "../../domain/backup.ts";
import { OrchError } from "../../domain/errors.ts";
import { FIRST_LEVEL } from "../../domain/journal.ts";
import { moment } from "../../process/moment.ts";
import type { Prisma } from "../generated/sqlite/client.ts";
import { QUICK_CHECK } from "../sql.ts";
import { makePrivate } from "../sqlite-file.ts";
import { type Ask, brokenIn, contentsOf } from "./heads.ts";
import { noteBackup } from "./restored-rows.ts";

/** All in one step: beside the log no writer waits for a reader, and in slices it would begin again with each commit of a server. */
const PAGES = 2 ** 31 - 1;

/** `reads`: whether every journal is read from its first to its last event. */
export type CopyOptions = { readonly reads: boolean };

/** Makes the file `to`, which must not be there, and says what is in it. */
export async function copySqlite(from: string, to: string, { reads }: CopyOptions): Promise<DatabaseCopy> {
  if ((await stat(from).catch(() => null))?.isFile() !== true)
    throw new OrchError("database_unusable", `there is no database at ${from}`, {
      fix: "set DATABASE_URL or ORCH_DATA_DIR as the server has them",
    });
  const { DatabaseSync, backup } = await import("node:sqlite");
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await makePrivate(to);
    await backup(source, to, { rate: PAGES });
  } finally {
    source.close();
  }
  moment("backup:copied");
  return examineCopy(to, { reads });
}

/** Rejects with what is wrong with the file. */
export async function examineCopy(path: string, { reads }: CopyOptions): Promise<DatabaseCopy> {
  const { DatabaseSync } = await import("node:sqlite");
  const copy = new DatabaseSync(path);
  try {
    // A file of its own: the copy needs no log beside it.
    copy.exec("PRAGMA journal_mode = DELETE");
    const [checked] = copy.prepare(QUICK_CHECK).all();
    if (checked?.["quick_check"] !== "ok")
      throw new OrchError("database_unusable", `the database is damaged (${checked?.["quick_check"]})`, {
        fix: "restore an earlier backup; orch doctor says more of it",
      });
    const [version] = copy.prepare("SELECT sqlite_version() AS version").all();
    return {
      database: "sqlite",
      database_version: String(version?.["version"]),
      journal_level: Math.max(FIRST_LEVEL, levelIn(copy.prepare(COLUMN).all().length > 0 ? copy : null)),
      ...(await contentsOf(askIn(copy))),
      broken: reads ? await brokenIn(askIn(copy), copy.prepare(ARCHIVE).all().length > 0) : [],
    };
  } finally {
    copy.close();
  }
}

/** A database from before there were levels has no such column. */
const COLUMN = "SELECT 1 FROM pragma_table_info('task') WHERE name = 'needs_level'";

const ARCHIVE = "SELECT 1 FROM sqlite_schema WHERE name = 'archived'";

function levelIn(copy: DatabaseSync | null): number {
  const [found] = copy?.prepare("SELECT MAX(needs_level) AS level FROM task").all() ?? [];
  return Number(found?.["level"] ?? 0);
}

const askIn =
  (database: DatabaseSync): Ask =>
  async <T>({ sql, values }: Prisma.Sql) =>
    database.prepare(sql).all(...(values as SQLInputValue[])) as T[];

/** Beside a running server: one statement, which waits for a commit that is under way. */
export async function noteSqliteBackup(path: string, taken_at: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(path, { timeout: 10_000 });
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'duty'").all().length === 0) return;
    await noteBackup(askIn(database), taken_at);
  } finally {
    database.close();
  }
}

/** With what SQLite leaves beside it. */
export async function removeSqlite(path: string): Promise<void> {
  for (const name of ["", "-wal", "-shm", "-journal"]) await rm(`${path}${name}`, { force: true });
}
