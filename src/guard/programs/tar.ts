// `tar`: what it deletes, what it writes, and the programs it starts.
import { has, optionValue, parseOptions } from "../words/options.ts";
import { type BlockRule, type EffectRule, isFile, type ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";
import { deletesTrees } from "./wide-delete.ts";

/** `--remove-files` deletes what was packed. */
const judgeTar: BlockRule = (argv, state, report) => {
  if (!argv.includes("--remove-files")) return;
  deletesTrees(
    parseOptions(argv.slice(1), { short: "fCTXb", long: ["file", "directory"] }).operands,
    argv,
    state,
    report,
  );
};

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

export const TAR: readonly ProgramRecord[] = [
  { names: "tar", runs: runsOptions, effect: tarEffect, alwaysBlocked: judgeTar },
  { names: "gtar bsdtar", runs: runsOptions, effect: tarEffect },
];
