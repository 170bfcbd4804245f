// Finds texts for a shell on command lines, on standard input and in files that something runs later without being named (D-283).
import type { Machine, Program } from "../../interpreter/machine.ts";
import { scriptTexts } from "../../interpreter/redirects.ts";
import { deeper, type State } from "../../interpreter/state.ts";
import { parseOptions } from "../../words/options.ts";
import { UNKNOWN, unglobbed } from "../../words/symbols.ts";

type CommandsOf = (text: string) => readonly string[];

export const wholeText: CommandsOf = (text) => [text];

/** What the group of each match holds. */
export const each =
  (pattern: RegExp): CommandsOf =>
  (text) =>
    [...text.replace(/\\\n/g, " ").matchAll(pattern)].map(([, command = ""]) => command);

/** `ExecStart=-/bin/x`: the marks before the program are not part of it. */
export const unitCommands: CommandsOf = (text) =>
  each(/^[^\S\n]*Exec\w+[^\S\n]*=[^\S\n]*[-@:+!|]*(.+)$/gm)(text).map((command) =>
    command.replaceAll("%%", "%").replaceAll("$$", "$"),
  );

const TIMES = /^\s*(?:@\w+\s+|(?:\S+\s+){5})/;

export const tableCommands: CommandsOf = (text) =>
  text
    .split("\n")
    .filter((line) => TIMES.test(line) && !/^\s*#/.test(line))
    .map((line) => line.replace(TIMES, ""));

/** A table of the system has an account before the command. */
export const systemTableCommands: CommandsOf = (text) =>
  tableCommands(text).map((command) => command.replace(/^\S+\s+/, ""));

/** Texts in quotes: `DPkg::Post-Invoke {"x";};`. */
export const invoked: CommandsOf = (text) =>
  /(?:Pre|Post)-Invoke|Pre-Install-Pkgs/i.test(text) ? each(/"((?:[^"\\\n]|\\.)*)"/g)(text) : [];

/** Shell text found on the command line and on standard input. */
export type ShellTexts = (args: readonly string[], state: State) => readonly string[];

export const linesOfTexts = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split("\n"));

const NO_FILE = /^(?!)/;

/** The text after a mark such as `!` at the start of a line or of an argument. `file`: options that name a file of such lines. */
export const behindMark =
  (mark: RegExp, file: RegExp = NO_FILE): ShellTexts =>
  (args, state) =>
    linesOfTexts([
      ...args,
      ...(state.io.stdin ?? []),
      ...valuesBehind(file)(args, state).flatMap((path) => scriptTexts(path, state)),
    ]).flatMap((line) => {
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

export function runEach(texts: readonly string[], state: State, machine: Machine): void {
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

/** The words after the options, or the text that is the only one. */
export const launchesRest =
  (valued: string): Program =>
  ([, ...args], state, machine) => {
    const { operands } = parseOptions(args, { short: valued, long: [] }, false);
    const [first = ""] = operands;
    const inner = deeper(state, { io: { stdin: null } });
    if (operands.length === 1 && /\s/.test(first)) machine.provedOnly().runText(first, inner);
    else if (operands.length > 0) machine.provedOnly().runArgv(operands, inner);
    return [UNKNOWN];
  };
