// `dd` and its relatives: they copy to a file or to a device.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf, record } from "../interpreter/redirects.ts";
import { parseOptions } from "../words/options.ts";
import { judgeDevices } from "./device-write.ts";
import { type BlockRule, type EffectRule, isFile, mayBeOption, type ProgramRecord } from "./record.ts";

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

const judgeDd: BlockRule = (argv, state, report) =>
  judgeDevices(
    argv.filter((arg) => arg.startsWith("of=")).map((arg) => arg.slice(3)),
    argv,
    state,
    report,
  );

/** `ddrescue SOURCE DESTINATION [MAP]`. */
const lastOperandBefore: BlockRule = (argv, state, report) =>
  judgeDevices(
    parseOptions(argv.slice(1), { short: "abBcdeEHiIkKlmnoOprRsTwyX", long: [] }).operands.slice(1, 2),
    argv,
    state,
    report,
  );

export const DD: readonly ProgramRecord[] = [
  { names: "dd", runs: runDd, effect: ddEffect, alwaysBlocked: judgeDd, suspected: "anywhere" },
  { names: "dcfldd", effect: ddEffect, alwaysBlocked: judgeDd },
  { names: "ddrescue", alwaysBlocked: lastOperandBefore },
];
