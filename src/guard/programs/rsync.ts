// `rsync` and its relatives: a delete at the destination, and the remote shell that they start.
import { has, parseOptions } from "../words/options.ts";
import { type BlockRule, type EffectRule, mayBeOption, type ProgramRecord } from "./record.ts";
import { runsTexts, valuesBehind } from "./runs-texts.ts";
import { deletesTrees } from "./wide-delete.ts";

const judgeRsync: BlockRule = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1), {
    short: "efTBM",
    long: ["rsh", "exclude", "include", "filter", "exclude-from"],
  });
  if (has(parsed, "n", "dry-run") || !parsed.options.some(({ name }) => name.startsWith("del"))) return;
  // `host:path` is a path of another machine, whose system is as worth keeping.
  deletesTrees(
    parsed.operands.slice(-1).map((path) => path.replace(/^[\w.@-]+:(?=.)/, "")),
    argv,
    state,
    report,
  );
};

const rsyncEffect: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, { short: "efBMT", long: ["rsh", "exclude", "include", "filter", "log-file"] });
  if (has(parsed, "log-file", "only-write-batch", "write-batch")) return { changes: "writes files" };
  if (has(parsed, "n", "dry-run", "list-only")) return "reads";
  if (parsed.operands.some(mayBeOption)) return "unknown";
  return parsed.operands.length > 1 ? { changes: "writes files" } : "reads";
};

const runsRemoteShell = runsTexts(valuesBehind(/^(?:-e|--rsh=?|-S|-o\s*ProxyCommand[=\s]|ProxyCommand[=\s])/));

export const RSYNC: readonly ProgramRecord[] = [
  { names: "rsync", runs: runsRemoteShell, effect: rsyncEffect, alwaysBlocked: judgeRsync, suspected: "anywhere" },
  { names: "scp sftp", runs: runsRemoteShell, effect: { changes: "writes files" } },
];
