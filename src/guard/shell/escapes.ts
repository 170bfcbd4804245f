// Programs with a way of their own to a shell: schedulers, editors, database clients, terminals. Only what is proved
// dangerous in such text counts; that they run something is no reason to ask.
import { type Machine, type Output, type Program, SILENT } from "./machine.ts";
import { optionValue, parseOptions } from "./options.ts";
import { contentsOf } from "./redirects.ts";
import { fork, type State } from "./state.ts";
import { UNKNOWN, unglobbed } from "./symbols.ts";

/** Shell text found on the command line and on standard input. */
type Texts = (args: readonly string[], state: State) => readonly string[];

const linesOf = (texts: readonly string[]): readonly string[] => texts.flatMap((text) => text.split("\n"));

/** What stands behind a mark such as `!` at the start of a line or of an argument. */
const behind =
  (mark: RegExp): Texts =>
  (args, state) =>
    linesOf([...args, ...(state.stdin ?? [])]).flatMap((line) => {
      const found = mark.exec(line);
      return found === null ? [] : [line.slice(found.index + found[0].length).replace(/^(["'])(.*)\1$/, "$2")];
    });

const scheduled: Texts = (args, state) => (args.includes("-f") ? [] : (state.stdin ?? []));

/** A table of scheduled work: five fields of time, or one such as @daily, then the command. */
const crontab: Texts = (args, state) => {
  const { operands } = parseOptions(args, { short: "us", long: [] });
  const [file = "-"] = operands;
  return linesOf(contentsOf(file, state)).map((line) => line.replace(/^\s*(@\w+|(?:\S+\s+){4}\S+)\s+/, ""));
};

const valuesBehind =
  (pattern: RegExp): Texts =>
  (args) =>
    args.flatMap((arg, at) => {
      const found = pattern.exec(arg);
      return found === null ? [] : [arg.length > found[0].length ? arg.slice(found[0].length) : (args[at + 1] ?? "")];
    });

const all: Texts = (args, state) => [...args.filter((arg) => /\s/.test(arg)), ...(state.stdin ?? [])];

/** Lines behind a tab in a makefile that the program wrote or reads from standard input. */
const recipes: Texts = (args, state) => {
  const file = optionValue(
    parseOptions(args, { short: "fCjI", long: ["file", "makefile", "directory"] }),
    "f",
    "file",
    "makefile",
  );
  const texts = file === null ? [] : contentsOf(file, state);
  const evaluated = args.flatMap((arg) => (arg.startsWith("--eval=") ? [arg.slice("--eval=".length)] : []));
  return linesOf([...texts, ...evaluated]).flatMap((line) =>
    line.startsWith("\t") ? [line.replace(/^\t[@+-]*/, "")] : [],
  );
};

const TMUX_RUNS =
  /\b(new|neww|splitw|new-session|new-window|split-window|respawn-\w+|run|run-shell|if-shell|send|send-keys|pipe-pane)\b/;

const TEXTS: readonly (readonly [string, Texts])[] = [
  ["at batch", scheduled],
  ["crontab", crontab],
  ["vi vim nvim view ex ed", behind(/(^|[:+\s])(r?!|w\s*!)/)],
  ["psql mysql mariadb", behind(/\\!/)],
  ["make gmake", recipes],
  [
    "m4",
    (args, state) =>
      [...args, ...(state.stdin ?? [])].flatMap((text) =>
        [...text.matchAll(/syscmd\([`'"]?([^)'"]*)/g)].map(([, found = ""]) => found),
      ),
  ],
  ["sqlite3", behind(/^\.(shell|system)\s/)],
  ["gdb lldb", behind(/^(shell\s|!|platform shell\s)/)],
  [
    "tar gtar bsdtar",
    valuesBehind(/^--(checkpoint-action=exec=|to-command=?|use-compress-program=?|rsh-command=?)|^-I/),
  ],
  ["rsync scp sftp", valuesBehind(/^(?:-e|--rsh=?|-S|-o\s*ProxyCommand[=\s]|ProxyCommand[=\s])/)],
  ["apt apt-get aptitude", (args) => args.flatMap((arg) => /Invoke[^=]*=+(.+)$/.exec(arg)?.slice(1) ?? [])],
  ["split", valuesBehind(/^--filter=?/)],
  [
    "socat",
    (args) => args.flatMap((arg) => [...arg.matchAll(/^(?:exec|system):([^,]*)/gi)].map(([, text = ""]) => text)),
  ],
  ["nc ncat netcat", valuesBehind(/^(?:-e|-c|--exec=?|--sh-exec=?)/)],
  ["man", valuesBehind(/^(?:-P|-H|--pager=?|--html=?)/)],
  ["zip", valuesBehind(/^(-TT|--unzip-command=?)/)],
  ["tmux", (args, state) => (TMUX_RUNS.test(args.join(" ")) ? all(args, state) : [])],
  ["entr", all],
  ["expect tclsh wish", behind(/\b(exec|spawn|system)\s+/)],
  [
    "osascript",
    (args) => args.flatMap((arg) => [...arg.matchAll(/do shell script "([^"]*)"/g)].map(([, text = ""]) => text)),
  ],
];

const escaping =
  (texts: Texts): Program =>
  ([, ...args], state, machine) => {
    runEach(texts(args.map(unglobbed), state), state, machine.provedOnly());
    return [UNKNOWN];
  };

function runEach(texts: readonly string[], state: State, machine: Machine): void {
  for (const text of texts) {
    machine.tick();
    if (text !== "") machine.runText(text, fork(state, { depth: state.depth + 1, stdin: null }));
  }
}

/** `screen -dm bash -c '...'`. */
const screen: Program = ([, ...args], state, machine): Output => {
  const { operands } = parseOptions(args, { short: "cehpsStT", long: [] }, false);
  return operands.length === 0 ? SILENT : machine.runArgv(operands, fork(state));
};

/** `npx rimraf dist`: the package is the program. */
const packaged: Program = ([, ...args], state, machine): Output => {
  const parsed = parseOptions(args, { short: "pc", long: ["package", "call"] }, false);
  const text = optionValue(parsed, "c", "call");
  if (text !== null) return machine.runText(text, fork(state, { depth: state.depth + 1 }));
  return parsed.operands.length === 0 ? [UNKNOWN] : machine.runArgv(parsed.operands, fork(state));
};

/** `npm exec -- rimraf dist`, `pnpm dlx x`, `yarn exec x`. */
const packageExec: Program = (argv, state, machine): Output =>
  /^(exec|dlx|x)$/.test(argv[1] ?? "")
    ? packaged(
        argv.slice(1).filter((word) => word !== "--"),
        state,
        machine,
      )
    : [UNKNOWN];

const PACKAGED = ["npx", "bunx", "pnpx", "uvx"];

export const ESCAPES: readonly (readonly [string, Program])[] = [
  ...TEXTS.flatMap(([names, texts]) => names.split(" ").map((name) => [name, escaping(texts)] as const)),
  ["screen", screen],
  ...["npm", "pnpm", "yarn"].map((name) => [name, packageExec] as const),
  ...PACKAGED.map((name) => [name, packaged] as const),
];
