// Programs that change mode, owner or attributes.
import { exposureOf } from "../paths.ts";
import { has, hasLong, parseOptions } from "../words/options.ts";
import { DEEP, isOpen, UNKNOWN } from "../words/symbols.ts";
import { type BlockRule, type ProgramRecord, unlessDry } from "./record.ts";

const recursiveChange: BlockRule = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1));
  const recursive = has(parsed, "R") || hasLong(parsed, "recursive", 3);
  // What find prints is every file below, so changing it one by one is as wide.
  const open = argv.slice(1).some((word) => word === UNKNOWN || (word.startsWith("-") && isOpen(word)));
  for (const operand of recursive || open ? parsed.operands : parsed.operands.filter((path) => path.endsWith(DEEP))) {
    const exposure = exposureOf(operand, state);
    if (exposure?.kind !== "root") continue;
    if (exposure.certain && !open) {
      report("block", "disk.write", "changes mode or owner of the whole system; name the directory instead", argv);
    } else report("ask", "dyn.operand", "what is changed cannot be determined from the text; write the path out", argv);
  }
};

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
  { names: "chattr setfattr setcap chcon restorecon", effect: changesPermissions },
  { names: "setfacl", effect: unlessDry("test", changesPermissions) },
];
