// Programs that copy, move and shorten files and devices.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf, isWritten, record } from "../interpreter/redirects.ts";
import { entered } from "../interpreter/state.ts";
import { absolute, exposureOf } from "../paths.ts";
import { has, optionTable, parseOptions } from "../words/options.ts";
import { lastOperand, writesDevices } from "./blocked-operands.ts";
import { type BlockRule, type EffectRule, isFile, mayBeOption, type ProgramRecord } from "./record.ts";

/** What was written or is a program stays so under its new name. */
const copy: Program = ([, ...args], state) => {
  const { operands } = parseOptions(args, { short: "tSmgo", long: [] });
  const [from = "", to = ""] = operands;
  if (operands.length !== 2) return [""];
  for (const cwd of state.location.cwd) {
    const source = absolute(from, cwd);
    const target = /(^|\/)\.{0,2}$/.test(to) ? `${to}/${source.split("/").at(-1)}` : to;
    const text = isWritten(from, state) ? contentsOf(from, state) : undefined;
    if (text !== undefined) state.io.files = entered(state.io.files, absolute(target, cwd), text);
    else state.io.copies = entered(state.io.copies, absolute(target, cwd), source.split("/").at(-1) ?? "");
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
