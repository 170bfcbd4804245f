// Reports operands that are always blocked: protected paths whose whole tree is deleted, and block devices that are written.
import type { Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import { deviceAt, exposureOf } from "../paths.ts";
import { parseOptions } from "../words/options.ts";
import { DEEP, isUnknown, readable } from "../words/symbols.ts";
import type { BlockRule } from "./record.ts";

/** The words of the command line that a rule is about. */
type Operands = (args: readonly string[], state: State) => readonly string[];

/** The program deletes each of the operands with all below it. `isPart`: which parts of a protected tree it must not replace. */
export const deletesTrees =
  (operands: Operands, isPart: (path: string) => boolean = () => true): BlockRule =>
  (argv, state, report) => {
    for (const operand of operands(argv.slice(1), state)) {
      const exposure = operand === "" ? null : exposureOf(operand, state);
      if (exposure === null && leadsAnywhere(operand, state))
        report("ask", "dyn.operand", `${readable(operand)} ${OUT_OF_IT}`, argv);
      if (exposure === null) continue;
      const path = readable(exposure.path);
      if (exposure.kind === "part" && !isPart(exposure.path)) continue;
      if (exposure.kind === "part") {
        report(
          "ask",
          "rm.wide",
          `deletes ${path}, which a system or its data need as a whole; name what is below it`,
          argv,
        );
        continue;
      }
      if (exposure.certain) {
        report("block", "rm.wide", `deletes ${path} and all below it; name the directory of the project instead`, argv);
        return;
      }
      const reason = `what is deleted cannot be determined from the text (${path}); write the path out`;
      report("ask", "dyn.operand", reason, argv);
    }
  };

const OUT_OF_IT =
  "may lead out of its directory: a part of it comes from the payload; use a value that is a plain name, or write the path out";

/** `/srv/app/$p`, where p was made of the payload by a program that is not followed: `../../usr` is a value. */
const leadsAnywhere = (operand: string, { io: { payload } }: State): boolean =>
  payload.isUnresolved && isUnknown(operand) && !operand.endsWith(DEEP);

export const DESTROYS = "destroys what is on a device; work on an image file, or leave this to the operator";
export const UNDECIDED = "the device cannot be determined from the text; write it out";

/** The program destroys what is on each of the operands. */
export const writesDevices =
  (operands: Operands): BlockRule =>
  (argv, state, report) => {
    const found = operands(argv.slice(1), state).map((operand) => deviceAt(operand, state));
    if (found.includes("yes")) report("block", "disk.write", DESTROYS, argv);
    else if (found.includes("possibly")) report("ask", "dyn.operand", UNDECIDED, argv);
  };

export const anyOperand = writesDevices((args) => args);

/** Any operand of these on a device destroys it, unless one of the words only looks. */
export const unless = (looks: RegExp): BlockRule =>
  writesDevices((args) => (args.some((arg) => looks.test(arg)) ? [] : args));

/** Only with one of these words. */
export const onlyWith = (changes: RegExp): BlockRule =>
  writesDevices((args) => (args.some((arg) => changes.test(arg) || isUnknown(arg)) ? args : []));

export const lastOperand = writesDevices((args) => parseOptions(args).operands.slice(-1));

/** A redirection, or a program such as `tee`, that writes to the path. */
export function judgeWrite(path: string, state: State, report: Report): void {
  const device = deviceAt(path, state);
  if (device === "possibly" && path.startsWith("/dev/")) report("ask", "dyn.operand", UNDECIDED, [">", path]);
  if (device === "yes") report("block", "disk.write", DESTROYS, [">", path]);
}
