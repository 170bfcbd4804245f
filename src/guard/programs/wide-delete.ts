// Deletes whole trees: reports the operands that reach a protected path.
import type { Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import { exposureOf } from "../paths.ts";
import { readable } from "../words/symbols.ts";

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
