// Editors, terminals, schedulers and debuggers: each of them gives text to a shell.
import { type Output, type Program, SILENT } from "../interpreter/machine.ts";
import { contentsOf } from "../interpreter/redirects.ts";
import { fork } from "../interpreter/state.ts";
import { parseOptions } from "../words/options.ts";
import { type EffectRule, options, type ProgramRecord } from "./record.ts";
import { allTexts, behindMark, linesOfTexts, runsTexts, type ShellTexts } from "./runs-texts.ts";

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
];
