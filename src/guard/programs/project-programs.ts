// A pattern of programs that are the project's own: `for hook in /hooks/*; do "$hook"; done`.
import type { Machine } from "../interpreter/machine.ts";
import type { PastCommand, State } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { DEEP, hasGlob, isOpen, isUnknown } from "../words/symbols.ts";
import { effectOfPast } from "./written-files.ts";

const OF_SYSTEM = /^\/$|\/(s?bin|lib\w*|proc|dev|snap)(\/|$)/;

/** Any file of a directory that is written out, with none of the system's programs and nothing that this text put there. */
export function isAnyOfProject(program: string, state: State, { past, isOnDisk }: Machine): boolean {
  const { location, io } = state;
  const directory = program.slice(0, Math.max(0, program.lastIndexOf("/")));
  const name = program.slice(directory.length);
  if (directory === "" || hasGlob(directory) || isOpen(directory)) return false;
  if (isUnknown(name) || !(hasGlob(name) || isOpen(name))) return false;
  // What find prints below a directory is seldom all meant to be run, but for one that is made for that.
  if (name.includes(DEEP) && !directory.startsWith("/")) return false;
  const written = [...io.files.keys()].filter((path) => !isOnDisk(path, state));
  const placed = [...written, ...io.copies.keys(), ...io.links.map(({ inside }) => inside)];
  return location.cwd
    .map((cwd) => absolute(directory, cwd))
    .every(
      (path) =>
        path.startsWith("/") &&
        !isOpen(path) &&
        !OF_SYSTEM.test(path) &&
        !placed.some((file) => isWithin(file, path) || isWithin(path, file)) &&
        !past.some((one) => mayWriteTo(path, one, state)),
    );
}

const isWithin = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

function mayWriteTo(path: string, one: PastCommand, state: State): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  // It has run a file of the directory itself.
  if ([...one.ran].some((ran) => isWithin(ran, path))) return false;
  const isNamed = one.argv.slice(1).some((word) => word.includes(name));
  return (
    (isNamed || one.directories.some((directory) => isWithin(directory, path))) && effectOfPast(one, state) !== "reads"
  );
}
