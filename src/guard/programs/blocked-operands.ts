// Reports operands that are always blocked: protected paths whose whole tree is deleted, and block devices that are written.
import type { Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import { deviceAt, exposureOf } from "../paths.ts";
import { parseOptions } from "../words/options.ts";
import { isUnknown, readable } from "../words/symbols.ts";
import type { BlockRule } from "./record.ts";

/** Judges the operands of a delete that takes whole trees. */
export function deletesTrees(operands: readonly string[], argv: readonly string[], state: State, report: Report): void {
  for (const operand of operands) {
    const exposure = operand === "" ? null : exposureOf(operand, state);
    if (exposure === null) continue;
    const path = readable(exposure.path);
    if (exposure.certain) {
      report("block", "rm.wide", `deletes ${path} and all below it; name the directory of the project instead`, argv);
      return;
    } else {
      const reason = `what is deleted cannot be determined from the text (${path}); write the path out`;
      report("ask", "dyn.operand", reason, argv);
    }
  }
}

const DESTROYS = "destroys what is on a device; work on an image file, or leave this to the operator";

export function judgeDevices(operands: readonly string[], argv: readonly string[], state: State, report: Report): void {
  const found = operands.map((operand) => deviceAt(operand, state));
  if (found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
  else if (found.includes("possibly")) {
    report("ask", "dyn.operand", "the device cannot be determined from the text; write it out", argv);
  }
}

/** Any operand of these on a device destroys it, unless one of the words only looks. */
export const unless =
  (looks: RegExp | null): BlockRule =>
  (argv, state, report) => {
    const args = argv.slice(1);
    if (looks === null || !args.some((arg) => looks.test(arg))) judgeDevices(args, argv, state, report);
  };

/** Only with one of these words. */
export const onlyWith =
  (changes: RegExp): BlockRule =>
  (argv, state, report) => {
    const args = argv.slice(1);
    if (args.some((arg) => changes.test(arg) || isUnknown(arg))) judgeDevices(args, argv, state, report);
  };

export const lastOperand: BlockRule = (argv, state, report) =>
  judgeDevices(parseOptions(argv.slice(1)).operands.slice(-1), argv, state, report);

export const outputOf =
  (...names: readonly string[]): BlockRule =>
  (argv, state, report) => {
    const parsed = parseOptions(argv.slice(1), {
      short: names.filter((name) => name.length === 1).join(""),
      long: names,
    });
    judgeDevices(
      parsed.options.flatMap(({ name, value }) => (names.includes(name) && value !== null ? [value] : [])),
      argv,
      state,
      report,
    );
  };

/** A redirection, or a program such as `tee`, that writes to the path. */
export function judgeWrite(path: string, state: State, report: Report): void {
  const device = deviceAt(path, state);
  if (device === "possibly" && path.startsWith("/dev/"))
    report("ask", "dyn.operand", "the device cannot be determined from the text; write it out", [">", path]);
  if (device === "yes") report("block", "disk.write", DESTROYS, [">", path]);
}
