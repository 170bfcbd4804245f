// Reads the mounts of this process from /proc/self/mountinfo, to hide a path under each of its names, and names the directories
// that are special in every space.
import { readFileSync } from "node:fs";

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
