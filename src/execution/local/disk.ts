// Reads the files that steps run, and lists directories that hold them. A device or a pipe is no script, and what the step must not
// see is not read for it: findings quote what they found (D-265). Keeps the texts that were judged, so that an
// approval can show what has changed in one.
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { TaskContract } from "../../domain/contract.ts";
import { digestOf } from "../../domain/json.ts";
import {
  type DirectoryEntry,
  type Disk,
  type FileOnDisk,
  type KeptTexts,
  MAX_JUDGED_BYTES,
  type ScriptText,
  textOf,
} from "../../domain/script.ts";
import { everywhere, isFresh, isWithinAny, mountsIn, OF_THE_COMMAND, underAllNames } from "../sandbox/mounts.ts";
import type { StepAccount } from "../sandbox/sandbox.ts";
import { type AgentPlaces, namedIn, plantedLink } from "./agent-places.ts";

/** `path` is that of the opened file, after all links. */
type MayRead = (path: string, found: Stats) => Promise<boolean>;

/** A text without the secrets that orch knows. */
type JudgedAs = (text: string) => string;

async function opened<T>(path: string, mayRead: MayRead, use: (file: FileHandle, found: Stats) => Promise<T | null>) {
  try {
    // A pipe without a writer would keep an opening without O_NONBLOCK waiting.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    try {
      const found = await file.stat();
      // Of the open file: a link may lead elsewhere by now.
      if (!(await mayRead(await readlink(`/proc/self/fd/${file.fd}`), found))) return null;
      return await use(file, found);
    } finally {
      await file.close();
    }
  } catch {
    // Then the step cannot read it either.
    return null;
  }
}

const diskWith = (mayReadNow: () => Promise<MayRead | null>, judgedAs: JudgedAs): Disk => ({
  read: async (path) => {
    const mayRead = await mayReadNow();
    if (mayRead === null) return null;
    return opened(path, mayRead, async (file, found) => {
      if (!found.isFile()) return null;
      const target = await targetOf(path);
      return { ...(await readWhole(file, found.size, judgedAs)), ...(target !== path && { target }) };
    });
  },
  list: async (path) => {
    const mayRead = await mayReadNow();
    if (mayRead === null) return null;
    return opened(path, mayRead, async (file, found) =>
      found.isDirectory() ? entriesOf(`/proc/self/fd/${file.fd}`) : null,
    );
  },
});

const MAX_LINKS = 40;

/** Follows symbolic links in the last part of the path, as `readlink -f "$0"` does. */
async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const link = await readlink(target).catch(() => null);
    if (link === null) break;
    target = resolve(dirname(target), link);
  }
  return target;
}

/** The digest is of the whole file, however long it is; the text is kept only where it can be judged. */
async function readWhole(file: FileHandle, size: number, judgedAs: JudgedAs): Promise<FileOnDisk> {
  const bytes = createHash("sha256");
  const kept: Buffer[] = [];
  let length = 0;
  // A file that grows while it is read has an end.
  const stream = size === 0 ? [] : file.createReadStream({ autoClose: false, start: 0, end: size - 1 });
  for await (const chunk of stream) {
    const part = chunk as Buffer;
    bytes.update(part);
    length += part.length;
    if (length <= MAX_JUDGED_BYTES) kept.push(part);
  }
  const whole = Buffer.concat(kept);
  if (isBinary(whole)) return { digest: bytes.digest("hex"), content: "no text" };
  if (length > MAX_JUDGED_BYTES) return { digest: bytes.digest("hex"), content: "too long" };
  const text = whole.toString("utf8").replaceAll("\0", "");
  const digest = whole.includes(0) || !isUtf8(whole) ? bytes.digest("hex") : digestOf(text);
  return { digest, content: { text, judged: judgedAs(text) } };
}

/** Starts of programs and archives. Shells leave out a NUL, and take any other byte as it is: all else may be a script. */
const BINARY = ["\x7fELF", "MZ", "PK\x03\x04", "\xca\xfe\xba\xbe", "\xcf\xfa\xed\xfe", "\0asm", "\x1f\x8b", "\xfd7zXZ"];

const HEAD = 64;

function isBinary(bytes: Buffer): boolean {
  const head = bytes.subarray(0, HEAD);
  const start = head.toString("latin1");
  return head.includes(0) && BINARY.some((one) => start.startsWith(one));
}

async function entriesOf(path: string): Promise<DirectoryEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const { name } = entry;
      const at = entry.isSymbolicLink() ? await stat(join(path, name)).catch(() => null) : entry;
      if (at?.isFile() === true) return [{ name, is: "file" } as const];
      if (at?.isDirectory() !== true) return [];
      return [{ name, is: entry.isSymbolicLink() ? "linked directory" : "directory" } as const];
    }),
  );
  return found.flat();
}

/** For steps that see all but what is hidden. */
export const createDisk = (hidden: readonly string[], judgedAs: JudgedAs): Disk =>
  diskWith(async () => {
    const covered = await coveredBy(hidden);
    return async (real) => !isWithinAny(real, covered);
  }, judgedAs);

export const textAtOf =
  (disk: Disk) =>
  async (path: string): Promise<ScriptText | null> =>
    textOf(await disk.read(path));

type OfAgents = {
  readonly hidden: readonly string[];
  readonly writable: readonly string[];
  readonly account: StepAccount | null;
  readonly home: string;
  readonly places: Pick<AgentPlaces, "all">;
  readonly judgedAs: JudgedAs;
};

/** For commands of agents: of what they share with the machine, what their account may read. */
export const createDiskForAgents =
  ({ hidden, writable, account, home, places, judgedAs }: OfAgents) =>
  (contract: TaskContract): Disk =>
    diskWith(async () => {
      const named = namedIn(contract);
      const all = underAllNames(places.all());
      const links = await Promise.all(named.map((one) => plantedLink(one, all)));
      if (links.some((link) => link !== null)) return null;
      const [covered, open, own] = await Promise.all([
        coveredBy(hidden),
        realPaths([...writable, ...named]),
        realPaths([...OF_THE_COMMAND, home]),
      ]);
      return async (real, found) => {
        if (isFresh(real) || isWithinAny(real, covered)) return false;
        if (isWithinAny(real, own) && !isWithinAny(real, open)) return false;
        return account === null || isReadableBy(account, real, found);
      };
    }, judgedAs);

/** Under all their names. */
async function coveredBy(hidden: readonly string[]): Promise<string[]> {
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8"));
  return [...(await realPaths(hidden)), ...(await everywhere(hidden, mounts)).map(({ path }) => path)];
}

const realPaths = (paths: readonly string[]): Promise<string[]> =>
  Promise.all(paths.map((path) => realpath(path).catch(() => path)));

const [MAY_READ, MAY_ENTER] = [4, 1];

/** Its groups beside its own, and lists of rights, are left out: then a script is judged as one that cannot be read. */
async function isReadableBy(account: StepAccount, path: string, file: Stats): Promise<boolean> {
  const may = (found: Stats, right: number): boolean => {
    const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0;
    return ((found.mode >> shift) & right) !== 0;
  };
  if (!may(file, MAY_READ)) return false;
  for (let above = dirname(path); ; above = dirname(above)) {
    if (!may(await stat(above), MAY_ENTER)) return false;
    if (above === "/") return true;
  }
}

/** Those that were kept first are removed. */
const MOST_KEPT = 500;

/** What cannot be kept or read is shown by its digest only. */
export const createKeptTexts = (directory: string): KeptTexts => ({
  keep: async (texts) => {
    for (const { digest, text } of texts) await keepOne(directory, digest, text).catch(() => undefined);
  },
  read: async (digest) => (isDigest(digest) ? readFile(join(directory, digest), "utf8").catch(() => null) : null),
});

const isDigest = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

async function keepOne(directory: string, digest: string, text: string): Promise<void> {
  const path = join(directory, digest);
  if (!isDigest(digest) || (await stat(path).catch(() => null)) !== null) return;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unfinished = `${path}.new`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
  await removeOldest(directory);
}

async function removeOldest(directory: string): Promise<void> {
  const names = await readdir(directory);
  if (names.length <= MOST_KEPT) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, kept_at: (await stat(join(directory, name))).mtimeMs })),
  );
  const oldest = files.toSorted((a, b) => a.kept_at - b.kept_at).slice(0, names.length - MOST_KEPT);
  for (const { name } of oldest) await rm(join(directory, name), { force: true });
}
