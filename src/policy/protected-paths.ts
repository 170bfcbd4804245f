// Which of some paths a text names: the path itself or one below it, whatever way it is written (spec section 5: an agent
// does not read the tokens).
import { absolute } from "../guard/paths.ts";
import { matches } from "../guard/shell/glob.ts";
import { hasGlob } from "../guard/shell/symbols.ts";

/** What may stand around a path in a text: `--file=/x`, `@/x`, `/x:/y`, `open("/x")`. */
const ENDS = /[\s"'`<>|&;()=,:@]+/;
/** A pattern that tells less of a name means others. */
const TELLING = 3;
const MARKERS = /[\uFDD0-\uFDEF]/g;

/** Null for a path that is nobody's. */
export type Owner = (path: string) => string | null;

/** `paths` are absolute and without `.` and `..`, and so must be what is asked about. */
export function ownerAmong(paths: readonly string[]): Owner {
  const known = new Set(paths);
  const split = paths.map((path) => path.split("/"));
  return (path) => {
    if (!path.startsWith("/")) return null;
    if (hasGlob(path)) return split.find((own) => leadsTo(path.split("/"), own))?.join("/") ?? null;
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (known.has(path.slice(0, end))) return path.slice(0, end);
    return null;
  };
}

function leadsTo(parts: readonly string[], own: readonly string[]): boolean {
  const last = parts[own.length - 1] ?? "";
  if (last.replace(MARKERS, "").length < TELLING) return false;
  return own.every((name, at) => parts[at] === name || matches(parts[at] ?? "", name));
}

export const piecesOf = (text: string): string[] => text.split(ENDS);

/** What the pieces are as paths, seen from each of the places. */
export function pathsFrom(pieces: readonly string[], places: readonly string[], ownerOf: Owner): string[] {
  // A single word is seldom a file, but for somebody who stands where everything is of interest.
  const telling = new Set(places.filter((place) => place.startsWith("/proc/") || ownerOf(place) !== null));
  return pieces.flatMap((piece) => {
    const from = piece === "" || piece.includes("/") ? places : [...telling];
    return piece === "" ? [] : from.map((place) => absolute(piece, place));
  });
}
