// Converts a sandbox to the mounts that make its space (space.ts). Where it names what is writable, everything else becomes read-only, mount
// by mount (D-248). Paths that do not exist are left out.
import { readFile, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import {
  aliasesOf,
  entriesAt,
  everywhere,
  type FoundPath,
  isBelow,
  isFresh,
  isWithin,
  isWithinAny,
  type MountEntry,
  mountsIn,
  OF_THE_COMMAND,
  outermost,
  STAGE,
} from "./mounts.ts";
import type { NeverBegan, Sandbox, StepAccount } from "./sandbox.ts";

/**
 * `stage`: keep what is there in reach; `place`: put it back on top. `owned`: replace a directory by a copy that this account owns. `own`: an empty directory to write; `dir`, `file`: cover it by
 * an empty directory or /dev/null; `bind`: mount it onto itself; `ro`: make it read-only; `staged`: all has been put back.
 */
type Verb = "stage" | "place" | "owned" | "own" | "dir" | "file" | "bind" | "ro" | "staged";

/** The verb, the path, and what the verb needs to know. */
export type Mounting = readonly [Verb, string, string];

/** /etc/resolv.conf is often a link to a file in /run. */
const RESOLV_CONF = "/etc/resolv.conf";

/** For an account without a home directory. */
const HOMELESS = "/tmp/home";

export type SpacePlan = {
  /** In the order in which they must be made. */
  readonly mountings: readonly Mounting[];
  readonly home: string;
  /** Whether a path that is hidden has to be covered once it exists. */
  readonly isVisible: (path: string) => boolean;
};

type At = { readonly cwd: string; readonly home: string };

export async function planSpace(sandbox: Sandbox, at: At): Promise<SpacePlan | NeverBegan> {
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8")).filter(({ path }) => !isFresh(path));
  const covers = outermost(await everywhere(sandbox.hidden, mounts));
  const home = sandbox.own === "home" ? await homeOf(at.home) : at.home;
  const own = sandbox.own === "home" ? [...(await pathsAt(OF_THE_COMMAND)), home] : [];
  const kept = await entriesAt(sandbox.read_only);
  const named = (await outsideOfOthers(writableIn(sandbox))).map((path) => resolve(path));
  // One that is not where it is named is a link that was made since.
  const open = (await entriesAt(named)).filter(
    ({ path }) => named.includes(path) && !isWithinAny(path, kept.map(pathOf)),
  );
  const [cwd] = await entriesAt([at.cwd]);
  const fault = faultOf({ cwd: cwd?.path ?? at.cwd, own, covers, open });
  if (fault !== null) return { fault };
  const opened = open.map(pathOf);
  const isCovered = (path: string) => isWithinAny(path, own) && !isWithinAny(path, opened);
  const shown = (await entriesAt([at.cwd, RESOLV_CONF])).filter(({ path }) => isCovered(path) && !own.includes(path));
  const outer = covers.filter(({ path }) => !isWithinAny(path, [...own, ...opened]));
  const hiddenOrOwn = [...own, ...outer.map(pathOf)];
  const back = [...open, ...shown].toSorted((a, b) => a.path.length - b.path.length);
  return {
    home,
    isVisible: (path) => !isCovered(path) && !covers.some((one) => isWithin(path, one.path)),
    mountings: [
      ...back.map((entry): Mounting => ["stage", entry.path, kindOf(entry)]),
      ...(await madeReadOnly(mounts.filter(({ path }) => !isWithinAny(path, [STAGE, ...hiddenOrOwn])))),
      ...[...new Set(own)].map(
        (path): Mounting => ["own", path, path === home ? homeOptions(sandbox.account) : SHARED],
      ),
      ...outer.map(cover),
      ...back.map((entry): Mounting => ["place", entry.path, kindOf(entry)]),
      ...shown.map(({ path }): Mounting => ["ro", path, ""]),
      ...exceptions({ mounts, covers, kept, opened }),
      ["staged", STAGE, ""],
      ...(await madeReadOnly(mounts.filter(({ path }) => isWithin(path, STAGE)))),
    ],
  };
}

/** Mode and owner, where that is not who makes the space. */
const SHARED = "1777 ";

const homeOptions = (account: StepAccount | null) => `0700 ${account === null ? "" : `${account.uid}:${account.gid}`}`;

/** What it names; of all, nothing has to be opened. */
export const writableIn = ({ writable }: Sandbox): readonly string[] => (writable === "all" ? [] : writable);

const pathOf = ({ path }: FoundPath): string => path;

const kindOf = ({ is_directory }: FoundPath): string => (is_directory ? "dir" : "file");

const cover = ({ path, is_directory }: FoundPath): Mounting => [is_directory ? "dir" : "file", path, ""];

const pathsAt = async (paths: readonly string[]): Promise<string[]> => (await entriesAt(paths)).map(pathOf);

/**
 * What lies in a directory that is writable itself is so already, and what is there now may be a link that a command has made: it must
 * not open where that leads.
 */
async function outsideOfOthers(writable: readonly string[]): Promise<string[]> {
  const all = await Promise.all(
    writable.map(async (path) => ({
      path,
      real: await realpath(path).catch(() => path),
      above: await realpath(dirname(path)).catch(() => dirname(path)),
    })),
  );
  const isInside = ({ path, above }: (typeof all)[number]) =>
    all.some((other) => other.path !== path && isWithin(above, other.real));
  return all.filter((one) => !isInside(one)).map(({ path }) => path);
}

async function homeOf(home: string): Promise<string> {
  const [found] = await entriesAt([home]);
  const isUsable = found?.is_directory === true && !OF_THE_COMMAND.some((path) => isWithin(path, found.path));
  return isUsable ? found.path : HOMELESS;
}

type Looked = {
  readonly cwd: string;
  readonly own: readonly string[];
  readonly covers: readonly FoundPath[];
  readonly open: readonly FoundPath[];
};

function faultOf({ cwd, own, covers, open }: Looked): string | null {
  const hiding = covers.find(({ path }) => isWithin(cwd, path) && !own.includes(cwd));
  if (hiding !== undefined) return `${cwd} is in ${hiding.path}, which is hidden from it`;
  for (const path of own) {
    const around = open.find((one) => isWithin(path, one.path))?.path;
    // What it would write there runs at the next login, or with the next step.
    if (around !== undefined) return `${around} contains ${path}, and a command of an agent gets one of its own`;
    const above = covers.find((one) => isBelow(path, one.path))?.path;
    if (above !== undefined) return `${path} is in ${above}, which is hidden from it`;
  }
  return null;
}

/** A mount that is read-only says nothing about the mounts below it. */
async function madeReadOnly(mounts: readonly MountEntry[]): Promise<Mounting[]> {
  const reachable = await pathsAt(mounts.filter(({ is_read_only }) => !is_read_only).map(({ path }) => path));
  return reachable.map((path) => ["ro", path, ""]);
}

type Parts = {
  readonly mounts: readonly MountEntry[];
  readonly covers: readonly FoundPath[];
  readonly kept: readonly FoundPath[];
  readonly opened: readonly string[];
};

/**
 * What is hidden or read-only below a writable directory. A mount cannot be moved away, so each directory above it becomes a mount
 * too: no command can rename one and so expose a path to the next command.
 */
function exceptions({ mounts, covers, kept, opened }: Parts): Mounting[] {
  const isOpen = (path: string) => opened.some((one) => isBelow(path, one));
  const hidden = covers.filter(({ path }) => isWithinAny(path, opened));
  const tops = kept.map(pathOf).filter((path) => isOpen(path) && !isWithinAny(path, hidden.map(pathOf)));
  const below = mounts.map(({ path }) => path).filter((path) => tops.some((top) => isBelow(path, top)));
  const above = [...hidden.map(pathOf), ...tops].flatMap(directoriesAbove).filter(isOpen);
  const mounted = new Set(mounts.map(({ path }) => path));
  const bound = [...new Set([...above, ...tops])].filter((path) => !mounted.has(path)).toSorted(byLength);
  const closed = new Set([...tops, ...below, ...bound.filter((path) => isWithinAny(path, tops))]);
  return [
    ...bound.map((path): Mounting => ["bind", path, ""]),
    ...[...closed].map((path): Mounting => ["ro", path, ""]),
    ...hidden.map(cover),
  ];
}

function directoriesAbove(path: string): string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, at) => `/${parts.slice(0, at + 1).join("/")}`);
}

const byLength = (a: string, b: string): number => a.length - b.length;

// What keeps files from a plain step, which may write all else (D-253).

/** ssh refuses a configuration that belongs to neither root nor its user, and in a user namespace root is unknown. */
const SSH_CONFIG = "/etc/ssh/ssh_config.d";

/** The paths under which something of this is there now, the outermost of them. */
export async function coversIn(mountinfo: string, hidden: readonly string[]): Promise<FoundPath[]> {
  const mounts = mountsIn(mountinfo).filter(({ path }) => !isFresh(path));
  const found = await entriesAt(hidden);
  const aliases = found.flatMap(({ path }) => aliasesOf(path, mounts));
  return outermost([...found, ...(await entriesAt(aliases))]);
}

/** The directory that a step works in is shown, also where it is `inside` of one that is hidden. */
export async function planHiding(covers: readonly FoundPath[], inside: readonly FoundPath[]): Promise<Mounting[]> {
  const ssh = process.getuid?.() === 0 ? [] : await entriesAt([SSH_CONFIG]);
  const opened = inside.length === 0 ? [] : covers.filter((one) => one.is_directory);
  return [
    ...inside.map((one): Mounting => ["stage", one.path, kindOf(one)]),
    ...ssh.map(({ path }): Mounting => ["owned", path, ""]),
    ...covers.map((one): Mounting => (opened.includes(one) ? ["own", one.path, "0755 "] : cover(one))),
    ...inside.map((one): Mounting => ["place", one.path, kindOf(one)]),
    ...opened.map(({ path }): Mounting => ["ro", path, ""]),
    ["staged", STAGE, ""],
  ];
}

/** The same for a step in a pid namespace, as arguments of bubblewrap. */
export const bindsThatHide = (covers: readonly FoundPath[], cwd: string): string[] =>
  covers.flatMap(({ path, is_directory }) => {
    if (!is_directory) return ["--ro-bind", "/dev/null", path];
    return ["--tmpfs", path, ...(isWithin(cwd, path) ? ["--bind", cwd, cwd] : []), "--remount-ro", path];
  });
