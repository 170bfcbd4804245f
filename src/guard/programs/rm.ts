// Programs that delete, and those that change mode, owner or attributes.
import type { State } from "../interpreter/state.ts";
import { type Exposure, exposureOf, isOwnedBySystem, isSystemPart } from "../paths.ts";
import { has, hasLong, type Parsed, parseOptions } from "../words/options.ts";
import { DEEP, isAnything, isForeign, isOpen, startsUnknown } from "../words/symbols.ts";
import { deletesTrees, unless } from "./blocked-operands.ts";
import { type BlockRule, DELETES, type ProgramRecord, unlessDry } from "./record.ts";

const isRecursive = (parsed: Parsed): boolean => has(parsed, "r", "R") || hasLong(parsed, "recursive", 1);

/** Without an option one by one, which is as wide for what find prints: every file below. */
const trees = deletesTrees((args) => {
  const parsed = parseOptions(args);
  if (has(parsed, "help", "version")) return [];
  return isRecursive(parsed) ? parsed.operands : parsed.operands.filter((operand) => operand.endsWith(DEEP));
});

function isCertain(operand: string, state: State): boolean {
  const exposure = exposureOf(operand, state);
  return exposure === null ? false : exposure.certain && exposure.kind !== "part";
}

const judgeRm: BlockRule = (argv, state, report) => {
  trees(argv, state, report);
  const parsed = parseOptions(argv.slice(1));
  const open = argv.slice(1).some((word) => startsUnknown(word) || (word.startsWith("-") && isOpen(word)));
  if (!open || isRecursive(parsed) || has(parsed, "help", "version")) return;
  const known = parsed.operands.filter((operand) => !startsUnknown(operand));
  if (known.some((operand) => isCertain(operand, state))) {
    report("ask", "dyn.operand", "an unknown option may make this delete recursive; write the options out", argv);
  }
};

/** Deletes single files: as wide as a tree when find hands it every file below. */
const single = deletesTrees((args) => parseOptions(args).operands.filter((operand) => operand.endsWith(DEEP)));

const everything = deletesTrees((args) => parseOptions(args).operands);

const destroys = unless(/^--help$/);
const shred: BlockRule = (argv, state, report) => {
  single(argv, state, report);
  destroys(argv, state, report);
};

const deletes = { changes: DELETES };

export const RM: readonly ProgramRecord[] = [
  { names: "rm", prints: "nothing", effect: deletes, alwaysBlocked: judgeRm, suspected: "anywhere" },
  { names: "grm", alwaysBlocked: judgeRm },
  { names: "srm", effect: deletes, alwaysBlocked: judgeRm },
  { names: "unlink", effect: deletes, alwaysBlocked: single },
  { names: "rimraf", effect: deletes, alwaysBlocked: everything },
  { names: "rmdir wipe trash trash-put", effect: deletes },
];

export const SHRED: readonly ProgramRecord[] = [
  { names: "shred", effect: deletes, alwaysBlocked: shred, suspected: "anywhere" },
];

const CHANGED = "changes mode or owner of a whole system tree; name what is below it instead";

const recursiveChange: BlockRule = (argv, state, report) => {
  const [program = "", ...args] = argv;
  const parsed = parseOptions(args);
  const recursive = has(parsed, "R") || hasLong(parsed, "recursive", 3);
  // What find prints is every file below, so changing it one by one is as wide.
  const mayBeOptions = [...parsed.operands.slice(0, 1), ...args.filter(isForeign)];
  const open = mayBeOptions.some(isAnything) || args.some((word) => word.startsWith("-") && isOpen(word));
  for (const operand of recursive || open ? parsed.operands : parsed.operands.filter((path) => path.endsWith(DEEP))) {
    const exposure = exposureOf(throughLink(operand), state);
    const level = exposure === null ? null : changeLevel(program, exposure);
    if (exposure === null || level === null) continue;
    if (level === "block" && exposure.certain && !open) report("block", "disk.write", CHANGED, argv);
    else if (level === "ask" && !open) report("ask", "disk.write", CHANGED, argv);
    else if (exposure.kind === "root")
      report("ask", "dyn.operand", "what is changed cannot be determined from the text; write the path out", argv);
  }
};

/** A link that is named is followed. */
const throughLink = (path: string): string => (isOpen(path) || path.includes(DEEP) || path === "" ? path : `${path}/`);

/** Owners of homes and of data are the operator's to change. */
function changeLevel(program: string, { kind, path, certain }: Exposure): "block" | "ask" | null {
  const tree = path.replace(/\/[^/]*[\uFDD2-\uFDD6][^/]*$/, "") || "/";
  if (kind === "root" || (certain && isOwnedBySystem(tree))) return "block";
  if (kind === "part") return isSystemPart(tree) ? "ask" : null;
  return certain && program === "chmod" && /^home/.test(kind) ? "ask" : null;
}

const changesPermissions = { changes: "changes permissions" };

export const PERMISSIONS: readonly ProgramRecord[] = [
  {
    names: "chmod chown",
    prints: "nothing",
    effect: changesPermissions,
    alwaysBlocked: recursiveChange,
    suspected: "anywhere",
  },
  { names: "chgrp", effect: changesPermissions, alwaysBlocked: recursiveChange, suspected: "anywhere" },
  { names: "chattr", effect: changesPermissions, alwaysBlocked: recursiveChange },
  { names: "setfattr setcap chcon", effect: changesPermissions },
  { names: "restorecon", effect: unlessDry("n", changesPermissions, "e f") },
  { names: "setfacl", effect: unlessDry("test", changesPermissions), alwaysBlocked: recursiveChange },
];
