// Which of some known paths an observed word names: the path itself or one below it.
import { matches } from "./words/glob.ts";
import { hasGlob } from "./words/symbols.ts";

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
