// Freezes as text.
import { type Freeze, type HeldBy, scopeText } from "../domain/freeze.ts";
import { printable } from "../domain/printable.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { age, block, painted } from "./text-format.ts";

/** What lets nothing start now, a line each. */
export const inForceLines = (
  in_force: readonly HeldBy[],
  { paint, program }: Pick<Out, "paint" | "program">,
): string[] =>
  in_force.map(({ freeze_id, reason, until }) => {
    const by = freeze_id === null ? "a window of ORCH_FREEZE_WINDOWS" : freeze_id;
    const end = until === null ? `until: ${program} thaw ${freeze_id ?? "ID"}` : `until ${until}`;
    return `${paint("yellow", "FROZEN")}  ${printable(`by ${by}, ${end}`)}  ${printable(reason)}`;
  });

export function freezeTable(freezes: readonly Freeze[], now: Date, { paint, width }: Out): string[] {
  if (freezes.length === 0) return ["Nothing was ever frozen."];
  const columns = ["FREEZE", "STATE", "AGE", cut("BY"), cut("HOLDS"), cut("REASON")];
  const rows = freezes.map((freeze) => [
    printable(freeze.freeze_id),
    freeze.thawed_at === null ? painted(paint, "need_approval", "open") : "thawed",
    age(freeze.created_at, now),
    printable(freeze.frozen_by),
    printable(scopeText(freeze)),
    printable(freeze.reason),
  ]);
  return fitTable(columns, rows, width);
}

export const freezeLines = (freeze: Freeze, { paint, width }: Out): string[] => {
  const { freeze_id, reason, frozen_by, created_at, thawed_by, thawed_at } = freeze;
  const state = thawed_at === null ? painted(paint, "need_approval", "open") : "thawed";
  return [
    `${paint("bold", printable(freeze_id))}  ${state}  ${printable(scopeText(freeze))}`,
    ...block({ paint, width }, [
      ["reason", reason],
      ["frozen", `${created_at} by ${frozen_by}`],
      ["thawed", thawed_at === null ? null : `${thawed_at} by ${thawed_by}`],
    ]),
  ];
};
