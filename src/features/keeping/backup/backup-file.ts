// The file of a backup: a page with its manifest as one line of JSON, which `head -1` shows, and then its parts, each compressed by zstd. It
// is written under another name beside its own, brought to the disk, and only then given its name: a backup is whole or is not there.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { type FileHandle, link, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import {
  BACKUP_FORMAT,
  type Backed,
  BackupManifest,
  type BackupPart,
  type PackedBytes,
  type PartName,
} from "../../../domain/backup.ts";
import { OrchError } from "../../../domain/errors.ts";
import { JOURNAL_LEVEL } from "../../../domain/journal.ts";
import { parseJson } from "../../../domain/json-values.ts";
import { moment } from "../../../process/moment.ts";
import { isAlive } from "../../../store/sqlite-lock.ts";

/** The manifest is written last, into the place that is kept for it. */
export const MANIFEST_BYTES = 4_096;

/** Without an end that says its checksum, a decompressor does not notice a wrong byte. */
const COMPRESSION = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

type Pack = (name: PartName, source: Readable) => Promise<void>;

/** `gather` packs the parts and says what they hold. Refuses a file that is there. Resolves with what was written. */
export async function writeBackup(
  path: string,
  version: string,
  gather: (pack: Pack) => Promise<Backed>,
): Promise<BackupManifest> {
  await removeLeftovers(path);
  const aside = `${path}.${process.pid}.partial`;
  const file = await open(aside, "wx", 0o600).catch((error: NodeJS.ErrnoException) => refuse(path, error));
  try {
    const manifest = await filled(file, version, gather);
    await file.sync();
    moment("backup:written");
    await nameAs(aside, path);
    moment("backup:named");
    await syncDirectory(dirname(path));
    return manifest;
  } finally {
    await file.close();
    await rm(aside, { force: true });
  }
}

/** A directory of FAT, exFAT or SMB has no links: there the name is taken first, and the file moved over it. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

export async function nameAs(aside: string, path: string, linked = link): Promise<void> {
  const error = await linked(aside, path).then(
    () => null,
    (found: NodeJS.ErrnoException) => found,
  );
  if (error === null) return;
  if (!WITHOUT_LINKS.has(error.code ?? "")) refuse(path, error);
  const taken = await open(path, "wx", 0o600).catch((found: NodeJS.ErrnoException) => refuse(path, found));
  await taken.close();
  await rename(aside, path);
}

async function filled(file: FileHandle, version: string, gather: (pack: Pack) => Promise<Backed>) {
  const parts: BackupPart[] = [];
  let start = MANIFEST_BYTES;
  const backed = await gather(async (name, source) => {
    const part = await writePart(file, start, source);
    parts.push({ name, ...part });
    start += part.bytes;
    moment(`backup:packed ${name}`);
  });
  const manifest: BackupManifest = { orch_backup: BACKUP_FORMAT, orch: version, ...backed, parts };
  const line = `${JSON.stringify(manifest).padEnd(MANIFEST_BYTES - 1)}\n`;
  await file.write(Buffer.from(line, "utf8"), 0, MANIFEST_BYTES, 0);
  return manifest;
}

async function writePart(file: FileHandle, start: number, source: Readable): Promise<PackedBytes> {
  const measured = measuring();
  const target = createWriteStream("", { fd: file.fd, start, autoClose: false });
  await pipeline(source, createZstdCompress(COMPRESSION), measured.through, target);
  return measured.result();
}

/** The parts in their order, checked and decompressed into `take`. A damaged one is refused by its name. */
export async function readParts(
  path: string,
  { parts }: BackupManifest,
  take: (name: PartName, source: (into: NodeJS.WritableStream) => Promise<void>) => Promise<void>,
): Promise<void> {
  const file = await open(path, "r");
  try {
    let start = MANIFEST_BYTES;
    for (const part of parts) {
      // Before anything is made of it.
      await ensureWhole(path, file, part, start);
      const from = start;
      await take(part.name, (into) => pipeline(reading(file, from, part.bytes), createZstdDecompress(), into));
      start += part.bytes;
    }
  } finally {
    await file.close();
  }
}

async function ensureWhole(path: string, file: FileHandle, { name, bytes, sha256 }: BackupPart, start: number) {
  const measured = measuring();
  await pipeline(reading(file, start, bytes), measured.through.resume());
  const found = measured.result();
  if (found.sha256 === sha256) return;
  const left = found.bytes < bytes ? `, and ends after ${found.bytes} of its ${bytes} bytes` : "";
  throw damaged(path, `its part "${name}" is not as it was written${left}`);
}

// A stream of the handle itself would keep it open.
const reading = (file: FileHandle, start: number, bytes: number): Readable =>
  createReadStream("", { fd: file.fd, start, end: start + bytes - 1, autoClose: false });

const damaged = (path: string, what: string): OrchError =>
  new OrchError("input_invalid", `the backup ${path} is damaged: ${what}`, { fix: "use another backup" });

type Held = Pick<Backed, "tasks" | "cursor" | "head">;

/** Throws where what was unpacked is not what the backup was made of. */
export function ensureSame(path: string, { tasks, cursor, head }: BackupManifest, found: Held): void {
  if (found.tasks !== tasks) throw damaged(path, `it holds ${found.tasks} tasks of ${tasks}`);
  if (found.cursor !== cursor) throw damaged(path, `its last event is ${found.cursor}, and should be ${cursor}`);
  if (found.head.root === head.root) return;
  throw damaged(path, `the last hashes of its ${found.head.threads} journals are not those that it was made with`);
}

function measuring() {
  const hash = createHash("sha256");
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, result: () => ({ bytes, sha256: hash.digest("hex") }) };
}

/** Those of a backup to this file that was cut off, whose process has ended. */
async function removeLeftovers(path: string): Promise<void> {
  const [folder, name] = [dirname(path), basename(path)];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => refuse(path, error));
  for (const found of names) {
    const [, pid] = /^\.(\d+)\.(?:partial|copy)/.exec(found.slice(name.length)) ?? [];
    if (found.startsWith(name) && pid !== undefined && !isAlive(Number(pid)))
      await rm(join(folder, found), { force: true });
  }
}

function refuse(path: string, error: NodeJS.ErrnoException): never {
  if (error.code === "EEXIST")
    throw new OrchError("input_invalid", `${path} is there already`, {
      fix: "name another file: no backup is overwritten",
    });
  const folder = dirname(path);
  const [what, fix] =
    error.code === "ENOENT"
      ? [`there is no directory ${folder}`, `make it first: mkdir -p ${folder}`]
      : [String(error.code), "name a file in a directory that this account can write to, on a disk with room"];
  throw new OrchError("input_invalid", `${path} cannot be written: ${what}`, { fix, cause: error });
}

/** A name is on the disk when its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  await directory
    .sync()
    .catch((error: NodeJS.ErrnoException) => {
      // A file system of another machine may not have it.
      if (error.code !== "EINVAL") throw error;
    })
    .finally(() => directory.close());
}

// Reads what a backup says of itself, and refuses what this version cannot restore.

const SIGN = '{"orch_backup":';

export async function readManifest(path: string): Promise<BackupManifest> {
  const head = await readHead(path);
  if (!head.startsWith(SIGN))
    throw new OrchError("input_invalid", `${path} is not a backup of orch`, {
      fix: "name a file of: orch backup FILE",
    });
  const found = parseJson(head.trim());
  const format = Number(Object(found).orch_backup);
  if (format > BACKUP_FORMAT)
    throw newer(path, `its format is ${format}, and this version reads ${BACKUP_FORMAT}`, found);
  const { data } = BackupManifest.safeParse(found);
  if (data === undefined) throw damaged(path, "its manifest cannot be read");
  if (data.journal_level > JOURNAL_LEVEL)
    throw newer(path, `its journals need level ${data.journal_level}, and this version reads ${JOURNAL_LEVEL}`, found);
  return data;
}

const newer = (path: string, why: string, found: unknown): OrchError =>
  new OrchError("input_invalid", `the backup ${path} is of a newer version of orch: ${why}`, {
    fix: `restore it with version ${String(Object(found).orch)} or a later one`,
  });

async function readHead(path: string): Promise<string> {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    throw new OrchError("input_invalid", `${path} cannot be read (${error.code})`, { cause: error });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MANIFEST_BYTES), 0, MANIFEST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
