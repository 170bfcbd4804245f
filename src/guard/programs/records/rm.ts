// Holds the records of programs that delete, and of those that change mode, owner or attributes.
import type { State } from "../../interpreter/state.ts";
import { type Exposure, exposureOf, isOwnedBySystem, isSystemPart } from "../../paths.ts";
import { has, hasLong, type Parsed, parseOptions } from "../../words/options.ts";
import { DEEP, isAnything, isForeign, isOpen, startsUnknown } from "../../words/symbols.ts";
import type { BlockRule, ProgramRecord } from "../record.ts";
import { deletesTrees, unless } from "../rules/blocked.ts";
import { DELETES, onThisMachine, options, unlessDry } from "../rules/effects.ts";
import { DRY, ONLY_LOOKS } from "../rules/select.ts";

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
    if (level === "block" && exposure.certain && !open) report("block", "permissions.wide", CHANGED, argv);
    else if (level === "ask" && !open) report("ask", "permissions.wide", CHANGED, argv);
    else if (exposure.kind === "root")
      report("ask", "dyn.operand", "what is changed cannot be determined from the text; write the path out", argv);
  }
};

/** A link that is named is followed. */
const throughLink = (path: string): string => (isOpen(path) || path.includes(DEEP) || path === "" ? path : `${path}/`);

/** Owners of homes and of data are the operator's to change. */
function changeLevel(program: string, { kind, path, certain }: Exposure): "block" | "ask" | null {
  const tree = path.replace(/\/[^/]*[\uFDD2-\uFDD6][^/]*$/, "") || "/";
  if (tree === "/run") return "ask";
  if (kind === "root" || (certain && isOwnedBySystem(tree))) return "block";
  if (kind === "part") return isSystemPart(tree) ? "ask" : null;
  return certain && program === "chmod" && /^home/.test(kind) ? "ask" : null;
}

const changesPermissions = { changes: "changes permissions" };

/** Another account runs the file as its owner or its group. */
const SETS_ID = /(?:^|\s)(?:0?[2-7][0-7]{3}|(?:[\w=+-]{1,16},){0,4}[ugoa]{0,4}[+=][rwxXt]{0,5}s[\w,=+-]{0,32})(?=\s)/;

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    {
      names: "rm",
      prints: "nothing",
      effect: deletes,
      alwaysBlocked: judgeRm,
      suspected: 1,
      suspectedInWords: true,
      paths: { operands: "all" },
      fills: true,
    },
    { names: "grm", alwaysBlocked: judgeRm, consequences: { deletes_data: true }, paths: { operands: "all" } },
    {
      names: "srm",
      effect: deletes,
      alwaysBlocked: judgeRm,
      paths: { operands: "all" },
      writes: { unless: DRY, operands: "all", options: "B C", devices: true },
    },
    { names: "unlink", effect: deletes, alwaysBlocked: single, paths: { operands: "all" } },
    {
      names: "rimraf",
      effect: deletes,
      alwaysBlocked: everything,
      paths: { operands: "all" },
      deletes: { when: /^(?!list|info)/, operands: "all" },
    },
    { names: "rmdir", effect: deletes, paths: { operands: "all" }, writesKnown: true },
    {
      names: "wipe",
      effect: deletes,
      paths: { operands: "all" },
      writes: { unless: ONLY_LOOKS, operands: "all", valued: "b l o P q Q S C R x X" },
    },
    {
      names: "trash trash-put",
      effect: deletes,
      paths: { operands: "all" },
      deletes: { when: /^(?!list|info)/, operands: "all" },
    },
    {
      names: "shred",
      effect: deletes,
      alwaysBlocked: shred,
      suspected: 10,
      suspectedInWords: true,
      paths: { operands: "all", valued: "n s iterations size random-source" },
    },
    {
      names: "chmod",
      prints: "nothing",
      effect: changesPermissions,
      alwaysBlocked: recursiveChange,
      consequences: { changes_accounts: SETS_ID },
      suspected: 12,
      suspectedInWords: true,
      paths: { operands: "rest" },
      writesKnown: true,
    },
    {
      names: "chown",
      prints: "nothing",
      effect: changesPermissions,
      alwaysBlocked: recursiveChange,
      suspected: 12,
      suspectedInWords: true,
      paths: { operands: "rest" },
      writesKnown: true,
    },
    {
      names: "chgrp",
      effect: changesPermissions,
      alwaysBlocked: recursiveChange,
      suspected: 13,
      suspectedInWords: true,
      paths: { operands: "rest" },
    },
    { names: "chattr", effect: changesPermissions, alwaysBlocked: recursiveChange, paths: { operands: "rest" } },
    { names: "setfattr chcon", effect: changesPermissions },
    {
      names: "setcap",
      effect: options({ reads: "v", otherwise: changesPermissions }),
      consequences: { changes_accounts: true },
      paths: { operands: "rest" },
    },
    { names: "restorecon", effect: unlessDry("n", changesPermissions, "e f") },
    {
      names: "setfacl",
      effect: unlessDry("test", changesPermissions),
      alwaysBlocked: recursiveChange,
      paths: { operands: "all", valued: "m x M X modify remove set" },
    },
  ]),
  {
    names: "tmpreaper",
    consequences: { deletes_data: true },
    deletes: { unless: /(?:^|\s)(?:-\w*t|--test)/, valued: "T runtime protect", skip: 1, operands: "all" },
  },
  {
    names: "tmpwatch",
    consequences: { deletes_data: true },
    deletes: { unless: /(?:^|\s)(?:-\w*t|--test)/, valued: "x U exclude exclude-user", skip: 1, operands: "all" },
  },
];
