// Programs with a way of their own to a shell: schedulers, editors, database clients, terminals. Only what is proved
// dangerous in such text counts; that they run something is no reason to ask.
import type { Machine, Program } from "../interpreter/machine.ts";
import { deeper, type State } from "../interpreter/state.ts";
import { UNKNOWN, unglobbed } from "../words/symbols.ts";

/** Shell text found on the command line and on standard input. */
export type ShellTexts = (args: readonly string[], state: State) => readonly string[];

export const linesOfTexts = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split("\n"));

/** The text after a mark such as `!` at the start of a line or of an argument. */
export const behindMark =
  (mark: RegExp): ShellTexts =>
  (args, state) =>
    linesOfTexts([...args, ...(state.io.stdin ?? [])]).flatMap((line) => {
      const found = mark.exec(line);
      return found === null ? [] : [line.slice(found.index + found[0].length).replace(/^(["'])(.*)\1$/, "$2")];
    });

export const valuesBehind =
  (pattern: RegExp): ShellTexts =>
  (args) =>
    args.flatMap((arg, at) => {
      const found = pattern.exec(arg);
      return found === null ? [] : [arg.length > found[0].length ? arg.slice(found[0].length) : (args[at + 1] ?? "")];
    });

export const allTexts: ShellTexts = (args, state) => [
  ...args.filter((arg) => /\s/.test(arg)),
  ...(state.io.stdin ?? []),
];

function runEach(texts: readonly string[], state: State, machine: Machine): void {
  for (const text of texts) {
    machine.tick();
    if (text !== "") machine.runText(text, deeper(state, { io: { stdin: null } }));
  }
}

export const runsTexts =
  (texts: ShellTexts): Program =>
  ([, ...args], state, machine) => {
    runEach(texts(args.map(unglobbed), state), state, machine.provedOnly());
    return [UNKNOWN];
  };
