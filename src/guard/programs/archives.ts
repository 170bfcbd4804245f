// `tar`, `rsync` and their relatives: what they delete, what they write, and the programs they start.
import { has, optionTable, optionValue, parseOptions } from "../words/options.ts";
import { deletesTrees } from "./blocked-operands.ts";
import { byOptions, type EffectRule, isFile, mayBeOption, type ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";

const PACKED = optionTable("f C T X b file directory");

/** `--remove-files` deletes what was packed. */
const judgeTar = deletesTrees((args) => (args.includes("--remove-files") ? parseOptions(args, PACKED).operands : []));

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
  return parsed.operands.slice(-1).map((path) => path.replace(/^[\w.@-]+:(?=.)/, ""));
});

const rsyncEffect = byOptions("e f B M T rsh exclude include filter log-file", (parsed) => {
  if (has(parsed, "log-file", "only-write-batch", "write-batch")) return { changes: "writes files" };
  if (has(parsed, "n", "dry-run", "list-only")) return "reads";
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return parsed.operands.length > 1 ? { changes: "writes files" } : "reads";
});

const runsRemoteShell = runsTexts(valuesBehind(/^(?:-e|--rsh=?|-S|-o\s*ProxyCommand[=\s]|ProxyCommand[=\s])/));

export const ARCHIVERS: readonly ProgramRecord[] = [
  { names: "rsync", runs: runsRemoteShell, effect: rsyncEffect, alwaysBlocked: judgeRsync, suspected: "anywhere" },
  { names: "scp sftp", runs: runsRemoteShell, effect: { changes: "writes files" } },
  { names: "tar", runs: runsOptions, effect: tarEffect, alwaysBlocked: judgeTar },
  { names: "gtar bsdtar", runs: runsOptions, effect: tarEffect },
];
