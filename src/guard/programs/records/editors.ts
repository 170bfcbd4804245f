// Holds the records of programs with a way of their own to a shell: schedulers, editors, terminals, debuggers. Only what is proved
// dangerous in such text counts; that they run something is no reason to ask.
import { type Output, type Program, SILENT } from "../../interpreter/machine.ts";
import { contentsOf, scriptTexts } from "../../interpreter/redirects.ts";
import { deeper, fork } from "../../interpreter/state.ts";
import { optionValue, optionValues, parseOptions } from "../../words/options.ts";
import { UNKNOWN } from "../../words/symbols.ts";
import type { Applied, EffectRule, FilesRule, ProgramRecord, StartedBy } from "../record.ts";
import { onThisMachine, options } from "../rules/effects.ts";
import { ANY } from "../rules/select.ts";
import {
  allTexts,
  behindMark,
  each,
  launchesRest,
  linesOfTexts,
  runEach,
  runsTexts,
  type ShellTexts,
  systemTableCommands,
  tableCommands,
  valuesBehind,
} from "../rules/texts.ts";
import { deletesByLisp } from "../rules/unread-code.ts";

const SCHEDULES: readonly StartedBy[] = [
  { files: /^\/var\/spool\/cron\//, commands: tableCommands, at_once: true },
  { files: /^\/etc\/(?:crontab|cron\.d\/|anacrontab)/, commands: systemTableCommands, at_once: true },
];

const TERMINALS: readonly StartedBy[] = [
  {
    files: /\/\.?tmux\.conf$/,
    commands: each(/\b(?:default-command|run(?:-shell)?|if-shell)\s+(?:-b\s+)?["']([^"'\n]*)["']/g),
  },
];

const EDITOR_SETTINGS: readonly StartedBy[] = [
  { files: /\/\.?(?:vim|nvim|ex)rc$|\/init\.vim$/, commands: each(/(?:^|\s)(?:silent\s+)?!(.+)$/gm) },
];

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

const VI_WRITES: NonNullable<ProgramRecord["writes"]> = {
  words: /(?:^|[+:|\s%,$\d])(?:w|wq|x|sav|saveas|write|update|up)!?\s+(?:\+\+\S+\s+)*(?:>>\s*)?(\/dev\/[\w/.-]+)/,
};

/** Of what a debugger is given, some words start programs. */
const DEBUGGER_OBEYS: Applied = {
  options: "x s source command",
  holds: /^\s*(?:!|\|)|\b(?:python|py|shell|make|pipe|source|script|system|exec\w*|guile)\b/m,
};

const SCRIPT_OBEYS: readonly Applied[] = [
  { options: "f", operands: "first", valued: "c", stops: true },
  { when: /^(?:-\S+\s*)*$/, input: "all", holds: /^(?!)/ },
];

const ED_APPLIES: NonNullable<ProgramRecord["applies"]> = [{ options: "S s", input: "redirected" }, { input: "all" }];

/** Finds the commands of a vi script that run a program, code or another script, or change a file. */
const VI_RUNS =
  /^\s*[-@]*:?(?:sil\w*!?\s+)?(?:!|\d*r(?:ead)?\s*!)|\b(?:system\w*|job_start|term_start|jobstart|termopen|delete|writefile|libcall\w*|execute|exec?|source|so|autocmd|au|lua\w*|py\w*|ruby|perl|tcl|eval|w(?:rite)?!?\s*[!/])(?![\w-])/m;

const VI_OBEYS: readonly Applied[] = [
  { options: "S u l", valued: "c cmd T w W i", holds: VI_RUNS, form: /[./]/ },
  { unless: /(?:^|\s)-\w*[eE]/, options: "s", valued: "S u l c cmd T w W i", holds: VI_RUNS },
  { when: /(?:^|\s)-\w*[eEs]+(?:\s|$)/, input: "all", holds: VI_RUNS },
];

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "vi vim",
      runs: runsMarked,
      effect: "unknown",
      writes: VI_WRITES,
      applies: { input: "redirected" },
      obeys: VI_OBEYS,
      commands: { variables: "EDITOR VISUAL FCEDIT SUDO_EDITOR" },
      startedBy: EDITOR_SETTINGS,
    },
    {
      names: "ed",
      runs: runsMarked,
      effect: "unknown",
      writes: VI_WRITES,
      applies: ED_APPLIES,
    },
    {
      names: "nvim",
      runs: runsMarked,
      writes: VI_WRITES,
      applies: { input: "redirected" },
      obeys: VI_OBEYS,
    },
    {
      names: "view",
      runs: runsMarked,
      writes: VI_WRITES,
    },
    {
      names: "ex",
      runs: runsMarked,
      writes: VI_WRITES,
      applies: ED_APPLIES,
    },
    { names: "nano", effect: "unknown" },
    {
      names: "tmux",
      valued: "L S",
      looks:
        "ls, list-sessions, list-windows, lsw, list-panes, lsp, list-clients, lsc, list-keys, list-buffers, list-commands, has-session, has, show-options, show, show-environment, info, -V",
      unless: "F f",
      runs: tmux,
      applies: { when: /^(?:source|source-file)\s/, skip: 1, operands: ANY, options: "f" },
      obeys: {
        options: "f",
        valued: "L S",
        stops: true,
        holds: /run|if-shell|default-(?:command|shell)|pipe-pane|new|split|respawn|source|#\(/,
      },
      startedBy: TERMINALS,
    },
    { names: "screen", looks: "-ls, -list, -v, --version", runs: screen, applies: "c" },
    { names: "entr", runs: launchesRest("") },
    { names: "watchexec", runs: launchesRest("defiNopswW") },
    { names: "hyperfine pee concurrently", runs: runsWords },
    {
      names: "nix-shell",
      runs: runsTexts(valuesBehind(/^--(?:run|command)(?:=|$)/)),
      obeys: [
        { unless: /(?:^|\s)(?:-p|--packages)\s/, names: "default.nix shell.nix" },
        { options: "E expr f", operands: /\.nix$|:\/\//, valued: "p packages run command arg argstr I" },
      ],
    },
    { names: "nodemon", runs: runsTexts(valuesBehind(/^(?:--exec(?:=|$)|-x$)/)) },
    { names: "gdb", runs: debugged, effect: "unknown", obeys: DEBUGGER_OBEYS },
    { names: "lldb", runs: runsShellCommands, obeys: DEBUGGER_OBEYS },
    {
      names: "at batch",
      files: ofAt,
      runs: runsTexts(scheduled),
      effect: scheduledEffect,
      applies: { input: "all" },
      writesKnown: true,
    },
    {
      names: "crontab",
      files: tableOf,
      runs: runsTexts(crontab),
      effect: scheduledEffect,
      consequences: { deletes_data: /(?:^|\s)-\w*r/ },
      applies: { input: "all" },
      // A table that was fetched; one that the plan writes is read.
      obeys: { operands: "first", valued: "u s", input: "all", holds: /^(?!)/ },
      startedBy: SCHEDULES,
      writesKnown: true,
    },
    { names: "atrm", effect: scheduledEffect, consequences: { deletes_data: true } },
    { names: "m4", runs: runsSystemCalls, applies: { operands: ANY, options: "f file", input: "all" } },
  ]),
  {
    names: "emacs emacsclient",
    runs: runsLisp,
    alwaysBlocked: deletesByLisp,
    effect: "unknown",
    obeys: "l load script",
  },
  {
    names: "pwsh powershell",
    runs: runsPower,
    effect: "unknown",
    obeys: [
      { options: "File f file", valued: "Command c ExecutionPolicy", operands: "first", stops: true },
      { options: "Command c command", form: /\.ps1\b/ },
      { when: /^(?:-\w+\s*)*(?:-c\w*\s+-)?$/i, input: "all" },
    ],
  },
  { names: "expect", runs: runsSpawned, effect: "unknown", obeys: SCRIPT_OBEYS, readsCode: true, script: true },
  { names: "tclsh", runs: runsSpawned, obeys: SCRIPT_OBEYS, versions: true, readsCode: true, script: true },
  { names: "wish", runs: runsSpawned, obeys: SCRIPT_OBEYS, script: true },
  { names: "atq", effect: "reads" },
];
