// The levels of protected paths, as data. A tree as a whole is never deleted; what is right below it is deleted after an
// approval; what lies deeper is ordinary. A site adds trees and takes none away.
import { words } from "./words/options.ts";

const SYSTEM = words("/usr /etc /boot /lib /lib32 /lib64 /libx32 /var /usr/lib /usr/lib64 /var/lib");
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
export const isSiteTree = (path: string): boolean => POOL.test(path) || added.includes(path);

/** What is right below a protected tree, a volume, or the part of a home that holds keys and settings. */
export function isBelowTree(path: string, isHome: (path: string) => boolean): boolean {
  const slash = path.lastIndexOf("/");
  const [parent, name] = [path.slice(0, slash) || "/", path.slice(slash + 1)];
  if (ORDINARY.test(path)) return false;
  if (SYSTEM.includes(parent) || isSiteTree(parent) || VOLUME.test(path)) return true;
  return OF_HOME.test(name) && (parent === "/root" || isHome(parent));
}

/** Trees whose mode and owner belong to the system; those of data are the operator's to change. */
const OWNED = new Set([...SYSTEM, ...words("/bin /sbin /usr/bin /usr/sbin / /dev /proc /sys /root /run /home")]);

export const isOwnedBySystem = (path: string): boolean => OWNED.has(path) || added.includes(path);

/** Programs and libraries: another mode or owner of these ends a host as well. */
export const isSystemPart = (path: string): boolean =>
  /^\/(?:usr|lib|lib64|bin|sbin|boot)\/[^/]+$/.test(path) && path !== "/usr/local";
