// Holds the records of programs that copy, move, shorten or mirror files and devices, and follows the files to their new place:
// what was written, or is a program, stays so under its new name.
import type { Machine, Program } from "../../interpreter/machine.ts";
import { contentsOf, isWritten, record, scriptTexts } from "../../interpreter/redirects.ts";
import { entered, type State } from "../../interpreter/state.ts";
import { absolute, deviceAt, exposureOf, isSystemPart } from "../../paths.ts";
import { accepted, patternOf } from "../../words/glob.ts";
import { has, optionTable, optionValue, parseOptions, words } from "../../words/options.ts";
import { hasGlob, isOpen, UNKNOWN } from "../../words/symbols.ts";
import type { BlockRule, EffectRule, ProgramRecord, StayRule } from "../record.ts";
import { deletesTrees, lastOperand, UNDECIDED, writesDevices } from "../rules/blocked.ts";
import { byOptions, isFile, mayBeOption, onThisMachine } from "../rules/effects.ts";
import { lead } from "../rules/elsewhere.ts";
import { runsTexts, valuesBehind } from "../rules/texts.ts";

const lastOperandOf = (args: readonly string[]): string | null => parseOptions(args).operands.at(-1) ?? null;

const RSYNC = optionTable("e f B M T rsh exclude include filter exclude-from include-from bwlimit files-from");

const mirrored = (args: readonly string[]): readonly string[] => parseOptions(args, RSYNC).operands;

/** `sftp host:file .` only downloads. What its commands do is in a file or on standard input. */
const onlyFetches: StayRule = (argv) => !argv.includes("-b") && argv.some((word) => /^[^-/][^/]*:./.test(word));

const VALUED = { short: "tSmgo", long: words("target-directory suffix mode owner group backup") };

type Placed = { readonly from: readonly string[]; readonly to: string; readonly into: boolean };

function placedBy(args: readonly string[], state: State): Placed | null {
  const parsed = parseOptions(args, VALUED);
  const directory = optionValue(parsed, "t", "target-directory");
  const from = directory === null ? parsed.operands.slice(0, -1) : parsed.operands;
  const to = directory ?? parsed.operands.at(-1);
  if (to === undefined || from.length === 0 || has(parsed, "d")) return null;
  const into = directory !== null || from.length > 1 || from.some(hasGlob) || isDirectory(to, state);
  return { from, to, into: into && !has(parsed, "T", "no-target-directory") };
}

/** As far as the text shows. */
const isDirectory = (path: string, state: State): boolean =>
  /(^|\/)\.{0,2}$/.test(path) ||
  state.location.cwd.some((cwd) => {
    const directory = `${absolute(path, cwd)}/`;
    return SYSTEM_DIRECTORIES.test(directory) || [...state.io.files.keys()].some((file) => file.startsWith(directory));
  });

const SYSTEM_DIRECTORIES =
  /^\/((usr\/)?(local\/)?s?bin|etc(\/[\w-]+\.d|\/cron\.\w+|\/systemd\/system)?|tmp|opt|srv)\/$/;

const lastPart = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const copy: Program = ([, ...args], state, machine) => {
  const placed = placedBy(args, state);
  if (placed === null) return [""];
  // What is run later may be a copy of these.
  for (const given of placed.from) contentsOf(given, state);
  for (const cwd of state.location.cwd)
    for (const given of placed.from)
      for (const source of sourcesOf(given, cwd, state)) {
        if (state.location.here) state.io.reads.add(source);
        const to = absolute(placed.to, cwd);
        // `cp -a a/. b` copies what is in the directory.
        const inside = placed.into && !/(^|\/)\.$/.test(given);
        place(source, inside ? absolute(lastPart(source), to) : to, state, machine);
      }
  return [""];
};

/** A pattern means the known files that it matches. */
function sourcesOf(given: string, cwd: string, { io }: State): readonly string[] {
  const path = absolute(given, cwd);
  if (!hasGlob(given)) return isOpen(path) ? [] : [path];
  const pattern = patternOf(path);
  return [...io.files.keys()].filter((file) => accepted(pattern, file));
}

const MAX_TREE = 256;

function place(source: string, target: string, state: State, machine: Machine): void {
  machine.tick();
  const known = isWritten(source, state) ? scriptTexts(source, state) : [];
  if (known.length > 0) record({ path: target, append: false, text: known }, state, machine);
  else state.io.copies = entered(state.io.copies, target, source);
  const below = [...state.io.files].filter(([file]) => file.startsWith(`${source}/`)).slice(0, MAX_TREE);
  for (const [file, text] of below)
    record({ path: target + file.slice(source.length), append: false, text }, state, machine);
}

/** A symbolic link is the file that it leads to, and a way to all below. */
const link: Program = (argv, state, machine) => {
  const args = argv.slice(1);
  const parsed = parseOptions(args, VALUED);
  const single = parsed.operands.length === 1 && optionValue(parsed, "t", "target-directory") === null;
  const placed = single ? { from: parsed.operands, to: ".", into: true } : placedBy(args, state);
  if (placed === null) return [""];
  for (const cwd of state.location.cwd)
    for (const from of placed.from) {
      const to = absolute(placed.to, cwd);
      const inside = placed.into && !has(parsed, "n", "no-dereference") ? absolute(lastPart(from), to) : to;
      const host = has(parsed, "s", "symbolic") ? absolute(from, absolute("..", inside)) : absolute(from, cwd);
      if (isOpen(host) || isOpen(inside)) continue;
      if (has(parsed, "s", "symbolic")) lead(inside, host, state);
      place(host, inside, state, machine);
    }
  return [""];
};

const judgeMove: BlockRule = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1), { short: "tS", long: ["target-directory", "suffix"] });
  const to = parsed.operands.at(-1) ?? "";
  const whole = has(parsed, "t", "target-directory") ? parsed.operands : parsed.operands.slice(0, -1);
  for (const operand of whole) {
    const exposure = exposureOf(operand, state);
    if (exposure?.kind === "part") {
      if (!isSystemPart(exposure.path)) continue;
      report("ask", "disk.write", "moves away what a system or its data need; move what is below it instead", argv);
    } else if (exposure?.certain === false && exposure.path.startsWith("/")) {
      report("ask", "dyn.operand", "what is moved away cannot be determined from the text; write the path out", argv);
    } else if (exposure?.certain === true && exposure.kind === "home" && !/^\/dev\//.test(to)) {
      report("ask", "disk.write", "moves a home away; its account finds nothing there until it is moved back", argv);
    } else if (exposure?.certain === true && exposure.kind !== "home_content") {
      report("block", "disk.write", "moves a system directory away; move files inside it instead", argv);
    }
  }
};

const SOURCES_WITHOUT_END = /^\/dev\/(?:zero|full|u?random)$/;

/** `cp a "$to"` is ordinary; what has no end is copied to a device, or fills one. */
const judgeCopy: BlockRule = (argv, state, report) => {
  const { operands } = parseOptions(argv.slice(1), { short: "tSmog", long: ["target-directory", "suffix"] });
  const to = operands.at(-1) ?? "";
  if (operands.slice(0, -1).some((path) => SOURCES_WITHOUT_END.test(path)) && deviceAt(to, state) === "possibly")
    report("ask", "dyn.operand", UNDECIDED, argv);
};

const writes = { changes: "writes files" };

/** `dd conv=swab` changes what it reads. */
const CONVERTS = /^conv=.*(?:swab|ascii|ebcdic|ibm|block|case)/;

/** `dd of=x` writes what it reads. */
const runDd: Program = ([, ...args], state, machine) => {
  const operand = (name: string) => args.find((arg) => arg.startsWith(name))?.slice(name.length);
  const [from, to] = [operand("if="), operand("of=")];
  let text = from === undefined ? (state.io.stdin ?? [""]) : contentsOf(from, state);
  if (args.some((arg) => CONVERTS.test(arg))) text = [UNKNOWN];
  if (to === undefined) return text;
  machine.write(to, state);
  record({ path: to, append: false, text }, state, machine);
  return [""];
};

const ddEffect: EffectRule = ([, ...args]) => {
  const target = args.find((arg) => arg.startsWith("of="))?.slice(3);
  if (args.some(mayBeOption)) return "unknown";
  return isFile(target) ? { changes: "writes files" } : "reads";
};

const judgeDd = writesDevices((args) => args.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3)));

const RESCUED = optionTable("a b B c d e E H i I k K l m n o O p r R s T w y X");

/** `ddrescue SOURCE DESTINATION [MAP]`. */
const destination = writesDevices((args) => parseOptions(args, RESCUED).operands.slice(1, 2));

const MIRRORED = optionTable("e f T B M rsh exclude include filter exclude-from");

const judgeRsync = deletesTrees((args) => {
  const parsed = parseOptions(args, MIRRORED);
  if (has(parsed, "n", "dry-run") || !parsed.options.some(({ name }) => name.startsWith("del"))) return [];
  // `host:path` is a path of another machine, whose system is as worth keeping.
  const paths = parsed.operands.slice(-1).map((path) => path.replace(/^[\w.@-]+:(?=.)/, ""));
  // It goes through a link to a directory.
  return paths.map((path) => (path === "" || isOpen(path) ? path : `${path}/`));
}, isSystemPart);

const rsyncEffect = byOptions("e f B M T rsh exclude include filter log-file", (parsed) => {
  if (has(parsed, "log-file", "only-write-batch", "write-batch")) return { changes: "writes files" };
  if (has(parsed, "n", "dry-run", "list-only")) return "reads";
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return parsed.operands.length > 1 ? { changes: "writes files" } : "reads";
});

const runsRemoteShell = runsTexts(valuesBehind(/^(?:-e|--rsh=?|-S|-o\s*ProxyCommand[=\s]|ProxyCommand[=\s])/));

/** Treats rsync between two directories of this machine as a copy. */
const runRsync: Program = (argv, state, machine) => {
  const output = runsRemoteShell(argv, state, machine);
  const { operands, options } = parseOptions(argv.slice(1), MIRRORED);
  const isLocal = operands.length > 1 && operands.every((path) => !/^[^/]*:/.test(path));
  if (!isLocal || options.some(({ name }) => DRY_RUN.has(name))) return output;
  // `a/` copies the content of the directory, not the directory.
  const from = operands.slice(0, -1).map((path) => (path.endsWith("/") ? `${path}.` : path));
  copy(["cp", "--", ...from, operands.at(-1) ?? ""], state, machine);
  return output;
};

const DRY_RUN = new Set(["n", "dry-run", "list-only"]);

const CP_PATHS: NonNullable<ProgramRecord["paths"]> = {
  operands: "last",
  options: "t target-directory",
  valued: "S suffix m mode o g owner group",
};

const SCP_PATHS: NonNullable<ProgramRecord["paths"]> = { operands: "last", valued: "c D F i J l o P S X" };

/** `!command` among the commands of a program for transfers. */
const ESCAPED = /(?:^|[;\n])[ \t]*!([^\n]+)/g;

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "mv",
      runs: copy,
      effect: writes,
      alwaysBlocked: judgeMove,
      suspected: 14,
      paths: { operands: "all", options: "t target-directory", valued: "S suffix" },
      writesKnown: true,
      fills: true,
    },
    {
      names: "cp",
      runs: copy,
      effect: writes,
      alwaysBlocked: judgeCopy,
      suspected: 15,
      paths: CP_PATHS,
      writes: { operands: "last", valued: "m o g t S O f" },
      writesKnown: true,
      fills: true,
    },
    {
      names: "install",
      runs: copy,
      effect: writes,
      consequences: {
        changes_accounts:
          /(?:^|\s)(?:-\w{0,8}m\s?|--mode[= ])(?:0?[2-7][0-7]{3}|[\w,=+-]{0,16}[+=][rwxX]{0,4}s[\w,=+-]{0,16})(?=\s|$)/,
      },
      paths: CP_PATHS,
      writes: { operands: "last", valued: "m o g t S O f" },
      writesKnown: true,
      fills: true,
    },
    {
      names: "ln",
      runs: link,
      effect: writes,
      paths: CP_PATHS,
      writesKnown: true,
      fills: true,
    },
    {
      names: "dd",
      runs: runDd,
      effect: ddEffect,
      alwaysBlocked: judgeDd,
      suspected: 5,
      suspectedInWords: true,
      writesKnown: true,
    },
    {
      names: "dcfldd",
      effect: ddEffect,
      alwaysBlocked: judgeDd,
      writes: { words: /^(?:of|wipe|hwipe|hof|ofs|hofs)=(.+)/, operands: "last" },
    },
    { names: "ddrescue", alwaysBlocked: destination },
    {
      names: "rsync",
      runs: runRsync,
      effect: rsyncEffect,
      alwaysBlocked: judgeRsync,
      suspected: 17,
      suspectedInWords: true,
      consequences: { deletes_data: /(?:^|\s)--(?:del|delete\S*|remove-source-files|remove-sent-files)(?=\s|$)/ },
      paths: { operands: "last", valued: "e f B M T rsh exclude include filter exclude-from include-from bwlimit" },
      between: true,
      writes: { when: /--write-devices\b/, operands: "last", valued: "e f B M T" },
      applies: { options: "files-from include-from exclude-from filter", valued: "e rsh" },
      commands: {
        options: "e rsh rsync-path",
        valued: "f B M T exclude include filter exclude-from include-from bwlimit files-from",
        variables: "RSYNC_RSH RSYNC_CONNECT_PROG",
      },
      fetches: "its path",
      unpacks: lastOperandOf,
      fills: true,
      mirrors: mirrored,
    },
    {
      names: "scp",
      runs: runsRemoteShell,
      effect: { changes: "writes files" },
      paths: SCP_PATHS,
      between: true,
      writes: SCP_PATHS,
      otherOutput: true,
      fetches: "its path",
      unpacks: lastOperandOf,
      fills: true,
    },
    {
      names: "truncate",
      effect: writes,
      alwaysBlocked: lastOperand,
      suspected: 18,
      suspectedInWords: true,
      consequences: { deletes_data: true },
      paths: { operands: "all", valued: "s r size reference" },
    },
    {
      names: "qemu-img",
      looks: "info, check, snapshot, map, compare, measure",
      unless: "r a c d",
      alwaysBlocked: lastOperand,
      writes: { operands: "last", valued: "m o g t S O f" },
    },
  ]),
  {
    names: "sftp",
    runs: runsRemoteShell,
    commands: { input: true, within: ESCAPED },
    effect: { changes: "writes files" },
    between: true,
    applies: "b F",
    obeys: [
      { options: "F", holds: /^\s*(?:(?:Proxy|Local|KnownHosts)Command|Match\b.*\bexec\b|Include)\b/im },
      { options: "b", valued: "F i o P c J", holds: /^\s*!/m },
    ],
    otherOutput: true,
    fetches: "its path",
    here: onlyFetches,
  },
  { names: "psftp", commands: { input: true, within: ESCAPED }, here: onlyFetches },
  { names: "ftp tnftp", commands: { input: true, within: ESCAPED }, applies: { input: "all" } },
];
