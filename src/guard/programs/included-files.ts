// Notes a file, or the files of a pattern, that another file includes, and gives their known texts.
import type { Machine } from "../interpreter/machine.ts";
import { textAt } from "../interpreter/redirects.ts";
import type { State } from "../interpreter/state.ts";
import { matches } from "../words/glob.ts";
import { hasGlob, isOpen, readable } from "../words/symbols.ts";

export function readIncluded(path: string, state: State, machine: Machine): readonly string[] {
  if (isOpen(path)) machine.cannotFollow(`what is included as ${readable(path)} is not covered`);
  else if (hasGlob(path)) machine.runsMatching(path);
  else machine.runsFile(path, textAt(path, state));
  if (!hasGlob(path)) return textAt(path, state) ?? [];
  const known = [...state.io.files].filter(([file]) => matches(path, file));
  for (const [file, texts] of known) machine.runsFile(file, texts);
  return known.flatMap(([, texts]) => texts);
}
