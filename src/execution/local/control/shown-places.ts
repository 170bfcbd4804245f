// Which places of this machine a world shows, which it does not, and which are empty in it.
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, normalize, resolve } from "node:path";
import { isBelow, isWithin } from "../confinement/mount-table.ts";
import type { ControlCheck } from "./control-check.ts";
import { filter, isDirectory } from "./shown-machine.ts";
import { CLOCK_FILE, MISSING_FILE, PRELUDE_FILE, WORLD_CLOCK } from "./world-clock.ts";

/** A directory of this machine that a world shows; `at` is its path in the world. */
export type ShownPlace = { readonly at: string; readonly source: string };

/** A mask does not cover what every machine has, or what a world is made with. */
export const KEPT = new Set(
  `/ /bin /boot /dev /etc /home /lib /lib64 /mnt /opt /proc /root /run /sbin /srv /sys /tmp /usr /var /usr/bin /usr/lib
  /usr/lib64 /usr/libexec /usr/local /usr/local/bin /usr/local/lib /usr/local/sbin /usr/sbin /usr/share /var/lib /var/tmp
  /var/log ${PRELUDE_FILE} ${CLOCK_FILE} ${MISSING_FILE}`.split(/\s+/),
);
const TOOLS = new Set([
  "bash",
  "sh",
  "dash",
  "env",
  "setpriv",
  "umount",
  "pivot_root",
  "rm",
  ...Object.keys(WORLD_CLOCK.timers),
]);

/** The directories that the check expects, empty: its own, its home and the one for temporary files. */
export function placesOf({ directory, env }: ControlCheck): string[] {
  const given = [directory, env["HOME"] ?? "/root", env["TMPDIR"] ?? "/tmp"].filter((path) => path.startsWith("/"));
  return [...new Set(given.map(plain))].filter((path) => !/^\/(proc|sys|dev)(\/|$)/.test(path));
}

const plain = (path: string): string => resolve(normalize(path));

/** Each path under both of its names: as it is written, and with the links on its way resolved. */
export async function masksOf(paths: readonly string[]): Promise<string[]> {
  const absolute = paths.filter((path) => path.startsWith("/")).map(plain);
  const real = absolute.map(async (path) =>
    join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path)),
  );
  const all = [...new Set([...absolute, ...(await Promise.all(real))])];
  return all.filter((path) => !KEPT.has(path) && !isTool(path) && !/^\/(proc|sys|dev)\//.test(path));
}

const isTool = (path: string): boolean => /^(\/usr)?\/s?bin\/[^/]+$/.test(path) && TOOLS.has(basename(path));

export async function whiteoutsOf(masks: readonly string[], shown: readonly ShownPlace[]): Promise<string[]> {
  const all = shown.flatMap(({ source }, n) =>
    masks.flatMap((mask) => (isBelow(mask, source) ? [{ mask, upper: `u/${n}${mask.slice(source.length)}` }] : [])),
  );
  const there = await filter([...new Set(all.map(({ mask }) => mask))], (path) =>
    lstat(path).then(
      () => true,
      () => false,
    ),
  );
  const outermost = there.filter((path) => !there.some((other) => isBelow(path, other)));
  return all.flatMap(({ mask, upper }) => (outermost.includes(mask) ? [upper] : []));
}

/** Directories of the search path, and the libraries beside a `bin`. Not from where the check works: its target is there. */
export async function lentBy({ env, directory }: ControlCheck, shown: readonly string[]): Promise<ShownPlace[]> {
  const home = plain(env["HOME"] ?? "/root");
  const apart = (path: string) => !/[\s,:\\"]/.test(path) && !KEPT.has(path) && !isWithin(path, plain(directory));
  const searched = (env["PATH"] ?? "").split(":").filter((path) => path.startsWith("/"));
  const bins = [...new Set(searched.map(plain))].filter(apart);
  const beside = bins.filter(
    (path) => /\/s?bin$/.test(path) && !isWithin(home, dirname(path)) && !KEPT.has(dirname(path)),
  );
  const libraries = beside.flatMap((path) => ["lib", "lib64", "libexec"].map((name) => join(dirname(path), name)));
  const all = [...new Set([...bins, ...libraries.filter(apart)])].filter((path) => !isWithin(plain(directory), path));
  const there = await filter(
    all.filter((path) => !shown.some((at) => isWithin(path, at))),
    isDirectory,
  );
  const outermost = there.filter((path) => !there.some((other) => isBelow(path, other)));
  return Promise.all(outermost.map(async (at) => ({ at, source: await realpath(at) })));
}
