// Programs that copy, move and shorten files.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { entered } from "../interpreter/state.ts";
import { absolute, exposureOf } from "../paths.ts";
import { has, parseOptions } from "../words/options.ts";
import { lastOperand } from "./device-write.ts";
import type { BlockRule, ProgramRecord } from "./record.ts";

/** What was written or is a program stays so under its new name. */
const copy: Program = ([, ...args], state) => {
  const { operands } = parseOptions(args, { short: "tSmgo", long: [] });
  const [from = "", to = ""] = operands;
  if (operands.length !== 2) return [""];
  for (const cwd of state.place.cwd) {
    const source = absolute(from, cwd);
    const place = /(^|\/)\.{0,2}$/.test(to) ? `${to}/${source.split("/").at(-1)}` : to;
    const text = isWritten(from, state) ? contentsOf(from, state) : undefined;
    if (text !== undefined) state.io.files = entered(state.io.files, absolute(place, cwd), text);
    else state.io.copies = entered(state.io.copies, absolute(place, cwd), source.split("/").at(-1) ?? "");
  }
  return [""];
};

const judgeMove: BlockRule = (argv, state, report) => {
  const parsed = parseOptions(argv.slice(1), { short: "tS", long: ["target-directory", "suffix"] });
  const whole = has(parsed, "t", "target-directory") ? parsed.operands : parsed.operands.slice(0, -1);
  for (const operand of whole) {
    const exposure = exposureOf(operand, state);
    if (exposure?.certain === false && exposure.path.startsWith("/")) {
      report("ask", "dyn.operand", "what is moved away cannot be determined from the text; write the path out", argv);
    } else if (exposure?.certain === true && exposure.kind !== "home_content") {
      report("block", "disk.write", "moves a system directory away; move files inside it instead", argv);
    }
  }
};

const writes = { changes: "writes files" };

export const COPY: readonly ProgramRecord[] = [
  { names: "mv", runs: copy, effect: writes, alwaysBlocked: judgeMove, suspected: "as a pattern" },
  { names: "cp", runs: copy, effect: writes, alwaysBlocked: lastOperand, suspected: "as a pattern" },
  { names: "ln install", runs: copy, effect: writes },
];

export const TRUNCATE: readonly ProgramRecord[] = [
  { names: "truncate", effect: writes, alwaysBlocked: lastOperand, suspected: "anywhere" },
  { names: "qemu-img", alwaysBlocked: lastOperand },
];
