// Converts what must be hidden or protected to mounts. Computed for each command, because sockets appear and disappear.
// Paths that do not exist are left out.
import { readFile, realpath, stat } from "node:fs/promises";
import type { Confinement } from "../containment/containment.ts";
import { aliasesOf, isBelow, isWithin, type MountEntry, mountsIn } from "./mount-table.ts";

/** `bind`: mount it onto itself. `ro`: make it read-only. `dir`, `file`: cover it by an empty directory or /dev/null. */
export type Mounting = readonly ["bind" | "ro" | "dir" | "file", string];

type Entry = { readonly path: string; readonly is_directory: boolean };

/** Mounted afresh in every confinement. */
const FRESH = ["/proc", "/dev"];
/** Through these, root could make the kernel run programs outside of the confinement. */
const KERNEL = ["/proc/sys", "/proc/sysrq-trigger", "/proc/bus", "/proc/fs", "/proc/irq", "/sys"];
/** Another mount of one of these would bypass the fresh ones. */
const OF_THE_KERNEL = /^(proc|sysfs|devtmpfs|cgroup2?|debugfs|tracefs|configfs|securityfs|bpf)$/;

/** In the order in which they must be made. A fault when the working directory of the command would be hidden. */
export async function mountingsFor(
  { hidden, read_only, writable = [] }: Confinement,
  cwd: string,
): Promise<{ readonly mountings: readonly Mounting[] } | { readonly fault: string }> {
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8")).filter(({ path }) => !isFresh(path));
  const covers = outermost(await everywhere(hidden, mounts));
  const place = await realpath(cwd).catch(() => cwd);
  const cover = covers.find(({ path }) => isWithin(place, path));
  if (cover !== undefined) return { fault: `${cwd} is in ${cover.path}, which is hidden from it` };
  const kept = await withMounts(await existing([...KERNEL, ...read_only]), mounts);
  const left = kept.filter((path) => !covers.some((cover) => isWithin(path, cover.path)));
  const mounted = new Set(mounts.map(({ path }) => path));
  const open = (await existing(writable)).map(({ path }) => path);
  const bound = new Set([
    ...[...left, ...open, ...covers.map(({ path }) => path)].flatMap(directoriesAbove),
    ...left,
    ...open,
  ]);
  // A directory that becomes a mount of its own has to be made read-only itself.
  const closed = [...bound].filter((path) => !open.includes(path) && !left.includes(path));
  const also = closed.filter((path) => read_only.some((above) => isWithin(path, above)));
  return {
    mountings: [
      // A mount cannot be moved away, so each directory above one becomes a mount too: no command can rename a directory
      // and so expose a path to the next command.
      ...[...bound]
        .filter((path) => !mounted.has(path))
        .sort(byLength)
        .map((path) => ["bind", path] as const),
      ...[...left, ...also].map((path) => ["ro", path] as const),
      ...covers.map(({ path, is_directory }) => [is_directory ? "dir" : "file", path] as const),
    ],
  };
}

const isFresh = (path: string): boolean => FRESH.some((fresh) => isWithin(path, fresh));

/** The paths under all their names, and other mounts of kernel file systems. */
async function everywhere(hidden: readonly string[], mounts: readonly MountEntry[]): Promise<Entry[]> {
  const paths = (await existing(hidden)).map(({ path }) => path);
  const aliases = paths.flatMap((path) => aliasesOf(path, mounts));
  const windows = mounts.filter(({ path, type }) => OF_THE_KERNEL.test(type) && !isWithin(path, "/sys"));
  const all = await existing([...paths, ...aliases, ...windows.map(({ path }) => path)]);
  return all.filter(({ path }) => !isFresh(path));
}

/** Real paths of what this account can reach, each once. */
async function existing(paths: readonly string[]): Promise<Entry[]> {
  const entries = await Promise.all([...new Set(paths)].map(entryAt));
  return [...new Map(entries.flatMap((entry) => (entry === null ? [] : [[entry.path, entry]]))).values()];
}

/** Rejects when it is unknown whether a command could reach the path. */
async function entryAt(given: string): Promise<Entry | null> {
  try {
    const path = await realpath(given);
    return { path, is_directory: (await stat(path)).isDirectory() };
  } catch (error) {
    if (OUT_OF_REACH.has((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

const OUT_OF_REACH = new Set(["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]);

const outermost = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ path }) => !entries.some((other) => isBelow(path, other.path)));

/** Making a mount read-only does not affect the mounts below it, so they are listed too. */
async function withMounts(kept: readonly Entry[], mounts: readonly MountEntry[]): Promise<string[]> {
  const below = mounts.filter((mount) => kept.some(({ path }) => isBelow(mount.path, path)));
  const all = [...kept, ...(await existing(below.map(({ path }) => path)))];
  return [...new Set(all.map(({ path }) => path))];
}

function directoriesAbove(path: string): string[] {
  const parts = path.split("/").slice(1, -1);
  const all = parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`);
  return all.filter((above) => !isFresh(above) && !isWithin(above, "/sys"));
}

const byLength = (a: string, b: string): number => a.length - b.length;
