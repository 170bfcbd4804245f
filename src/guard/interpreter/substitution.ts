// Command, process and arithmetic substitutions: what they run, and the texts that they leave.
import type { Script, WordPart } from "unbash";
import { alternatives, SOME, UNKNOWN } from "../words/symbols.ts";
import { arithmetic } from "./arithmetic.ts";
import type { ExpansionScope, Machine } from "./machine.ts";
import { deeper, entered, type State, weightOf } from "./state.ts";

/** Texts of a command, process or arithmetic substitution. A process substitution is a file that holds its output. */
export function substitution(part: WordPart, { state, machine }: ExpansionScope): readonly string[] {
  if (part.type === "CommandExpansion") {
    if (part.script === undefined) return [UNKNOWN];
    const output = machine.runScript(part.script, deeper(state));
    return alternatives(output.map((text) => text.replaceAll("\0", "").replace(/\n+$/, "")));
  }
  if (part.type === "ArithmeticExpansion") {
    const value = part.expression === undefined ? null : arithmetic(part.expression, state, machine);
    return [value === null ? SOME : String(value)];
  }
  if (part.type !== "ProcessSubstitution" || part.script === undefined) return [UNKNOWN];
  machine.tick(weightOf(state));
  if (part.operator === ">") return [readerOf(part.script, state, machine)];
  const stdin = null;
  const output = machine.runScript(part.script, deeper(state, { io: { stdin } }));
  const path = `/dev/fd/${63 - state.io.files.size}`;
  if (part.operator === "<") state.io.files = entered(state.io.files, path, output);
  return [path];
}

/** The command reads what is written to the path: unknown text. */
function readerOf(script: Script, state: State, machine: Machine): string {
  const path = `/dev/fd/${63 - state.io.files.size - state.io.readers.size}`;
  machine.runScript(script, deeper(state, { io: { stdin: [UNKNOWN] } }));
  state.io.readers = entered(state.io.readers, path, script);
  return path;
}
