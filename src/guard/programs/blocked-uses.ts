// Reports what is always blocked of one resolved command line, as the record of its program says.
import type { Report } from "../interpreter/machine.ts";
import type { State } from "../interpreter/state.ts";
import { recordOf, writesOf } from "./registry.ts";
import { judgeDeleted, judgeWritten } from "./rules/blocked.ts";
import { onlyOptions, rowsIn } from "./rules/select.ts";

export function judgeUse(argv: readonly string[], state: State, report: Report): void {
  const [name = ""] = argv;
  const record = recordOf(name);
  record?.alwaysBlocked?.(argv, state, report);
  // A program that writes nothing by its record is judged where one of its words is a device.
  if (writesOf(name).length > 0 || argv.some((word) => word.includes("/dev/"))) judgeDevices(argv, state, report);
  for (const row of rowsIn(record?.deletes, onlyOptions)) judgeDeleted(argv, row, state, report);
}

/** Devices that it writes to by an operand or an option. */
export const judgeDevices = (argv: readonly string[], state: State, report: Report): void => {
  const [name = ""] = argv;
  judgeWritten(argv, { rows: writesOf(name), otherOutput: recordOf(name)?.otherOutput === true }, state, report);
};
