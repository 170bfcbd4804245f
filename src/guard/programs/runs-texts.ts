// Programs with a way of their own to a shell: schedulers, editors, terminals, debuggers, and recipes of builds. Only what is
// proved dangerous in such text counts; that they run something is no reason to ask.
import { type Machine, type Output, type Program, SILENT } from "../interpreter/machine.ts";
import { contentsOf, scriptTexts } from "../interpreter/redirects.ts";
import { deeper, fork, type State } from "../interpreter/state.ts";
import { optionValue, optionValues, parseOptions } from "../words/options.ts";
import { UNKNOWN, unglobbed } from "../words/symbols.ts";
import { looks } from "./looks/rule.ts";
import { type EffectRule, type FilesRule, options, type ProgramRecord } from "./record.ts";

/** Shell text found on the command line and on standard input. */
export type ShellTexts = (args: readonly string[], state: State) => readonly string[];

const linesOfTexts = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split("\n"));

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
  /^(new|neww|splitw|new-session|new-window|split-window|respawn-\w+|run|run-shell|if-shell|send|send-keys|pipe-pane)$/;

/** `screen -dm bash -c '...'`. */
const screen: Program = ([, ...args], state, machine): Output => {
  const { operands } = parseOptions(args, { short: "cehpsStT", long: [] }, false);
  const [verb, text] = operands;
  if (verb === "stuff" && text !== undefined) return machine.provedOnly().runText(text, deeper(state));
  return operands.length === 0 ? SILENT : machine.runArgv(operands, fork(state));
};

/** A table of scheduled work: five fields of time, or one such as @daily, then the command. */
const crontab: ShellTexts = (args, state) => {
  const { operands } = parseOptions(args, { short: "us", long: [] });
  const [file = "-"] = operands;
  return linesOfTexts(contentsOf(file, state)).map((line) => line.replace(/^\s*(@\w+|(?:\S+\s+){4}\S+)\s+/, ""));
};

const ofAt: FilesRule = (args) =>
  optionValues(parseOptions(args, { short: "fqt", long: [] }), "f").flatMap((file) => file ?? []);

const tableOf: FilesRule = (args) =>
  parseOptions(args, { short: "us", long: [] }).operands.filter((file) => file !== "-");

const scheduled: ShellTexts = (args, state) => {
  const file = optionValue(parseOptions(args, { short: "fqt", long: [] }), "f");
  return file === null ? (state.io.stdin ?? []) : scriptTexts(file, state);
};

const scheduledEffect: EffectRule = options({
  why: "changes scheduled work",
  reads: "l V",
  valued: "u f q t",
  otherwise: { changes: "changes scheduled work" },
});

const runsMarked = runsTexts(behindMark(/(^|[:+\s])(r?!|w\s*!)/));
const runsShellCommands = runsTexts(
  behindMark(/^(shell\s|!|platform shell\s)/, /^(?:-x|--command|-s|--source)(?:=|$)/),
);
const spawned = runsTexts(behindMark(/\b(exec|spawn|system)\s+/));
const deleted = runsTexts((args, state) =>
  behindMark(/\bfile\s+delete\s+/)(args, state).map((rest) => `rm -r ${rest.replace(/[\]}]+$/, "")}`),
);
const STARTS_UNKNOWN = /\b(?:exec|spawn|system|eval)\s+(?:-\w+\s+)*(?:--\s+)?(?:\{\*\})?["{]?[$[]/;

/** Tcl: what `exec` and `spawn` start, and what `file delete` deletes. */
const runsSpawned: Program = (argv, state, machine) => {
  const [, ...args] = argv;
  if ([...args, ...(state.io.stdin ?? [])].some((text) => STARTS_UNKNOWN.test(text)))
    machine.report("ask", "dyn.operand", "what this code runs cannot be determined; write it out as a command", argv);
  deleted(argv, state, machine);
  return spawned(argv, state, machine);
};

/** `hyperfine 'a' 'b'`: words with blanks are texts for a shell; what they are given on standard input is none. */
const runsWords = runsTexts((args) => args.filter((arg) => /\s/.test(arg)));

/** The words after the options, or the text that is the only one. */
const launchesRest =
  (valued: string): Program =>
  ([, ...args], state, machine) => {
    const { operands } = parseOptions(args, { short: valued, long: [] }, false);
    const [first = ""] = operands;
    const inner = deeper(state, { io: { stdin: null } });
    if (operands.length === 1 && /\s/.test(first)) machine.provedOnly().runText(first, inner);
    else if (operands.length > 0) machine.provedOnly().runArgv(operands, inner);
    return [UNKNOWN];
  };

/** `tmux new-window -n x htop`. */
const tmux: Program = (argv, state, machine) => {
  const at = argv.findIndex((word, n) => n > 0 && TMUX_RUNS.test(word));
  if (at < 0) return [UNKNOWN];
  runEach(allTexts(argv.slice(1), state), state, machine.provedOnly());
  return /^send/.test(argv[at] ?? "") ? [UNKNOWN] : launchesRest("bceFlnstxy")(argv.slice(at), state, machine);
};

/** `gdb --args program words`. */
const debugged: Program = (argv, state, machine) => {
  const at = argv.findIndex((word) => /^--?args$/.test(word));
  if (at > 0) machine.provedOnly().runArgv(argv.slice(at + 1), fork(state));
  return runsShellCommands(argv, state, machine);
};

const runsLisp = runsTexts((args) =>
  args.flatMap((text) =>
    [
      ...text.matchAll(
        /\((?:async-)?(?:shell-command(?:-to-string)?|start-process-shell-command)\s+(?:"[^"]*"\s+)*?"([^"]*)"\s*\)/g,
      ),
    ].map(([, found = ""]) => found),
  ),
);

/** PowerShell by the names of the shell: on this system its `rm` is the program. */
const runsPower = runsTexts((args, state) =>
  [...valuesBehind(/^-c(?:ommand)?$/i)(args, state), ...(state.io.stdin ?? [])].map((text) =>
    text
      .replace(/\b(?:Remove-Item|ri)\b/gi, "rm")
      .replace(/-(?:Literal)?Path\b/gi, "")
      .replace(/-(Recurse|Force)\b/gi, (_, name: string) => `-${name.charAt(0).toLowerCase()}`),
  ),
);

const runsSystemCalls = runsTexts((args, state) =>
  [...args, ...(state.io.stdin ?? [])].flatMap((text) =>
    [...text.matchAll(/syscmd\([`'"]?([^)'"]*)/g)].map(([, found = ""]) => found),
  ),
);

export const EDITORS: readonly ProgramRecord[] = [
  { names: "vi vim ed", runs: runsMarked, effect: "unknown" },
  { names: "nvim view ex", runs: runsMarked },
  { names: "nano", effect: "unknown" },
  { names: "emacs emacsclient", runs: runsLisp, effect: "unknown" },
  {
    names: "tmux",
    runs: tmux,
    effect: looks(
      "ls, list-sessions, list-windows, lsw, list-panes, lsp, list-clients, lsc, list-keys, list-buffers, list-commands, has-session, has, show-options, show, show-environment, info, -V",
      { valued: "L S", unless: "F f" },
    ),
  },
  { names: "screen", runs: screen, effect: looks("-ls, -list, -v, --version") },
  { names: "entr", runs: launchesRest("") },
  { names: "watchexec", runs: launchesRest("defiNopswW") },
  { names: "hyperfine pee concurrently", runs: runsWords },
  { names: "nix-shell", runs: runsTexts(valuesBehind(/^--(?:run|command)(?:=|$)/)) },
  { names: "nodemon", runs: runsTexts(valuesBehind(/^(?:--exec(?:=|$)|-x$)/)) },
  { names: "pwsh powershell", runs: runsPower, effect: "unknown" },
  { names: "expect", runs: runsSpawned, effect: "unknown" },
  { names: "tclsh", runs: runsSpawned, versions: true },
  { names: "wish", runs: runsSpawned },
  { names: "gdb", runs: debugged, effect: "unknown" },
  { names: "lldb", runs: runsShellCommands },
  { names: "at batch", files: ofAt, runs: runsTexts(scheduled), effect: scheduledEffect },
  { names: "crontab", files: tableOf, runs: runsTexts(crontab), effect: scheduledEffect },
  { names: "atrm", effect: scheduledEffect },
  { names: "atq", effect: "reads" },
  { names: "m4", runs: runsSystemCalls },
  { names: "ninja cmake meson bazel gcc g++ cc clang rustc javac tsc", effect: { changes: "builds files" } },
];
