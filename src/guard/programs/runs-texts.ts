// Programs with a way of their own to a shell: schedulers, editors, terminals, debuggers, and recipes of builds. Only what is
// proved dangerous in such text counts; that they run something is no reason to ask.
import { type Machine, type Output, type Program, SILENT } from "../interpreter/machine.ts";
import { contentsOf } from "../interpreter/redirects.ts";
import { deeper, fork, type State } from "../interpreter/state.ts";
import { optionValue, parseOptions } from "../words/options.ts";
import { UNKNOWN, unglobbed } from "../words/symbols.ts";
import { type EffectRule, options, type ProgramRecord, unlessDry } from "./record.ts";

/** Shell text found on the command line and on standard input. */
export type ShellTexts = (args: readonly string[], state: State) => readonly string[];

const linesOfTexts = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split("\n"));

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

const allTexts: ShellTexts = (args, state) => [...args.filter((arg) => /\s/.test(arg)), ...(state.io.stdin ?? [])];

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

const TMUX_RUNS =
  /\b(new|neww|splitw|new-session|new-window|split-window|respawn-\w+|run|run-shell|if-shell|send|send-keys|pipe-pane)\b/;

/** `screen -dm bash -c '...'`. */
const screen: Program = ([, ...args], state, machine): Output => {
  const { operands } = parseOptions(args, { short: "cehpsStT", long: [] }, false);
  return operands.length === 0 ? SILENT : machine.runArgv(operands, fork(state));
};

/** A table of scheduled work: five fields of time, or one such as @daily, then the command. */
const crontab: ShellTexts = (args, state) => {
  const { operands } = parseOptions(args, { short: "us", long: [] });
  const [file = "-"] = operands;
  return linesOfTexts(contentsOf(file, state)).map((line) => line.replace(/^\s*(@\w+|(?:\S+\s+){4}\S+)\s+/, ""));
};

const scheduled: ShellTexts = (args, state) => (args.includes("-f") ? [] : (state.io.stdin ?? []));

const scheduledEffect: EffectRule = options({
  why: "changes scheduled work",
  reads: "l V",
  valued: "u f q t",
  otherwise: { changes: "changes scheduled work" },
});

const runsMarked = runsTexts(behindMark(/(^|[:+\s])(r?!|w\s*!)/));
const runsShellCommands = runsTexts(behindMark(/^(shell\s|!|platform shell\s)/));
const runsSpawned = runsTexts(behindMark(/\b(exec|spawn|system)\s+/));

/** Lines after a tab in a makefile that the program wrote or reads from standard input. */
const recipes: ShellTexts = (args, state) => {
  const file = optionValue(
    parseOptions(args, { short: "fCjI", long: ["file", "makefile", "directory"] }),
    "f",
    "file",
    "makefile",
  );
  const texts = file === null ? [] : contentsOf(file, state);
  const evaluated = args.flatMap((arg) => (arg.startsWith("--eval=") ? [arg.slice("--eval=".length)] : []));
  return linesOfTexts([...texts, ...evaluated]).flatMap((line) =>
    line.startsWith("\t") ? [line.replace(/^\t[@+-]*/, "")] : [],
  );
};

/** A makefile may run programs while it is only read. */
const dryMake = unlessDry(
  "n just-print dry-run recon q question",
  { changes: "builds files" },
  "C f I j l o W directory file",
);

const makeEffect: EffectRule = (argv, state) => {
  const effect = dryMake(argv, state);
  return effect === "reads" ? "unknown" : effect;
};

const runsSystemCalls = runsTexts((args, state) =>
  [...args, ...(state.io.stdin ?? [])].flatMap((text) =>
    [...text.matchAll(/syscmd\([`'"]?([^)'"]*)/g)].map(([, found = ""]) => found),
  ),
);

export const EDITORS: readonly ProgramRecord[] = [
  { names: "vi vim ed", runs: runsMarked, effect: "unknown" },
  { names: "nvim view ex", runs: runsMarked },
  { names: "nano emacs", effect: "unknown" },
  { names: "tmux", runs: runsTexts((args, state) => (TMUX_RUNS.test(args.join(" ")) ? allTexts(args, state) : [])) },
  { names: "screen", runs: screen },
  { names: "entr", runs: runsTexts(allTexts) },
  { names: "expect", runs: runsSpawned, effect: "unknown" },
  { names: "tclsh", runs: runsSpawned, versions: true },
  { names: "wish", runs: runsSpawned },
  { names: "gdb", runs: runsShellCommands, effect: "unknown" },
  { names: "lldb", runs: runsShellCommands },
  { names: "at batch", runs: runsTexts(scheduled), effect: scheduledEffect },
  { names: "crontab", runs: runsTexts(crontab), effect: scheduledEffect },
  { names: "atrm", effect: scheduledEffect },
  { names: "atq", effect: "reads" },
  { names: "make gmake", runs: runsTexts(recipes), effect: makeEffect },
  { names: "m4", runs: runsSystemCalls },
  { names: "ninja cmake meson bazel gcc g++ cc clang rustc javac tsc", effect: { changes: "builds files" } },
];
