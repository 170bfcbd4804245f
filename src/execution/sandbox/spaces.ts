// Keeps the spaces that commands enter, so that one is not made for each: of plain steps one for what is hidden by now (D-253), and of agents
// one for each run (D-249), under one limit of memory for all. With the end of its task, or when it was not used for an hour, a run's is given
// up, and with it the /tmp and the home directory of the run.
import { readFileSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { filteringCalls } from "./call-filter.ts";
import type { MadeSpace, MakeSpaces } from "./launcher.ts";
import { entriesAt, type FoundPath, isWithin, STAGE, withMovedPaths } from "./mounts.ts";
import { isConfined, type NeverBegan, type Place, type Sandbox } from "./sandbox.ts";
import { CLOSED, makeSpace, type Space } from "./space.ts";
import { bindsThatHide, coversIn, planHiding, planSpace, type SpacePlan, writableIn } from "./space-plan.ts";

export type Spaces = MakeSpaces & {
  /** Makes what plain steps enter ahead of the first one. */
  readonly prepare: (plain: Sandbox) => void;
  /** Gives up the spaces of a run that has ended: what it wrote to them is kept in memory. */
  readonly endRun: (run: string) => void;
};

export type SpaceLimits = { readonly idle_ms?: number; readonly total_bytes?: number; readonly wait_ms?: number };

export function createSpaces(limits: SpaceLimits = {}): Spaces {
  const hiding = createHiding();
  const runs = createRunSpaces(limits);
  return {
    spaceFor: async (sandbox, script, place) => {
      if (isConfined(sandbox)) return runs.spaceFor(sandbox, place);
      return (await hiding.hides(sandbox, script, place)) ? hiding.spaceFor(sandbox, place) : null;
    },
    bindsFor: hiding.bindsFor,
    prepare: hiding.prepare,
    endRun: runs.endRun,
  };
}

// Hides what orch keeps from plain steps: a step enters a space that differs from the machine in nothing else. What an agent has planted then
// finds no token and no database, and for an account other than root no environment of the server.

const MAX_HIDING = 16;

function createHiding() {
  const coversFor = createCovers();
  const kept = new Map<string, Promise<Space | NeverBegan>>();
  const namesSetUid = createNamesSetUid();

  const made = async (hidden: readonly string[], cwd: string): Promise<Space | NeverBegan> => {
    const { key: state, covers } = await coversFor(hidden);
    const inside = covers.some(({ path }) => isWithin(cwd, path)) ? await entriesAt([cwd]) : [];
    const key = JSON.stringify([state, inside]);
    const making = kept.get(key) ?? hide(covers, inside).catch(unknown);
    kept.delete(key);
    kept.set(key, making);
    for (const [oldest, space] of kept) {
      if (kept.size <= MAX_HIDING) break;
      kept.delete(oldest);
      void space.then((one) => "fault" in one || one.close());
    }
    // What could not be made is tried again by the next step.
    const space = await making;
    if ("fault" in space && kept.get(key) === making) kept.delete(key);
    return space;
  };

  return {
    /** A text that names sudo or its like runs outside of the space, unless it is always hidden from. */
    hides: async ({ hidden, hides_always }: Sandbox, script: string, { env }: Place): Promise<boolean> =>
      hidden.length > 0 && (hides_always || !(await namesSetUid(script, env["PATH"]))),
    spaceFor: async ({ hidden }: Sandbox, { cwd }: Place): Promise<MadeSpace | NeverBegan> => {
      const space = await made(hidden, cwd);
      if ("fault" in space) return space;
      const { network, namespaces } = space;
      return { network, namespaces, env: {}, covers: [], closed: "", filter: [], release: () => undefined };
    },
    bindsFor: async ({ hidden }: Sandbox, cwd: string) => bindsThatHide((await coversFor(hidden)).covers, cwd),
    prepare: ({ hidden, processes }: Sandbox): void => {
      if (hidden.length > 0 && processes === "process_group") void made(hidden, "/").catch(unknown);
    },
  };
}

const hide = async (covers: readonly FoundPath[], inside: readonly FoundPath[]): Promise<Space | NeverBegan> =>
  makeSpace({ identity: "itself", devices: false, mountings: await planHiding(covers, inside) });

/** Why a step would see what orch keeps, null where it can be hidden. */
export async function hidingFault(): Promise<string | null> {
  const space = await makeSpace({ identity: "itself", devices: false, mountings: [["staged", STAGE, ""]] });
  if ("fault" in space) return space.fault;
  space.close();
  return null;
}

type Covers = { readonly key: string; readonly covers: Promise<readonly FoundPath[]> };

/** What of it exists now: a database makes and removes files beside itself. Looked at again only when something has changed. */
function createCovers() {
  const known = new Map<string, Covers>();
  return async (hidden: readonly string[]) => {
    if (hidden.length === 0) return { key: "", covers: [] };
    // In one turn: this is asked before every step.
    const mountinfo = readFileSync("/proc/self/mountinfo", "utf8");
    const now = withMovedPaths(hidden);
    const key = JSON.stringify([mountinfo, now.map((path) => [path, identityAt(path)])]);
    const name = hidden.join("\0");
    const last = known.get(name);
    const { covers } = last?.key === key ? last : { covers: coversIn(mountinfo, now) };
    known.set(name, { key, covers });
    return { key, covers: await covers };
  };
}

function identityAt(path: string): string {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

const SET_UID = 0o4000;
/** They start such a program themselves, or mount file systems for others to use. */
const ALSO = ["podman", "buildah", "crontab", "sshfs", "rclone", "zfs", "zpool", "losetup", "cryptsetup"];
const DIRECTORIES = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const WORD = /[\w./$-]+/g;

/**
 * Whether the text of a step names a program that runs with the rights of another account, as sudo does. In the namespace that
 * hides something from an account other than root, such a program has no effect, and a mount is seen by no one else.
 */
export function createNamesSetUid() {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return async (script: string, path = DIRECTORIES): Promise<boolean> => {
    const programs = known.get(path) ?? setUidIn(path);
    known.set(path, programs);
    const names = await programs;
    const directories = new Set(path.split(delimiter));
    const isNamed = (word: string) => names.has(word) || (directories.has(dirname(word)) && names.has(basename(word)));
    return (script.match(WORD) ?? []).some(isNamed);
  };
}

async function setUidIn(path: string): Promise<ReadonlySet<string>> {
  const files = await Promise.all(
    path.split(delimiter).map(async (directory) => {
      const names = await readdir(directory).catch(() => []);
      return names.map((name) => ({ name, file: join(directory, name) }));
    }),
  );
  const found = await Promise.all(
    files.flat().map(async ({ name, file }) => {
      const mode = await stat(file).then(
        (entry) => entry.mode,
        () => 0,
      );
      return (mode & SET_UID) === 0 ? [] : [name];
    }),
  );
  return new Set([...ALSO, ...found.flat()]);
}

// Keeps the spaces of agents' runs.

const IDLE_MS = 3_600_000;
const MAX_KEPT = 64;

type At = { readonly cwd: string; readonly home: string };
type Made = Pick<SpacePlan, "home" | "isVisible"> & { readonly space: Space };
type Kept = RoomHolder & {
  made: Promise<Made | NeverBegan>;
  readonly run: string | null;
  /** Commands that use it. While there are any, it stays. */
  users: number;
  timer?: NodeJS.Timeout;
};

function createRunSpaces({ idle_ms = IDLE_MS, total_bytes = defaultSpaceBytes(), wait_ms }: SpaceLimits) {
  const { share, hold, takeShare } = createSpaceRoom(total_bytes, wait_ms);
  // In the order of last use.
  const kept = new Map<string, Kept>();
  const giveUp = (key: string, one: Kept) => {
    clearTimeout(one.timer);
    if (kept.get(key) === one) kept.delete(key);
    void one.made.then((made) => {
      if (!("fault" in made)) made.space.close();
    });
    hold(one, 0);
  };
  const giveUpOldest = (): boolean => {
    const [found] = [...kept].filter(([, { users }]) => users === 0);
    if (found !== undefined) giveUp(...found);
    return found !== undefined;
  };
  const leave = (key: string, one: Kept, made: Made) => {
    one.users -= 1;
    if (one.users > 0) return;
    hold(one, Math.min(one.held, Math.max(1, made.space.usedBytes())));
    if (key === ONCE) return giveUp(key, one);
    one.timer = setTimeout(() => giveUp(key, one), idle_ms).unref();
    for (const [oldest, other] of kept) if (kept.size > MAX_KEPT && other.users === 0) giveUp(oldest, other);
  };
  const makeKept = ({ run }: Sandbox): Kept => ({ made: Promise.resolve(FULL), run, users: 0, held: 0 });
  const use = async (sandbox: Sandbox, at: At): Promise<(Made & { readonly release: () => void }) | NeverBegan> => {
    const isShared = sandbox.own === "nothing" || sandbox.run !== null;
    const key = isShared ? await keyOf(sandbox, at) : ONCE;
    const known = kept.get(key);
    const one = known ?? makeKept(sandbox);
    clearTimeout(one.timer);
    one.users += 1;
    kept.delete(key);
    if (isShared) kept.set(key, one);
    const room = takeShare(one, giveUpOldest);
    if (known === undefined) one.made = room.then((has) => (has ? make(sandbox, at, share) : FULL)).catch(notMade);
    const hasRoom = await room;
    const made = await one.made;
    if ("fault" in made) {
      one.users -= 1;
      if (kept.get(key) === one) kept.delete(key);
      if (one.users === 0) hold(one, 0);
      return made;
    }
    const release = () => leave(key, one, made);
    if (hasRoom) return { ...made, release };
    release();
    return FULL;
  };

  return {
    endRun: (run: string): void => {
      for (const [key, one] of kept) if (one.run === run && one.users === 0) giveUp(key, one);
    },
    spaceFor: async (sandbox: Sandbox, { cwd, env }: Place): Promise<MadeSpace | NeverBegan> => {
      const used = await use(sandbox, { cwd, home: env["HOME"] ?? "/" }).catch(unknown);
      if ("fault" in used) return used;
      const { space, home, isVisible, release } = used;
      const later = await entriesAt(sandbox.hidden).catch(unknown);
      if ("fault" in later) {
        release();
        return later;
      }
      const covers = later.filter(({ path }) => isVisible(path));
      return {
        network: space.network,
        namespaces: space.namespaces,
        env: { HOME: home },
        covers: covers.map(({ path, is_directory }) => (is_directory ? `${path}/` : path)),
        // Through these files, only root could do something.
        closed: process.getuid?.() === 0 && sandbox.account === null ? CLOSED : "",
        filter: filteringCalls(),
        release,
      };
    },
  };
}

const FULL: NeverBegan = {
  fault:
    "other agents hold all the memory that AGENT_SPACES_MB allows for their /tmp and home directories; try again later",
};

const notMade = (error: unknown): NeverBegan => ({ fault: `its space cannot be made: ${String(error)}` });
const unknown = (error: unknown): NeverBegan => ({ fault: `cannot determine what to hide from it: ${String(error)}` });

/** No other command uses it. */
const ONCE = "once";

/** A directory that was replaced is another one: the space of the run has the old one. */
async function keyOf(sandbox: Sandbox, at: At): Promise<string> {
  const open = await entriesAt([...writableIn(sandbox), at.cwd]);
  return JSON.stringify([sandbox, at, open]);
}

async function make(sandbox: Sandbox, at: At, max_bytes: number): Promise<Made | NeverBegan> {
  const plan = await planSpace(sandbox, at);
  if ("fault" in plan) return plan;
  const network = typeof sandbox.network === "object" ? sandbox.network : undefined;
  const space = await makeSpace({ identity: "root", devices: true, mountings: plan.mountings, max_bytes, network });
  return "fault" in space ? space : { ...plan, space };
}

/** How many spaces can be used at the same time while the others hold nothing. */
const SHARES = 3;
const OF_MEMORY = 0.6;
const WAIT_MS = 60_000;

/** A machine or a container may have less memory than it shows. */
const defaultSpaceBytes = (): number =>
  Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) * OF_MEMORY);

type RoomHolder = { held: number };

/**
 * Counts the memory that the spaces of agents hold, against one limit for all of them. One that is used may fill its share; one
 * that waits counts with what is in it, because nothing runs there.
 */
function createSpaceRoom(total_bytes: number, wait_ms = WAIT_MS) {
  const share = Math.floor(total_bytes / SHARES);
  const holders = new Set<RoomHolder>();
  let waiting: (() => void)[] = [];
  const free = () => total_bytes - [...holders].reduce((sum, { held }) => sum + held, 0);
  const hold = (holder: RoomHolder, bytes: number) => {
    holder.held = bytes;
    if (bytes === 0) holders.delete(holder);
    else holders.add(holder);
    for (const wake of waiting.splice(0)) wake();
  };
  /** False when there is no room for a share in time. `giveUpOne` frees a space that is not used, and returns false where there is none. */
  const takeShare = async (holder: RoomHolder, giveUpOne: () => boolean): Promise<boolean> => {
    const until = performance.now() + wait_ms;
    while (holder.held < share) {
      if (free() + holder.held >= share) hold(holder, share);
      else if (!giveUpOne()) {
        const left = until - performance.now();
        if (left <= 0) return false;
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        const timer = setTimeout(resolve, left);
        await promise;
        clearTimeout(timer);
        waiting = waiting.filter((one) => one !== resolve);
      }
    }
    return true;
  };
  return { share, hold, takeShare };
}
