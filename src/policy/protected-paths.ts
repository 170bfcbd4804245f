// The paths that the words of a command may name, in any spelling.
import { type PathOwner, pathFrom } from "../guard/guard.ts";

/** What may surround a path in a text: `--file=/x`, `@/x`, `/x:/y`, `open("/x")`. */
const ENDS = /[\s"'`<>|&;()=,:@]+/;

export const piecesOf = (text: string): string[] => text.split(ENDS);

/** The pieces as paths, seen from each directory. */
export function pathsFrom(pieces: readonly string[], directories: readonly string[], ownerOf: PathOwner): string[] {
  // A single word is seldom a file, except in a directory whose every file is protected.
  const sensitive = new Set(directories.filter((path) => path.startsWith("/proc/") || ownerOf(path) !== null));
  return pieces.flatMap((piece) => {
    const from = piece === "" || piece.includes("/") ? directories : [...sensitive];
    return piece === "" ? [] : from.map((directory) => pathFrom(piece, directory));
  });
}
