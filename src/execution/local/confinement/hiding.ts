// Hides what orch keeps from plain steps (D-253): a step enters a space that differs from the machine in nothing else. What an
// agent has planted then finds no token and no database, and for an account other than root no environment of the server.
import { readFileSync, statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import type { NeverBegan } from "../containment/containment.ts";
import { type LaunchGroup, launchGroup } from "../containment/group-containment.ts";
import { FIRST_FILE, LAUNCH_GROUP, launch, programIn, SHELL } from "../containment/launcher.ts";
import type { Binds } from "../containment/namespace-containment.ts";
import { entriesAt, outermost, withMovedPaths } from "./hidden-paths.ts";
import { aliasesOf, isFresh, isWithin, mountsIn, STAGE } from "./mount-table.ts";
import { entering, makeSpace, type Space } from "./space.ts";
import { cover, kindOf, type Mounting } from "./space-plan.ts";

const MAX_KEPT = 16;
const ENTER = `${programIn(import.meta.dirname, "enter-hidden.sh")}${LAUNCH_GROUP}`;

/** ssh refuses a configuration that belongs to neither root nor its user, and in a user namespace root is unknown. */
const SSH_CONFIG = "/etc/ssh/ssh_config.d";

/** The last argument is the script of the step. One that names sudo or its like runs outside of the space, unless `hides_always`. */
export function createHidingLaunch(hidden: readonly string[], hides_always = false): LaunchGroup {
  const coversFor = createCovers(hidden);
  const kept = new Map<string, Promise<Space | NeverBegan>>();
  const namesSetUid = createNamesSetUid();

  const spaceFor = async (cwd: string): Promise<Space | NeverBegan> => {
    const { key: state, covers } = await coversFor();
    const inside = covers.some(({ path }) => isWithin(cwd, path)) ? await entriesAt([cwd]) : [];
    const key = JSON.stringify([state, inside]);
    const made = kept.get(key) ?? hide(covers, inside).catch(unknown);
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

  return async (argv, place) => {
    const isHidden = hides_always || !(await namesSetUid(argv.at(-1) ?? "", place.env["PATH"]));
    if (hidden.length === 0 || !isHidden) return launchGroup(argv, place);
    const space = await spaceFor(place.cwd).catch(unknown);
    if ("fault" in space) return space;
    const around = [...entering(space, FIRST_FILE), ...SHELL, ENTER, "orch", place.cwd];
    const files = space.namespaces.map(({ fd }) => fd);
    return launch(around, argv, { ...place, cwd: "/" }, files);
  };
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
    const { covers } = await coversFor();
    return covers.flatMap(({ path, is_directory }) => {
      if (!is_directory) return ["--ro-bind", "/dev/null", path];
      return ["--tmpfs", path, ...(isWithin(cwd, path) ? ["--bind", cwd, cwd] : []), "--remount-ro", path];
    });
  };
}

/** Why a step would see what orch keeps, null where it can be hidden. */
export async function hidingFault(): Promise<string | null> {
  const space = await makeSpace({ identity: "its_own", devices: false, mountings: [["staged", STAGE, ""]] });
  if ("fault" in space) return space.fault;
  space.close();
  return null;
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
