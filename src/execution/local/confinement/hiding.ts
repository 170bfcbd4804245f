// Hides what orch keeps from plain steps (D-253): a step enters a space that differs from the machine in nothing else. What an agent has
// planted then finds no token and no database, and for an account other than root no environment of the server.
import { readFileSync, statSync } from "node:fs";
import type { NeverBegan, ProcessContext } from "../containment/containment.ts";
import { type SpawnGroup, spawnChild } from "../containment/group-containment.ts";
import type { Binds } from "../containment/namespace-containment.ts";
import { type Running, runningChild } from "../containment/running.ts";
import { type Argv, spawnDetached } from "../containment/spawn-detached.ts";
import { FIRST_FILE, type KeptStarter, keepStarter } from "../containment/starter.ts";
import { entriesAt, outermost, withMovedPaths } from "./hidden-paths.ts";
import { aliasesOf, isWithin, mountsIn } from "./mount-table.ts";
import { isFresh, STAGE } from "./places.ts";
import { createNamesSetUid } from "./set-uid.ts";
import { entering, makeSpace, type Space } from "./space.ts";
import { cover, kindOf, type Mounting } from "./space-plan.ts";

const MAX_KEPT = 16;
const STDIO = ["ignore", "pipe", "pipe"] as const;
const BASH = ["/bin/bash", "--noprofile", "--norc", "-p", "-c"] as const;
/** The directory is entered inside: one that was entered earlier bypasses the mounts. */
const BEGIN = `exec 3<&- 4<&-
cd -P -- "$1" || exit
unset OLDPWD
shift
exec "$@"`;

/** ssh refuses a configuration that belongs to neither root nor its user, and in a user namespace root is unknown. */
const SSH_CONFIG = "/etc/ssh/ssh_config.d";

type Gate = "at_gate";
/** Null where it cannot be started at a gate. */
type Spawn = (argv: Argv, place: ProcessContext, gate?: Gate) => Promise<Running | NeverBegan | null>;

/** The last argument is the script of the step. One that names sudo or its like runs outside of the space, unless `hides_always`. */
export function createHidingSpawn(hidden: readonly string[], keep = keepStarter, hides_always = false): SpawnGroup {
  const coversFor = createCovers(hidden);
  const kept = new Map<string, Promise<Place | NeverBegan>>();
  let last: Place | undefined;
  const namesSetUid = createNamesSetUid();

  const spaceFor = async (cwd: string): Promise<Place | NeverBegan> => {
    const { key: state, covers } = await coversFor();
    const inside = covers.some(({ path }) => isWithin(cwd, path)) ? await entriesAt([cwd]) : [];
    const key = JSON.stringify([state, inside]);
    const made = kept.get(key) ?? placeIn(hide(covers, inside), keep).catch(unknown);
    kept.delete(key);
    kept.set(key, made);
    for (const [oldest, space] of kept) {
      if (kept.size <= MAX_KEPT) break;
      kept.delete(oldest);
      void space.then((one) => "fault" in one || one.close());
    }
    // What could not be made is tried again by the next step.
    const space = await made;
    if ("fault" in space && kept.get(key) === made) kept.delete(key);
    return space;
  };

  // Made while the server starts, not before the first step.
  if (hidden.length > 0) void spaceFor("/").catch(unknown);

  /** Null where nothing is hidden from it. */
  const spaceOf = async (argv: Argv, place: ProcessContext): Promise<Place | NeverBegan | null> => {
    if (hidden.length === 0) return null;
    if (!hides_always && (await namesSetUid(argv.at(-1) ?? "", place.env["PATH"]))) return null;
    const space = await spaceFor(place.cwd).catch(unknown);
    if ("fault" in space) return space;
    if (space !== last) last?.rest();
    last = space;
    return space;
  };
  const seen = createSeen(keep());
  const start: Spawn = async (argv, place, gate) => {
    const space = await spaceOf(argv, place);
    if (space === null) return seen(argv, place, gate);
    return "fault" in space ? space : space.start(argv, place, gate);
  };
  return {
    spawn: async (argv, place) => (await start(argv, place)) ?? unknown("nothing starts it"),
    spawnAtGate: (argv, place) => start(argv, place, "at_gate"),
  };
}

/**
 * What ends its parent would end what runs the commands of all tasks; and of a child that a real-time signal has ended, Node says that
 * its exit code is 0 (D-311).
 */
const NEEDS_PARENT = /ppid|kill|sigqueue|rtm(?:in|ax)/i;

/** Of a step from which nothing is hidden. A child of this process is the cheapest that there is. */
function createSeen(starter: KeptStarter): Spawn {
  return async (argv, place, gate) => {
    const needsParent = NEEDS_PARENT.test(argv.at(-1) ?? "");
    const started = needsParent ? await starter.start(argv, place, "apart", gate) : null;
    if (started !== null) return started;
    return needsParent && gate !== undefined ? null : spawnChild(argv, place, gate);
  };
}

/** A space in which steps start. */
type Place = {
  readonly start: Spawn;
  /** No process waits in it until the next start. */
  readonly rest: () => void;
  readonly close: () => void;
};

async function placeIn(making: ReturnType<typeof hide>, keep: typeof keepStarter): Promise<Place | NeverBegan> {
  const space = await making;
  if ("fault" in space) return space;
  const files = space.namespaces.map(({ fd }) => fd);
  const starter = keep({ enter: entering(space, FIRST_FILE), files });
  // Started while the server starts, not before the first step.
  starter.prepare();
  const close = () => {
    starter.close();
    space.close();
  };
  const startChild = async (argv: Argv, place: ProcessContext) => {
    const around = [...entering(space, STDIO.length), ...BASH, BEGIN, "orch", place.cwd, ...argv] as const;
    const started = await spawnDetached(around, { ...place, cwd: "/" }, [...STDIO, ...files]);
    return "fault" in started ? started : runningChild(started.child, started.pid);
  };
  const start: Spawn = async (argv, place, gate) => {
    const started = await starter.start(argv, place, "apart", gate);
    if (started !== null) return started;
    return gate === undefined ? startChild(argv, place) : null;
  };
  return { start, rest: starter.rest, close };
}

const unknown = (error: unknown): NeverBegan => ({ fault: `cannot determine what to hide from it: ${String(error)}` });

type Found = Awaited<ReturnType<typeof entriesAt>>;
type Covers = { readonly key: string; readonly covers: Found };

/** What of it exists now: a database makes and removes files beside itself. Looked at again only when something has changed. */
function createCovers(hidden: readonly string[]): () => Promise<Covers> {
  let last: { readonly key: string; readonly covers: Promise<Found> } | undefined;
  return async () => {
    // In one turn: this is asked before every step.
    const mountinfo = readFileSync("/proc/self/mountinfo", "utf8");
    const now = withMovedPaths(hidden);
    const key = JSON.stringify([mountinfo, now.map((path) => [path, identityAt(path)])]);
    if (last?.key !== key) last = { key, covers: coversIn(mountinfo, now) };
    const { covers } = last;
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

async function coversIn(mountinfo: string, hidden: readonly string[]): Promise<Found> {
  const mounts = mountsIn(mountinfo).filter(({ path }) => !isFresh(path));
  const found = await entriesAt(hidden);
  const aliases = found.flatMap(({ path }) => aliasesOf(path, mounts));
  return outermost([...found, ...(await entriesAt(aliases))]);
}

/** The directory that a step works in is shown, also where it is in the one that is hidden. */
async function hide(covers: Found, inside: Found): Promise<Space | NeverBegan> {
  const isRoot = process.getuid?.() === 0;
  const ssh = isRoot ? [] : await entriesAt([SSH_CONFIG]);
  const mountings: Mounting[] = [
    ...inside.map((one): Mounting => ["stage", one.path, kindOf(one)]),
    ...ssh.map(({ path }): Mounting => ["owned", path, ""]),
    ...covers.map((one): Mounting => (inside.length > 0 && one.is_directory ? ["own", one.path, "0755 "] : cover(one))),
    ...inside.map((one): Mounting => ["place", one.path, kindOf(one)]),
    ...(inside.length === 0 ? [] : covers.filter((one) => one.is_directory)).map(
      ({ path }): Mounting => ["ro", path, ""],
    ),
    ["staged", STAGE, ""],
  ];
  return makeSpace({ identity: "its_own", devices: false, mountings });
}

/** The same for a step in a pid namespace, as arguments of bubblewrap. */
export function hidingBinds(hidden: readonly string[]): Binds {
  const coversFor = createCovers(hidden);
  return async (cwd) => {
    const { key, covers } = await coversFor();
    const isInside = covers.some(({ path }) => isWithin(cwd, path));
    // A directory that was made anew is another one.
    const state = isInside ? `${key} ${identityAt(cwd)}` : key;
    const binds = covers.flatMap(({ path, is_directory }) => {
      if (!is_directory) return ["--ro-bind", "/dev/null", path];
      return ["--tmpfs", path, ...(isWithin(cwd, path) ? ["--bind", cwd, cwd] : []), "--remount-ro", path];
    });
    return { state, binds };
  };
}

/** Why a step would see what orch keeps, null where it can be hidden. */
export async function hidingFault(): Promise<string | null> {
  const space = await makeSpace({ identity: "its_own", devices: false, mountings: [["staged", STAGE, ""]] });
  if ("fault" in space) return space.fault;
  space.close();
  return null;
}
