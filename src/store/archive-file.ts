// Writes bundles to a file of the archive (D-373), and reads the journal of an archived task from it by its place and its
// digest. A bundle is a zstd frame, so that one can be read by its place and the whole by zstd. Nothing is ever written
// over: of a month, the first file is used that ends where this database knows it to, and else a new one is begun.
import { mkdir, open, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress, zstdDecompress } from "node:zlib";
import { z } from "zod";
import { wordsOf } from "../domain/errors.ts";
import { type EventKind, EventRecord, isMessage } from "../domain/journal.ts";
import { sha256 } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import {
  type Archivable,
  ArchivedTask as ArchivedRecord,
  type ArchivedTask,
  type ArchiveFile,
  type KeptArchive,
} from "../domain/task.ts";
import { moment } from "../process/moment.ts";
import type { Database } from "./database.ts";
import { sizeOf } from "./migration-plan.ts";
import { damaged, findRow, insertRow, read, withSum } from "./rows.ts";
import { guarded, type Sql, type SqlConnection } from "./sql.ts";

const compress = promisify(zstdCompress);
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

export type Placed = Pick<ArchivedTask, "task_id" | "file" | "file_offset" | "file_bytes" | "bundle_digest">;

/** A line of JSON for each task. */
type Bundle = { readonly task_id: string; readonly text: string };

/** Where the database knows a file to end; 0 for one that it does not know. */
type EndOf = (file: string) => Promise<number>;

export const createArchiveFiles = (directory: string) => ({
  /** Appends to a file of the month, and resolves once all of it is on the disk and was read back. */
  async append(month: string, endOf: EndOf, bundles: readonly Bundle[]): Promise<Placed[]> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { file, end } = await freeFile(directory, month, endOf);
    const placed: Placed[] = [];
    const frames: Buffer[] = [];
    let file_offset = end;
    for (const { task_id, text } of bundles) {
      const frame = await compress(text, COMPRESSION);
      placed.push({ task_id, file, file_offset, file_bytes: frame.length, bundle_digest: sha256(text) });
      frames.push(frame);
      file_offset += frame.length;
    }
    await add(join(directory, file), Buffer.concat(frames));
    moment("archive:written");
    const lines = placed.map(({ file: _file, ...line }) => `${JSON.stringify(line)}\n`);
    await add(join(directory, `${file}.index`), Buffer.from(lines.join(""), "utf8"));
    await flush(directory);
    // Also where another writer was faster: then it is not at its place, and stays in the database.
    for (const place of placed) await bundleText(directory, { ...place, last_seq: 0, last_hash: "" });
    moment("archive:read back");
    return placed;
  },
});

/** Rejects where less is there than the database knows, such as in a directory that is not mounted: what came next would be hidden later. */
export async function ensureThere(directory: string, files: readonly ArchiveFile[]): Promise<void> {
  for (const { file, file_end } of files) await ensureLong(join(directory, file), file_end);
}

async function ensureLong(path: string, end: number): Promise<number> {
  const size = (await sizeOf(path)) ?? 0;
  if (size >= end) return size;
  throw new Error(`${path} has ${size} bytes, and the database knows of ${end}: is ORCH_ARCHIVE_DIR mounted?`);
}

/** What is longer than this database knows was written by a run that was cut off, another server, or the database that this one is a backup of. */
async function freeFile(directory: string, month: string, endOf: EndOf): Promise<{ file: string; end: number }> {
  for (let nth = 1; ; nth += 1) {
    const file = `${month}${nth === 1 ? "" : `.${nth}`}.ndjson.zst`;
    const end = await endOf(file);
    if ((await ensureLong(join(directory, file), end)) === end) return { file, end };
  }
}

/** What is cut off stays in the file, so that no look after look fills a disk that is nearly full. */
const MARGIN = 1_000_000;

async function add(path: string, bytes: Buffer): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize < bytes.length + MARGIN) throw new Error(`there is no room for ${bytes.length} bytes in ${path}`);
  const file = await open(path, "a", 0o600);
  try {
    await file.appendFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function flush(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}

const decompress = promisify(zstdDecompress);

const Archived = z.object({ journal: z.array(EventRecord) });

type Row = { readonly seq: number };
type Wanted = { readonly thread_id: string; readonly after: number };

export type ArchiveReader = {
  /** The rows, after those of the archive that come before the first of them. */
  readonly before: <T extends Row>(connection: SqlConnection, wanted: Wanted, rows: T[]) => Promise<T[]>;
};

export const createArchiveReader = (directory: string | null): ArchiveReader => ({
  before: async <T extends Row>(connection: SqlConnection, { thread_id, after }: Wanted, rows: T[]) => {
    const archived = await readArchived({ connection }).findArchived(thread_id);
    const first = rows[0]?.seq ?? 0;
    // What is after the end of the archived part is all in the database.
    if (archived === null || after >= archived.last_seq) return rows;
    const events = await journalIn(directory, archived);
    const missing = events.filter(({ seq }) => seq > after && seq < first);
    // As a row has it: the text that was hashed.
    const earlier = missing.map(({ body, ...event }) => {
      const message = isMessage(event.kind as EventKind);
      return { ...event, body: canonicalJson(body), message, cursor: 0 };
    });
    return [...(earlier as unknown as T[]), ...rows];
  },
});

async function journalIn(directory: string | null, archived: ArchivedTask): Promise<z.infer<typeof EventRecord>[]> {
  const { task_id, file } = archived;
  const name = `the journal of ${task_id} is in ${file} of the archive`;
  if (directory === null) throw damaged(`${name}, and ORCH_ARCHIVE_DIR is not set`);
  try {
    return Archived.parse(JSON.parse(await bundleText(directory, archived))).journal;
  } catch (error) {
    throw damaged(`${name}, which cannot be read: ${wordsOf(error)}`);
  }
}

/** Rejects where it is not the text that was archived. */
async function bundleText(
  directory: string,
  { file, file_offset, file_bytes, bundle_digest }: Omit<ArchivedTask, "archived_at">,
): Promise<string> {
  const handle = await open(join(directory, file), "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(file_bytes), 0, file_bytes, file_offset);
    if (bytesRead < file_bytes) throw new Error(`it ends after ${bytesRead} of ${file_bytes} bytes`);
    const text = (await decompress(buffer)).toString("utf8");
    if (sha256(text) !== bundle_digest) throw new Error("the bundle is not as it was archived");
    return text;
  } finally {
    await handle.close();
  }
}

// Keeps rows of what is in the archive (D-373). The last event of an archived journal stays, so that what comes later is
// chained to it.

export const readArchived = ({ connection }: Pick<Database, "connection">): KeptArchive => ({
  listArchivable: guarded(({ limit, after, ended_before, unverified_since }) =>
    connection.rows<Archivable>({
      sql: ARCHIVABLE,
      args: [after?.ended_at ?? "", after?.ended_at ?? "", after?.task_id ?? "", ended_before, unverified_since, limit],
    }),
  ),
  archivedEnd: guarded(async (file) => {
    const sql = "SELECT COALESCE(MAX(file_offset + file_bytes), 0) AS file_end FROM archived WHERE file = ?";
    const [row] = await connection.rows<{ file_end: unknown }>({ sql, args: [file] });
    return Number(row?.file_end ?? 0);
  }),
  listArchiveFiles: guarded(async () => {
    const sql = "SELECT file, MAX(file_offset + file_bytes) AS file_end FROM archived GROUP BY file ORDER BY file";
    const rows = await connection.rows<{ file: string; file_end: unknown }>({ sql, args: [] });
    return rows.map(({ file, file_end }) => ({ file, file_end: Number(file_end) }));
  }),
  findArchived: guarded(async (task_id) => {
    const row = await findRow(connection, "archived", { task_id });
    return row === null ? null : read(ArchivedRecord, `archived task ${task_id}`, [], row);
  }),
});

const ARCHIVABLE = `SELECT task_id, ended_at FROM task
  WHERE (ended_at > ? OR (ended_at = ? AND task_id > ?)) AND ended_at < ?
    AND status IN ('ok', 'failed', 'blocked', 'cancelled')
    AND NOT (status = 'ok' AND verification IS NULL AND ended_at >= ?)
    AND (verification IS NULL OR verification NOT LIKE '%"verified":false%')
    AND EXISTS (SELECT 1 FROM task_score WHERE task_score.task_id = task.task_id)
    AND NOT EXISTS (SELECT 1 FROM archived WHERE archived.task_id = task.task_id)
    AND NOT (status = 'ok' AND contract LIKE '%"verify_by":%' AND verification IS NULL)
    AND NOT EXISTS (SELECT 1 FROM sop WHERE sop.status = 'active' AND sop.origin IN (task.task_id, 'update_sop ' || task.task_id))
    AND NOT EXISTS (SELECT 1 FROM sop WHERE sop.status = 'active' AND sop.sop_id = task.sop_id AND task.task_id = (
      SELECT score.task_id FROM task_score score WHERE score.sop_id = sop.sop_id AND score.status = 'ok'
      ORDER BY score.ended_at DESC, score.task_id LIMIT 1))
  ORDER BY ended_at, task_id LIMIT ?`;

/** False where something was added since, or it is archived already. */
export async function archiveTask(archived: ArchivedTask, sql: Sql): Promise<boolean> {
  const { task_id, last_seq, last_hash } = archived;
  const [last] = await sql.rows<{ seq: number; hash: string }>({
    sql: "SELECT seq, hash FROM journal_event WHERE thread_id = ? ORDER BY seq DESC LIMIT 1",
    args: [task_id],
  });
  if (last === undefined || Number(last.seq) !== last_seq || last.hash !== last_hash) return false;
  if ((await findRow(sql, "archived", { task_id })) !== null) return false;
  await sql.run(insertRow("archived", withSum(archived)));
  await sql.run({ sql: "DELETE FROM journal_event WHERE thread_id = ? AND seq < ?", args: [task_id, last_seq] });
  return true;
}

/** What was folded of an archived journal is not folded again. */
export const DELETE_SCORES = {
  sql: "DELETE FROM task_score WHERE task_id NOT IN (SELECT task_id FROM archived)",
  args: [],
};
