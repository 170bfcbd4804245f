// Finds every path under which a step could reach a hidden file. Skips paths that this account cannot reach: its commands cannot either.
import { closeSync, fstatSync, openSync, readlinkSync, type Stats, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { aliasesOf, isBelow, isFresh, isWithin, type MountEntry } from "./mount-table.ts";

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
