// Finds what is to be covered under each of its names. Paths that this account cannot reach are left out: its commands cannot either.
import { closeSync, fstatSync, openSync, readlinkSync, type Stats, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { aliasesOf, isBelow, isWithin, type MountEntry } from "./mount-table.ts";
import { isFresh } from "./places.ts";

/** A real path; `id` changes when another file takes its place. */
export type FoundPath = { readonly path: string; readonly is_directory: boolean; readonly id: string };

/** Another mount of one of these would bypass the fresh ones. */
const OF_THE_KERNEL = /^(proc|sysfs|devtmpfs|cgroup2?|debugfs|tracefs|configfs|securityfs|bpf)$/;

/** The paths under all their names, and other mounts of kernel file systems. */
export async function everywhere(hidden: readonly string[], mounts: readonly MountEntry[]): Promise<FoundPath[]> {
  const paths = (await entriesAt(hiddenNow(hidden))).map(({ path }) => path);
  const aliases = paths.flatMap((path) => aliasesOf(path, mounts));
  const windows = mounts.filter(({ path, type }) => OF_THE_KERNEL.test(type) && !isWithin(path, "/sys"));
  const all = await entriesAt([...paths, ...aliases, ...windows.map(({ path }) => path)]);
  return all.filter(({ path }) => !isFresh(path));
}

export const outermost = (entries: readonly FoundPath[]): FoundPath[] =>
  entries.filter(({ path }) => !entries.some((other) => isBelow(path, other.path)));

/** What this account can reach of it, each once. */
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

/** Linux: open the path itself, without a right to read it. Node does not export this flag. */
const O_PATH = 0o10000000;

type Held = { readonly id: string; readonly fd: number };

/** The descriptors of everything that orch ever found at each path. */
const held = new Map<string, readonly Held[]>();

/** Returns the paths, and where their files are now: a step may have moved the directory. */
export const hiddenNow = (paths: readonly string[]): readonly string[] => [...new Set(paths.flatMap(namesOf))];

function namesOf(path: string): readonly string[] {
  const found = [...(held.get(path) ?? []), ...newAt(path)].map((one) => ({ one, name: nameOf(one) }));
  held.set(
    path,
    found.flatMap(({ one, name }) => (name === null ? [] : [one])),
  );
  return [path, ...found.flatMap(({ name }) => name ?? [])];
}

/** Opens the file at the path, unless orch holds it already. */
function newAt(path: string): readonly Held[] {
  try {
    const id = identityOf(statSync(path));
    if (held.get(path)?.some((one) => one.id === id) === true) return [];
    const fd = openSync(path, O_PATH);
    return [{ id: identityOf(fstatSync(fd)), fd }];
  } catch {
    return []; // There is none, or this account cannot reach it.
  }
}

/** Null where the file was removed; orch then closes its descriptor. */
function nameOf({ fd }: Held): string | null {
  const name = readlinkSync(`/proc/self/fd/${fd}`);
  if (name.startsWith("/") && !name.endsWith(" (deleted)")) return name;
  closeSync(fd);
  return null;
}

const identityOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
