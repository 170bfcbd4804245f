// Finds every path under which a command could reach a file: the mounts of this process from /proc/self/mountinfo, the other names of a
// path in them, and where a hidden file is by now. Skips paths that this account cannot reach: its commands cannot either.
import { closeSync, fstatSync, openSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";

export type MountEntry = {
  readonly id: string;
  readonly parent: string;
  /** The device of the file system; `root` is its mounted directory or file. */
  readonly device: string;
  readonly root: string;
  readonly path: string;
  readonly type: string;
  readonly is_read_only: boolean;
};

/** The mounts that a path can reach, without those that another mount covers. */
export function mountsIn(mountinfo: string): MountEntry[] {
  const mounts = mountinfo.split("\n").flatMap((line) => mountOf(line) ?? []);
  const known = new Map(mounts.map((mount) => [mount.id, mount]));
  const siblings = Map.groupBy(mounts, ({ parent }) => parent);
  const isReachable = ({ id, parent, path }: MountEntry): boolean => {
    const above = known.get(parent);
    // Of two mounts on the same parent, the outer one is the later one; otherwise the inner one would be on top of it.
    const covered = (siblings.get(parent) ?? []).some((other) => other.id !== id && isBelow(path, other.path));
    return !covered && (above === undefined || above.id === id || isReachable(above));
  };
  return mounts.filter(isReachable);
}

/** Other paths to the same file or to parts of it: a file system may be mounted more than once. */
export function aliasesOf(path: string, mounts: readonly MountEntry[]): string[] {
  const home = mountOver(path, mounts);
  if (home === undefined) return [];
  const place = joined(home.root, below(path, home.path));
  return mounts
    .filter(({ device }) => device === home.device)
    .flatMap((mount) => {
      if (!isWithin(place, mount.root)) return isBelow(mount.root, place) ? [mount.path] : [];
      const alias = joined(mount.path, below(place, mount.root));
      return alias !== path && mountOver(alias, mounts) === mount ? [alias] : [];
    });
}

/** Real paths, with the other names of each. Without a path nothing is read. */
export function underAllNames(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const mounts = mountsIn(readFileSync("/proc/self/mountinfo", "utf8"));
  return [...new Set(paths.flatMap((path) => [path, ...aliasesOf(path, mounts)]))];
}

/** Whether the path is the directory or is below it. */
export const isWithin = (path: string, directory: string): boolean => path === directory || isBelow(path, directory);

export const isWithinAny = (path: string, all: readonly string[]): boolean => all.some((one) => isWithin(path, one));

export const isBelow = (path: string, directory: string): boolean =>
  path !== directory && path.startsWith(directory === "/" ? "/" : `${directory}/`);

/** `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`: blanks in a path are written as octal numbers. */
function mountOf(line: string): MountEntry | null {
  const [id, parent, device, root, path, options = ""] = line.split(" ");
  const type = / - (\S+) /.exec(line)?.[1];
  if (id === undefined || parent === undefined || device === undefined || type === undefined) return null;
  const is_read_only = options.split(",").includes("ro");
  return { id, parent, device, root: unescaped(root ?? "/"), path: unescaped(path ?? "/"), type, is_read_only };
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

const mountOver = (path: string, mounts: readonly MountEntry[]): MountEntry | undefined =>
  mounts
    .filter((mount) => isWithin(path, mount.path))
    .reduce<MountEntry | undefined>(
      (last, mount) => (mount.path.length < (last?.path.length ?? 0) ? last : mount),
      undefined,
    );

const below = (path: string, directory: string): string => path.slice(directory === "/" ? 0 : directory.length);

const joined = (directory: string, rest: string): string => `${directory === "/" ? "" : directory}${rest}` || "/";

/** Mounted afresh in every space. */
const FRESH = ["/proc", "/dev"];

/** Programs write here, and the sockets of other programs are here: a private space has its own. */
export const OF_THE_COMMAND = ["/tmp", "/var/tmp", "/run"];

/** While a space is made, what must stay in reach is kept here. */
export const STAGE = "/sys";

/** Directories that have a meaning of their own in every space. */
export const isFresh = (path: string): boolean => FRESH.some((fresh) => isWithin(path, fresh));

/** A real path; `id` changes when another file takes its place. */
export type FoundPath = { readonly path: string; readonly is_directory: boolean; readonly id: string };

/** orch mounts fresh ones for a step. Another mount of such a file system would bypass them. */
const OF_THE_KERNEL = /^(proc|sysfs|devtmpfs|cgroup2?|debugfs|tracefs|configfs|securityfs|bpf)$/;

/** Finds the hidden paths under all their names, and other mounts of kernel file systems. */
export async function everywhere(hidden: readonly string[], mounts: readonly MountEntry[]): Promise<FoundPath[]> {
  const paths = (await entriesAt(withMovedPaths(hidden))).map(({ path }) => path);
  const aliases = paths.flatMap((path) => aliasesOf(path, mounts));
  const windows = mounts.filter(({ path, type }) => OF_THE_KERNEL.test(type) && !isWithin(path, "/sys"));
  const all = await entriesAt([...paths, ...aliases, ...windows.map(({ path }) => path)]);
  return all.filter(({ path }) => !isFresh(path));
}

export const outermost = (entries: readonly FoundPath[]): FoundPath[] =>
  entries.filter(({ path }) => !entries.some((other) => isBelow(path, other.path)));

/** Returns the paths that this account can reach, each once. */
export async function entriesAt(paths: readonly string[]): Promise<FoundPath[]> {
  const entries = await Promise.all([...new Set(paths)].map(entryAt));
  return [...new Map(entries.flatMap((entry) => (entry === null ? [] : [[entry.path, entry]]))).values()];
}

/** Rejects when it is unknown whether a command could reach the path. */
async function entryAt(given: string): Promise<FoundPath | null> {
  try {
    const path = await realpath(given);
    const found = await stat(path);
    return { path, is_directory: found.isDirectory(), id: identityOf(found) };
  } catch (error) {
    if (OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

const OUT_OF_REACH = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

/** Linux: opens the path without the right to read it. Node does not export this flag. */
const O_PATH = 0o10000000;

type OpenFile = { readonly id: string; readonly fd: number };

/** All files that orch has found at each path. orch keeps them open to find them again after a move. */
const open_files = new Map<string, readonly OpenFile[]>();

/** Adds the current path of each file to the paths: a step may have moved its directory. */
export const withMovedPaths = (paths: readonly string[]): readonly string[] => [...new Set(paths.flatMap(pathsOf))];

function pathsOf(path: string): readonly string[] {
  const files = [...(open_files.get(path) ?? []), ...openNew(path)].map((file) => ({ file, now: currentPath(file) }));
  open_files.set(
    path,
    files.flatMap(({ file, now }) => (now === null ? [] : [file])),
  );
  return [path, ...files.flatMap(({ now }) => now ?? [])];
}

/** Opens the file at the path, unless orch has it open already. */
function openNew(path: string): readonly OpenFile[] {
  try {
    const id = identityOf(statSync(path));
    if (open_files.get(path)?.some((file) => file.id === id) === true) return [];
    const fd = openSync(path, O_PATH);
    return [{ id: identityOf(fstatSync(fd)), fd }];
  } catch {
    return []; // The file does not exist, or this account cannot reach it.
  }
}

/** Closes a removed file and returns null for it. */
function currentPath({ fd }: OpenFile): string | null {
  const path = readlinkSync(`/proc/self/fd/${fd}`);
  if (path.startsWith("/") && !path.endsWith(" (deleted)")) return path;
  closeSync(fd);
  return null;
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
