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
  ArchivedTask as ArchivedRecord,
  type ArchivedTask,
  type ArchiveFile,
  type KeptArchive,
} from "../domain/task.ts";
import { moment } from "../process/moment.ts";
import type { Database } from "./database.ts";
import { guarded } from "./database-errors.ts";
import type { JournalEvent as EventRow } from "./generated/sqlite/client.ts";
import { sizeOf } from "./migration-plan.ts";
import { damaged, read, withSum } from "./rows.ts";
import { archivableTasks, type Session } from "./sql.ts";

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

type Wanted = { readonly thread_id: string; readonly after: number };

export type ArchiveReader = {
  /** The rows, after those of the archive that come before the first of them. */
  readonly before: (archived: Session["archived"], wanted: Wanted, rows: EventRow[]) => Promise<EventRow[]>;
};

export const createArchiveReader = (directory: string | null): ArchiveReader => ({
  before: async (table, { thread_id, after }, rows) => {
    const archived = await findArchived(table, thread_id);
    const first = rows[0]?.seq ?? 0;
    // What is after the end of the archived part is all in the database.
    if (archived === null || after >= archived.last_seq) return rows;
    const events = await journalIn(directory, archived);
    const missing = events.filter(({ seq }) => seq > after && seq < first);
    // As a row has it: the text that was hashed.
    const earlier = missing.map(({ body, ...event }): EventRow => {
      const message = isMessage(event.kind as EventKind);
      return { ...event, body: canonicalJson(body), message, cursor: 0 };
    });
    return [...earlier, ...rows];
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

export const readArchived = ({ client }: Pick<Database, "client">): KeptArchive => {
  const { archived } = client;
  const endOf = async (file: string): Promise<number> => {
    const last = await archived.findFirst({ where: { file }, orderBy: { file_offset: "desc" } });
    return last === null ? 0 : last.file_offset + last.file_bytes;
  };
  return {
    listArchivable: guarded((page) => archivableTasks(client, page)),
    archivedEnd: guarded(endOf),
    listArchiveFiles: guarded(async () => {
      const files = await archived.groupBy({ by: ["file"], orderBy: { file: "asc" } });
      return Promise.all(files.map(async ({ file }) => ({ file, file_end: await endOf(file) })));
    }),
    findArchived: guarded((task_id) => findArchived(archived, task_id)),
  };
};

async function findArchived(archived: Session["archived"], task_id: string): Promise<ArchivedTask | null> {
  const row = await archived.findUnique({ where: { task_id } });
  return row === null ? null : read(ArchivedRecord, `archived task ${task_id}`, [], row);
}

/** False where something was added since, or it is archived already. */
export async function archiveTask(task: ArchivedTask, { archived, journalEvent }: Session): Promise<boolean> {
  const { task_id, last_seq, last_hash } = task;
  const last = await journalEvent.findFirst({ where: { thread_id: task_id }, orderBy: { seq: "desc" } });
  if (last?.seq !== last_seq || last.hash !== last_hash) return false;
  if ((await archived.findUnique({ where: { task_id } })) !== null) return false;
  await archived.create({ data: withSum(task) });
  await journalEvent.deleteMany({ where: { thread_id: task_id, seq: { lt: last_seq } } });
  return true;
}
