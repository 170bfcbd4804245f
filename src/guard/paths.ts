// Decides which paths a recursive delete must not reach: the root, system directories or all their content, a whole home. Says
// which of some known paths an observed word names.
import { homesOf, type Mount, type State } from "./interpreter/state.ts";
import { accepted, matches, patternOf } from "./words/glob.ts";
import { words } from "./words/options.ts";
import {
  BRACE,
  DEEP,
  hasGlob,
  isOpen,
  isUnknown,
  ofAnyOrigin,
  QUESTION,
  SET_OPEN,
  STAR,
  settled,
  UNKNOWN,
} from "./words/symbols.ts";

const TOP = "bin boot dev etc home lib lib32 lib64 libx32 media mnt opt proc root run sbin srv sys usr var";
const MAC = "Applications Library System Users Volumes private";
const BELOW = ["/usr/bin", "/usr/lib", "/usr/lib64", "/usr/sbin", "/var/lib"];
const SYSTEM = [...`${TOP} ${MAC}`.split(" ").map((name) => `/${name}`), ...BELOW];
/** What is longer is not looked at: it counts as unknown. */
const MAX_PATH = 1024;
const HOMES = ["/home", "/Users"];
const PROBES = ["zq-probe.1", "9x"];

/** `certain` is false when the path contains unknown text. A `part` is right below a protected tree. */
export type Exposure = {
  readonly kind: "root" | "system" | "home" | "content" | "home_content" | "part";
  readonly path: string;
  readonly certain: boolean;
};

/** Other names of the working directory and of the root. */
const OF_PROCESS = /^\/proc\/(?:self|thread-self)\/(cwd|root)(?:\/|$)/;

/** Absolute, without `.`, `..` and doubled slashes. A path that begins with unknown text stays as it is. */
export function absolute(given: string, cwd: string): string {
  const path = ofAnyOrigin(settled(given)).replace(OF_PROCESS, (_, is) => (is === "cwd" ? "./" : "/"));
  if (path.includes(BRACE) || path.length + cwd.length > MAX_PATH) return UNKNOWN;
  const rooted = path.startsWith("/") || path.startsWith(UNKNOWN) ? path : `${cwd}/${path}`;
  const parts: string[] = [];
  for (const part of rooted.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop()?.includes(UNKNOWN) === true) return UNKNOWN;
  }
  const open = rooted.startsWith(UNKNOWN);
  if (open && parts.length === 1 && rooted.endsWith("/")) return `${parts.join("/")}/`;
  return open ? parts.join("/") : `/${parts.join("/")}`;
}

/** Where the path leads outside the container it is used in. `follows`: a link counts as what it leads to (D-284). */
const mounted = (path: string, mounts: readonly Mount[], follows: boolean): string[] =>
  mounts
    .filter(
      ({ inside, below }) =>
        inside === "/" || path.startsWith(`${inside}/`) || (path === inside && (follows || below !== true)),
    )
    .map(({ host, inside }) => absolute(`${host}/${path.slice(inside === "/" ? 0 : inside.length)}`, "/"));

/** The slash after a link leads through it. */
const endsBelow = (operand: string): boolean => /\/\.?$/.test(operand);

/** Every location that the operand may stand for, over all working directories and mounts. */
function locationsOf(operand: string, state: State, follows = endsBelow(operand)): ReadonlySet<string> {
  const inside = state.location.cwd.map((cwd) => absolute(operand, cwd));
  return new Set([
    ...inside.filter((path) => !isMountPoint(path, state)),
    ...inside.flatMap((path) => mounted(path, [...state.location.mounts, ...state.io.links], follows)),
  ]);
}

/** Of a container: what is there is only what was mounted. */
const isMountPoint = (path: string, { location: { mounts, contained } }: State): boolean =>
  contained && mounts.some(({ inside }) => inside !== "/" && (path === inside || path.startsWith(`${inside}/`)));

/** The worst that the operand can be, over every working directory and mount. Null: nothing that is protected. */
export function exposureOf(operand: string, state: State): Exposure | null {
  let worst: Exposure | null = null;
  for (const path of locationsOf(operand, state)) {
    const found = isOwnData(path, state) ? null : exposed(path, homesOf(state));
    if (found?.certain === true && found.kind !== "part") return found;
    // A directory that the command may have left again counts only where the path begins there.
    if (found?.kind === "part" && (inContainer(path, state) || !isFixed(operand, state))) continue;
    if (worst === null || worst.kind === "part") worst = found ?? worst;
  }
  return worst ?? exposedIfEmpty(operand, state);
}

/** `../..$x`: what is not known may be nothing. */
function exposedIfEmpty(operand: string, state: State): Exposure | null {
  const text = ofAnyOrigin(settled(operand));
  const path = text.replace(UP, "$1..");
  const found = UP.test(text) ? exposureOf(path, state) : null;
  return found === null ? null : { ...found, certain: false };
}

const UP = /(^|\/)\.\.\uFDD0(?=\/|$)/;

const isFixed = (operand: string, { location: { cwd } }: State): boolean => operand.startsWith("/") || cwd.length === 1;

/** What is right below a tree of a container is its own. */
const inContainer = (path: string, { location: { mounts, contained } }: State): boolean =>
  contained && !mounts.some(({ host }) => path === host || path.startsWith(`${host.replace(/\/$/, "")}/`));

/** Trees that hold data of a machine are in a container part of its image, or a volume. */
const isOwnData = (path: string, state: State): boolean =>
  (OF_DATA.test(path) || isSiteTree(path.replace(/(?<=.)\/[^/]*$/, "")) || isSiteTree(path)) &&
  inContainer(path, state);

const OF_DATA = /^\/(?:home|media|mnt|opt|srv)(?:\/|$)/;

function exposed(path: string, homes: readonly string[]): Exposure | null {
  const certain = !isOpen(path.replaceAll(DEEP, ""));
  const direct = protectedKind(path, homes);
  if (direct !== null) return { kind: direct, path, certain: certain || isSomeHome(path) };
  const slash = path.lastIndexOf("/");
  const [above, last] = [path.slice(0, slash) || "/", path.slice(slash + 1)];
  const isHome = (one: string) => protectedKind(one, homes) === "home";
  if (certain && !hasGlob(path) && isBelowTree(path, isHome)) return { kind: "part", path, certain };
  if (slash < 0 || !coversAll(last)) return null;
  const parent = protectedKind(above, homes);
  if (parent === null) return certain && isBelowTree(above, isHome) ? { kind: "part", path, certain } : null;
  const kind = parent === "root" ? "root" : parent === "home" ? "home_content" : "content";
  return { kind, path, certain };
}

function protectedKind(path: string, homes: readonly string[]): Exposure["kind"] | null {
  const same = hasGlob(path) || isOpen(path) ? loosely(path) : (known: string) => known === path;
  if (same("/")) return "root";
  if (SYSTEM.some(same) || isSiteTree(path)) return "system";
  return homes.some((home) => same(absolute(home, "/"))) || isUserHome(path) ? "home" : null;
}

function loosely(text: string): (known: string) => boolean {
  const pattern = patternOf(text);
  const open = text.endsWith(UNKNOWN);
  return (known) => accepted(pattern, known) || (open && known !== "/" && accepted(pattern, `${known}/`));
}

function isUserHome(path: string): boolean {
  const slash = path.lastIndexOf("/");
  return slash > 0 && HOMES.includes(path.slice(0, slash)) && /^[^.]/.test(path.slice(slash + 1));
}

/** `/home/$(whoami)`: with any word it is a user's home. */
const isSomeHome = (path: string): boolean => isUserHome(path) && !isUnknown(path) && !hasGlob(path);

/** `*`, `?*`, `[!.]*`, `.*` and the like: all that is in a directory, or all hidden in it. */
function coversAll(name: string): boolean {
  if (![STAR, QUESTION, SET_OPEN, DEEP].some((marker) => name.includes(marker))) return false;
  return PROBES.every((probe) => matches(name, probe)) || PROBES.every((probe) => matches(name, `.${probe}`));
}

/** Pairs such as `vg0/lv0` are logical volumes, but for the directories that hold other things. */
const BLOCK_DEVICES =
  /^((?!shm\/|pts\/|fd\/|tcp\/|udp\/|input\/|snd\/|dri\/|bus\/|net\/|mqueue\/|hugepages\/|char\/|serial\/|usb\/|cpu\/|dma_heap\/|vfio\/)[\w.-]+\/[\w.-]+$|sd|hd|vd|xvd|nvme\d|mmcblk|loop\d|md\d|md\/|dm-|mapper\/|disk|rdisk|sr\d|nbd|zd\d|zvol\/|ram\d|rbd|drbd|bcache|block\/|mtdblock|root$)/;

/** Probes for a path that is not wholly known. */
const DEVICES = words("sda sdb sdc1 vda vdb xvda nvme0n1 nvme1n1p2 mmcblk0 mmcblk0p1 md0 dm-0 mapper/vg-lv loop0").map(
  (name) => `/dev/${name}`,
);

/** A block device, or a link to one: yes, possibly (unknown text decides), or no. */
export function deviceAt(operand: string, state: State): "yes" | "possibly" | "no" {
  const paths = [...locationsOf(operand, state, true)];
  if (paths.some((path) => path.startsWith("/dev/") && BLOCK_DEVICES.test(path.slice(5)))) return "yes";
  if (paths.some((path) => path.startsWith("/dev/") && coversAll(path.slice(5)))) return "yes";
  return paths.some((path) => isOpen(path) && DEVICES.some((device) => matches(path, device))) ? "possibly" : "no";
}

/** A pattern with fewer known characters than these in the last name matches too much to mean one path. */
const MIN_KNOWN = 3;
const MARKERS = /[\uFDD0-\uFDEF]/g;

/** Null when the path is none of those and not below one. */
export type PathOwner = (path: string) => string | null;

/** `paths` are absolute and without `.` and `..`, and so is the path that is looked up. */
export function pathOwner(paths: readonly string[]): PathOwner {
  const known = new Set(paths);
  const split = paths.map((path) => path.split("/"));
  return (path) => {
    if (!path.startsWith("/")) return null;
    if (hasGlob(path)) return split.find((parts) => leadsTo(path.split("/"), parts))?.join("/") ?? null;
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (known.has(path.slice(0, end))) return path.slice(0, end);
    return null;
  };
}

function leadsTo(pattern: readonly string[], known: readonly string[]): boolean {
  const last = pattern[known.length - 1] ?? "";
  if (last.replace(MARKERS, "").length < MIN_KNOWN) return false;
  return known.every((name, at) => pattern[at] === name || matches(pattern[at] ?? "", name));
}

/**
 * The levels of protected paths, as data. A tree as a whole is never deleted; what is right below it is deleted after an
 * approval; what lies deeper is ordinary. A site adds trees and takes none away.
 */
const PROTECTION_SYSTEM = words("/usr /etc /boot /lib /lib32 /lib64 /libx32 /var /usr/lib /usr/lib64 /var/lib");
/** Right below a system tree, and ordinary all the same. */
const ORDINARY = /^\/var\/(?:tmp|cache|log|crash|spool|www|backups)$|^\/usr\/lib\/node_modules$/;
/** Where pools and volumes are mounted by custom. */
const POOL = /^\/(?:data|tank|pool|rpool|storage|export|shares?|zpool|volume\d{1,2}|volumeUSB\d)$/;
const VOLUME = /^\/(?:mnt|media)\/[^/]+$/;
const OF_HOME = /^\.(?:ssh|gnupg|config|local|kube|password-store|mozilla|thunderbird)$/;

let added: readonly string[] = [];

/** Trees that this site protects beside the known ones, for the whole process. Absolute paths. */
export function protectAlso(paths: readonly string[]): void {
  const trimmed = paths.map((path) => path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, ""));
  added = [...new Set([...added, ...trimmed.filter((path) => path.startsWith("/") && path !== "/")])];
}

/** Trees beside those of every system: pools, and what the site added. */
const isSiteTree = (path: string): boolean => POOL.test(path) || added.includes(path);

/** What is right below a protected tree, a volume, or the part of a home that holds keys and settings. */
function isBelowTree(path: string, isHome: (path: string) => boolean): boolean {
  const slash = path.lastIndexOf("/");
  const [parent, name] = [path.slice(0, slash) || "/", path.slice(slash + 1)];
  if (ORDINARY.test(path)) return false;
  if (PROTECTION_SYSTEM.includes(parent) || isSiteTree(parent) || VOLUME.test(path)) return true;
  return OF_HOME.test(name) && (parent === "/root" || isHome(parent));
}

/** Trees whose mode and owner belong to the system; those of data are the operator's to change. */
const OWNED = new Set([
  ...PROTECTION_SYSTEM,
  ...words("/bin /sbin /usr/bin /usr/sbin / /dev /proc /sys /root /run /home"),
]);

export const isOwnedBySystem = (path: string): boolean => OWNED.has(path) || added.includes(path);

/** Programs and libraries: another mode or owner of these ends a host as well. */
export const isSystemPart = (path: string): boolean =>
  /^\/(?:usr|lib|lib64|bin|sbin|boot)\/[^/]+$/.test(path) && path !== "/usr/local";
