// The mounts of this process as the kernel tells them (/proc/self/mountinfo), for what has to be hidden wherever it is seen
// (design: Execution).

export type Mount = {
  readonly id: string;
  readonly parent: string;
  /** Of the file system, and which directory or file of it is mounted. */
  readonly device: string;
  readonly root: string;
  readonly path: string;
  readonly type: string;
};

/** Those that a path can reach: not what lies below another mount. */
export function mountsIn(mountinfo: string): Mount[] {
  const mounts = mountinfo.split("\n").flatMap((line) => mountOf(line) ?? []);
  const known = new Map(mounts.map((mount) => [mount.id, mount]));
  const siblings = Map.groupBy(mounts, ({ parent }) => parent);
  const isReachable = ({ id, parent, path }: Mount): boolean => {
    const above = known.get(parent);
    // Of two on the same mount the outer one came later, or the inner one would lie on it.
    const covered = (siblings.get(parent) ?? []).some((other) => other.id !== id && isBelow(path, other.path));
    return !covered && (above === undefined || above.id === id || isReachable(above));
  };
  return mounts.filter(isReachable);
}

/** Other paths to what is at the path, or to a part of it: the same file system may be mounted more than once. */
export function aliasesOf(path: string, mounts: readonly Mount[]): string[] {
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

/** Whether the path is the directory or lies below it. */
export const isWithin = (path: string, directory: string): boolean => path === directory || isBelow(path, directory);

export const isBelow = (path: string, directory: string): boolean =>
  path !== directory && path.startsWith(directory === "/" ? "/" : `${directory}/`);

/** `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`: blanks in a path are written as octal numbers. */
function mountOf(line: string): Mount | null {
  const [id, parent, device, root, path] = line.split(" ");
  const type = / - (\S+) /.exec(line)?.[1];
  if (id === undefined || parent === undefined || device === undefined || type === undefined) return null;
  return { id, parent, device, root: unescaped(root ?? "/"), path: unescaped(path ?? "/"), type };
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

const mountOver = (path: string, mounts: readonly Mount[]): Mount | undefined =>
  mounts
    .filter((mount) => isWithin(path, mount.path))
    .reduce<Mount | undefined>(
      (last, mount) => (mount.path.length < (last?.path.length ?? 0) ? last : mount),
      undefined,
    );

const below = (path: string, directory: string): string => path.slice(directory === "/" ? 0 : directory.length);

const joined = (directory: string, rest: string): string => `${directory === "/" ? "" : directory}${rest}` || "/";
