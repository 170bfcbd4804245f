// Brings a backup back into an empty place: unpacked under another name or under a mark, examined, settled, and only then there. A stop at
// any moment leaves a place into which the same can be restored again.
import { createWriteStream } from "node:fs";
import { open, rename, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Config } from "../../../config/config.ts";
import { createDataDir } from "../../../config/data-dir.ts";
import { tokenPath } from "../../../config/token-file.ts";
import type { BackupManifest } from "../../../domain/backup.ts";
import { OrchError } from "../../../domain/errors.ts";
import type { Clock } from "../../../ports.ts";
import { moment } from "../../../process/moment.ts";
import { fillPostgresql, unmarkPostgresql } from "../../../store/copy/postgresql-copy.ts";
import { examineCopy, removeSqlite } from "../../../store/copy/sqlite-copy.ts";
import { isPostgresql, sqlitePath } from "../../../store/database-target.ts";
import { lockDatabase } from "../../../store/ownership.ts";
import { ensureSame, readManifest, readParts, syncDirectory } from "./backup-file.ts";
import type { RestoreOrder, RestoreReport } from "./reports.ts";
import { settleRestored, type Unpacked } from "./settle-database.ts";

type Target = Pick<Config, "database_url" | "data_dir">;

export async function restoreBackup(target: Target, order: RestoreOrder, clock: Clock): Promise<RestoreReport> {
  const path = resolve(order.file);
  const manifest = await readManifest(path);
  ensureKind(target, manifest);
  await createDataDir(target.data_dir);
  const unpacked = { path, manifest, sample: order.sample, clock };
  return isPostgresql(target.database_url) ? intoServer(target, unpacked) : intoFile(target, unpacked);
}

function ensureKind({ database_url }: Target, { database }: BackupManifest): void {
  const kind = isPostgresql(database_url) ? "postgresql" : "sqlite";
  if (kind === database) return;
  const names = { postgresql: "a PostgreSQL database", sqlite: "a SQLite file" };
  throw new OrchError("input_invalid", `the backup is of ${names[database]}, and DATABASE_URL names ${names[kind]}`, {
    fix: `set DATABASE_URL to ${names[database]}`,
  });
}

async function intoFile({ database_url, data_dir }: Target, unpacked: Unpacked): Promise<RestoreReport> {
  const path = sqlitePath(database_url);
  const lock = await lockDatabase(path);
  try {
    await ensureNoFile(path);
    const aside = `${path}.restoring`;
    await removeSqlite(aside);
    try {
      const done = await fillFile(aside, unpacked);
      const token = await writeToken(data_dir, done.token);
      await rename(aside, path);
      moment("restore:named");
      await syncDirectory(dirname(path));
      return { ...done, manifest: unpacked.manifest, token };
    } catch (error) {
      await removeSqlite(aside);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

async function fillFile(aside: string, unpacked: Unpacked) {
  const token = await unpack(unpacked, (source) => source(createWriteStream(aside, { mode: 0o600, flags: "wx" })));
  moment("restore:unpacked");
  const { path, manifest } = unpacked;
  ensureSame(path, manifest, await examineCopy(aside, { reads: false }));
  const done = await settleRestored(`file:${aside}`, unpacked);
  moment("restore:settled");
  await syncFile(aside);
  return { ...done, token };
}

async function ensureNoFile(path: string): Promise<void> {
  for (const name of [path, `${path}-wal`]) {
    const found = await stat(name).catch(() => null);
    if (found === null) continue;
    throw new OrchError("database_unusable", `there is a database at ${path} already`, {
      fix: "restore into an empty place: set ORCH_DATA_DIR or DATABASE_URL to it. A backup is never restored over anything",
    });
  }
}

async function syncFile(path: string): Promise<void> {
  if ((await stat(`${path}-wal`).catch(() => null)) !== null) throw new Error(`the log of ${path} was not closed`);
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

async function intoServer({ database_url, data_dir }: Target, unpacked: Unpacked): Promise<RestoreReport> {
  const given = await unpack(unpacked, async (source) => {
    const dump = new PassThrough();
    await Promise.all([source(dump), fillPostgresql(database_url, dump).finally(() => dump.destroy())]);
  });
  moment("restore:unpacked");
  const done = await settleRestored(database_url, unpacked);
  moment("restore:settled");
  const token = await writeToken(data_dir, given);
  await unmarkPostgresql(database_url);
  return { manifest: unpacked.manifest, ...done, token };
}

type Source = (into: NodeJS.WritableStream) => Promise<void>;

/** Resolves with the token; null where there is none. */
async function unpack({ path, manifest }: Unpacked, fill: (source: Source) => Promise<void>): Promise<string | null> {
  let token: string | null = null;
  await readParts(path, manifest, async (name, source) => {
    if (name === "database") return fill(source);
    const into = new PassThrough();
    const [bytes] = await Promise.all([buffer(into), source(into)]);
    token = bytes.toString("utf8");
  });
  return token;
}

/** Once everything is verified: what was refused leaves nothing. */
async function writeToken(data_dir: string, token: string | null): Promise<RestoreReport["token"]> {
  if (token === null) return "none";
  return writeFile(tokenPath(data_dir), `${token}\n`, { flag: "wx", mode: 0o600, flush: true }).then(
    () => "restored",
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return "kept";
      throw error;
    },
  );
}
