// Reads the journal of an archived task from its file (D-373): a bundle, by its place and its digest.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { z } from "zod";
import type { ArchivedTask } from "../domain/archived.ts";
import { wordsOf } from "../domain/errors.ts";
import { type EventKind, EventRecord, isMessage } from "../domain/journal.ts";
import { sha256 } from "../domain/json.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { readArchived } from "./archived.ts";
import { damaged } from "./rows.ts";
import type { SqlConnection } from "./sql-connection.ts";

const decompress = promisify(zstdDecompress);

/** What is asked of a bundle here. */
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
export async function bundleText(
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
