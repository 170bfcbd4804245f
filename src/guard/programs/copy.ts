// Programs that copy, move, shorten, pack or mirror files and devices.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf, record } from "../interpreter/redirects.ts";
import { deviceAt, exposureOf } from "../paths.ts";
import { isSystemPart } from "../protection.ts";
import { has, optionTable, optionValue, parseOptions } from "../words/options.ts";
import { isOpen } from "../words/symbols.ts";
import { deletesTrees, lastOperand, UNDECIDED, writesDevices } from "./blocked-operands.ts";
import { looks } from "./looks/rule.ts";
import { copy, link } from "./placed-files.ts";
import { type BlockRule, byOptions, type EffectRule, isFile, mayBeOption, type ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";

const judgeMove: BlockRule = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1), { short: "tS", long: ["target-directory", "suffix"] });
  const whole = has(parsed, "t", "target-directory") ? parsed.operands : parsed.operands.slice(0, -1);
  for (const operand of whole) {
    const exposure = exposureOf(operand, state);
    if (exposure?.kind === "part") {
      if (!isSystemPart(exposure.path)) continue;
      report("ask", "disk.write", "moves away what a system or its data need; move what is below it instead", argv);
    } else if (exposure?.certain === false && exposure.path.startsWith("/")) {
      report("ask", "dyn.operand", "what is moved away cannot be determined from the text; write the path out", argv);
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

export const COPY: readonly ProgramRecord[] = [
  { names: "mv", runs: copy, effect: writes, alwaysBlocked: judgeMove, suspected: "as a pattern" },
  { names: "cp", runs: copy, effect: writes, alwaysBlocked: judgeCopy, suspected: "as a pattern" },
  { names: "install", runs: copy, effect: writes },
  { names: "ln", runs: link, effect: writes },
];

/** `dd of=x` writes what it reads. */
const runDd: Program = ([, ...args], state, machine) => {
  const operand = (name: string) => args.find((arg) => arg.startsWith(name))?.slice(name.length);
  const [from, to] = [operand("if="), operand("of=")];
  const text = from === undefined ? (state.io.stdin ?? [""]) : contentsOf(from, state);
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

export const DD: readonly ProgramRecord[] = [
  { names: "dd", runs: runDd, effect: ddEffect, alwaysBlocked: judgeDd, suspected: "anywhere" },
  { names: "dcfldd", effect: ddEffect, alwaysBlocked: judgeDd },
  { names: "ddrescue", alwaysBlocked: destination },
];

/** Listing and unpacking to standard output look; so does an archive that goes there. */
const tarEffect: EffectRule = ([, first = "", ...rest]) => {
  const args = [first.startsWith("-") ? first : `-${first}`, ...rest];
  const parsed = parseOptions(args, { short: "fCTXbgIHKN", long: ["file", "directory", "exclude"] });
  if (has(parsed, "to-command", "checkpoint-action", "use-compress-program", "I")) return "unknown";
  if (has(parsed, "t", "list", "d", "diff", "compare", "version", "help")) return "reads";
  if (has(parsed, "x", "extract", "get")) return has(parsed, "O", "to-stdout") ? "reads" : { changes: "writes files" };
  if (has(parsed, "c", "create"))
    return isFile(optionValue(parsed, "f", "file")) ? { changes: "writes files" } : "reads";
  return has(parsed, "r", "append", "u", "update", "A", "concatenate", "delete")
    ? { changes: "writes files" }
    : "unknown";
};

const runsOptions = runsTexts(
  valuesBehind(/^--(checkpoint-action=exec=|to-command=?|use-compress-program=?|rsh-command=?)|^-I/),
);

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

export const ARCHIVERS: readonly ProgramRecord[] = [
  { names: "rsync", runs: runRsync, effect: rsyncEffect, alwaysBlocked: judgeRsync, suspected: "anywhere" },
  { names: "scp sftp", runs: runsRemoteShell, effect: { changes: "writes files" } },
  { names: "tar", runs: runsOptions, effect: tarEffect },
  { names: "gtar bsdtar", runs: runsOptions, effect: tarEffect },
  { names: "truncate", effect: writes, alwaysBlocked: lastOperand, suspected: "anywhere" },
  {
    names: "qemu-img",
    alwaysBlocked: lastOperand,
    effect: looks("info, check, snapshot, map, compare, measure", { unless: "r a c d" }),
  },
];
