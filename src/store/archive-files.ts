// Writes bundles to a file of the archive (D-373): a zstd frame for each, so that one can be read by its place and the whole by zstd. What is
// after the end that the database knows was written by a run that was cut off, and is written over.
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import type { ArchivedTask } from "../domain/archived.ts";
import { sha256 } from "../domain/json.ts";
import { moment } from "../process/moment.ts";
import { bundleText } from "./archive-reader.ts";

const compress = promisify(zstdCompress);
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

export type Placed = Pick<ArchivedTask, "task_id" | "file" | "file_offset" | "file_bytes" | "bundle_digest">;

/** A line of JSON for each task. */
type Bundle = { readonly task_id: string; readonly text: string };

export const createArchiveFiles = (directory: string) => ({
  /** Appends at `end`, and resolves once all of it is on the disk and was read back. */
  async append(file: string, end: number, bundles: readonly Bundle[]): Promise<Placed[]> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const placed: Placed[] = [];
    const frames: Buffer[] = [];
    let file_offset = end;
    for (const { task_id, text } of bundles) {
      const frame = await compress(text, COMPRESSION);
      placed.push({ task_id, file, file_offset, file_bytes: frame.length, bundle_digest: sha256(text) });
      frames.push(frame);
      file_offset += frame.length;
    }
    await write(join(directory, file), end, Buffer.concat(frames));
    moment("archive:written");
    const lines = placed.map(({ file: _file, ...line }) => `${JSON.stringify(line)}\n`);
    await writeIndex(join(directory, `${file}.index`), lines, end);
    await flush(directory);
    for (const place of placed) await bundleText(directory, { ...place, last_seq: 0, last_hash: "" });
    moment("archive:read back");
    return placed;
  },
});

async function write(path: string, end: number, bytes: Buffer): Promise<void> {
  const handle = await open(path, "a+", 0o600);
  const size = (await handle.stat()).size;
  await handle.close();
  if (size < end)
    throw new Error(`${path} has ${size} bytes, and the database knows of ${end}: what was archived is gone`);
  const file = await open(path, "r+");
  try {
    await file.truncate(end);
    await file.write(bytes, 0, bytes.length, end);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** For who reads the archive without orch. Lines of a run that was cut off are left out. */
async function writeIndex(path: string, lines: readonly string[], end: number): Promise<void> {
  const file = await open(path, "a+", 0o600);
  try {
    const before = (await file.readFile("utf8")).split("\n").filter((line) => line !== "" && offsetIn(line) < end);
    const known = Buffer.from(before.map((line) => `${line}\n`).join(""), "utf8");
    await file.truncate(known.length);
    await file.appendFile(lines.join(""));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A half of a line counts as one of a run that was cut off. */
function offsetIn(line: string): number {
  const [, offset] = /"file_offset":(\d+)/.exec(line) ?? [];
  return line.endsWith("}") && offset !== undefined ? Number(offset) : Number.POSITIVE_INFINITY;
}

async function flush(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  await handle.sync().finally(() => handle.close());
}
