// A space: mounts, and for an account other than root an identity, that commands enter one after the other (D-249). It is made once
// by mount and unshare of util-linux; afterwards no process holds it, only the open files here.
import { spawn } from "node:child_process";
import { closeSync, openSync, statfsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Confinement, NetworkEntry, NeverBegan } from "../containment/containment.ts";
import { BASH, programIn } from "../containment/launcher.ts";
import { pipeOf } from "../containment/spawn-detached.ts";
import { entriesAt, everywhere, type FoundPath, outermost } from "./hidden-paths.ts";
import {
  isBelow,
  isFresh,
  isWithin,
  isWithinAny,
  type MountEntry,
  mountsIn,
  OF_THE_COMMAND,
  STAGE,
} from "./mount-table.ts";

/** The order in which a command has to enter them: the rights in the first one open the others. */
const KINDS = ["user", "mnt"] as const;
type Kind = (typeof KINDS)[number];

export type Space = {
  /** What enters the network that it was made in, where that is not the machine's; to be put before what enters the space. */
  readonly network: readonly string[];
  /** Open files of its namespaces, for the process that enters it. */
  readonly namespaces: readonly { readonly kind: Kind; readonly fd: number }[];
  /** What its own directories hold, in bytes of memory. */
  readonly usedBytes: () => number;
  /** Processes that have entered it keep it. */
  readonly close: () => void;
};

export type SpaceMaking = {
  /** `root_inside`: this account has the rights of root over the space, in which no command keeps them. */
  readonly identity: "root_inside" | "its_own";
  readonly mountings: readonly Mounting[];
  /** Whether it has devices of its own. */
  readonly devices: boolean;
  /** What its own directories may hold together, in memory; 1 MiB where no command writes there. */
  readonly max_bytes?: number;
  readonly network?: NetworkEntry;
};

const AS = { root_inside: ["--map-root-user"], its_own: ["--map-current-user", "--keep-caps"] };
/** What is mounted on the machine later appears in the space of plain steps only. */
const PROPAGATION = { root_inside: "private", its_own: "slave" };

export async function makeSpace({
  identity,
  mountings,
  devices,
  max_bytes = 2 ** 20,
  network: entry,
}: SpaceMaking): Promise<Space | NeverBegan> {
  const isRoot = process.getuid?.() === 0;
  const apart = ["--mount", "--propagation", PROPAGATION[identity], ...(isRoot ? [] : ["--user", ...AS[identity]])];
  const given = [max_bytes, Math.floor(max_bytes / BYTES_OF_INODE), devices ? CLOSED : "", ...mountings.flat()];
  // Another user's namespace opens only from within the one that it was made in.
  const network = entry?.enter ?? [];
  const made = ["/usr/bin/unshare", ...apart, ...BASH, SPACE_SCRIPT, "orch", STAGE, ...given.map(String)];
  const child = spawn("/usr/bin/setpriv", ["--pdeathsig", "KILL", ...network, ...made], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LANG: "C.UTF-8" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  const ready = Promise.withResolvers<boolean>();
  pipeOf(child, 1).on("data", (chunk: Buffer) => {
    said.stdout += chunk;
    if (said.stdout === READY) ready.resolve(true);
  });
  pipeOf(child, 2).on("data", (chunk: Buffer) => (said.stderr += chunk));
  child.once("error", (error) => {
    said.stderr += String(error);
    ready.resolve(false);
  });
  child.once("close", () => ready.resolve(false));
  if (!(await ready.promise) || child.pid === undefined)
    return { fault: `it cannot be confined here: ${inWords(said.stderr.trim()) || `stopped by ${child.signalCode}`}` };
  const kinds = KINDS.filter((kind) => !isRoot || kind !== "user");
  const namespaces = kinds.map((kind) => ({ kind, fd: openSync(`/proc/${child.pid}/ns/${kind}`, "r") }));
  // All its own directories are in one file system.
  const own = devices ? openSync(`/proc/${child.pid}/root/dev/shm`, "r") : null;
  child.stdin.end();
  const usedBytes = () => {
    if (own === null) return 0;
    const { blocks, bfree, bsize, files, ffree } = statfsSync(`/proc/self/fd/${own}`);
    return (blocks - bfree) * bsize + (files - ffree) * BYTES_OF_INODE;
  };
  const close = () => {
    for (const { fd } of namespaces) closeSync(fd);
    if (own !== null) closeSync(own);
  };
  return { network, namespaces, usedBytes, close };
}

/** The kernel says so where the number of user namespaces is limited to none. */
const inWords = (said: string): string =>
  /unshare failed: No space left on device$/.test(said)
    ? "this account may create no user namespaces (user.max_user_namespaces is 0, or reached)"
    : said;

const READY = "ready\n";
const NSENTER = { user: "--user", mnt: "--mount" };

/**
 * What enters the space and becomes the program after it, in /: a directory that was entered earlier bypasses the mounts. `first` is
 * the number that the first of the open files has in that process.
 */
export const entering = ({ namespaces }: Space, first: number): readonly [string, ...string[]] => [
  "/usr/bin/nsenter",
  ...namespaces.map(({ kind }, at) => `${NSENTER[kind]}=/proc/self/fd/${first + at}`),
  "--preserve-credentials",
  "--",
];

/** The script that makes the mounts of a space, in namespaces that were made for it. */
export const SPACE_SCRIPT = programIn(import.meta.dirname, "space.sh");

/** The table of mounts that make files of the kernel read-only in a command's own /proc, in one call of mount. No command can write it. */
export const CLOSED = "/dev/.closed";

/** An empty file takes memory too. */
const BYTES_OF_INODE = 2_048;

// Converts a confinement to the mounts that make a space (space.ts). What is not named as writable becomes read-only, mount by mount
// (D-248). Paths that do not exist are left out.

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

type Place = { readonly cwd: string; readonly home: string };

export async function planSpace(confinement: Confinement, place: Place): Promise<SpacePlan | NeverBegan> {
  const mounts = mountsIn(await readFile("/proc/self/mountinfo", "utf8")).filter(({ path }) => !isFresh(path));
  const covers = outermost(await everywhere(confinement.hidden, mounts));
  const home = confinement.private ? await homeOf(place.home) : place.home;
  const own = confinement.private ? [...(await pathsAt(OF_THE_COMMAND)), home] : [];
  const kept = await entriesAt(confinement.read_only);
  const named = (await outsideOfOthers(confinement.writable)).map((path) => resolve(path));
  // One that is not where it is named is a link that was made since.
  const open = (await entriesAt(named)).filter(
    ({ path }) => named.includes(path) && !isWithinAny(path, kept.map(pathOf)),
  );
  const [cwd] = await entriesAt([place.cwd]);
  const fault = faultOf({ cwd: cwd?.path ?? place.cwd, own, covers, open });
  if (fault !== null) return { fault };
  const opened = open.map(pathOf);
  const isCovered = (path: string) => isWithinAny(path, own) && !isWithinAny(path, opened);
  const shown = (await entriesAt([place.cwd, RESOLV_CONF])).filter(
    ({ path }) => isCovered(path) && !own.includes(path),
  );
  const outer = covers.filter(({ path }) => !isWithinAny(path, [...own, ...opened]));
  const ownOptions = confinement.account;
  const hiddenOrOwn = [...own, ...outer.map(pathOf)];
  const back = [...open, ...shown].toSorted((a, b) => a.path.length - b.path.length);
  return {
    home,
    isVisible: (path) => !isCovered(path) && !covers.some((one) => isWithin(path, one.path)),
    mountings: [
      ...back.map((entry): Mounting => ["stage", entry.path, kindOf(entry)]),
      ...(await madeReadOnly(mounts.filter(({ path }) => !isWithinAny(path, [STAGE, ...hiddenOrOwn])))),
      ...[...new Set(own)].map((path): Mounting => ["own", path, path === home ? homeOptions(ownOptions) : SHARED]),
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
const homeOptions = (account: Confinement["account"]) =>
  `0700 ${account === null ? "" : `${account.uid}:${account.gid}`}`;

const pathOf = ({ path }: FoundPath): string => path;
export const kindOf = ({ is_directory }: FoundPath): string => (is_directory ? "dir" : "file");
export const cover = ({ path, is_directory }: FoundPath): Mounting => [is_directory ? "dir" : "file", path, ""];
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
