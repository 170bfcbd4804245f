// Tables that fit the terminal. Where they are too wide, columns that may be cut are, the last one first, and the last one
// of several is left out before the table is too wide. Identifiers are never cut: they are there to be copied.
import { stripVTControlCharacters } from "node:util";
import { getBorderCharacters, table } from "table";

export type Column = { readonly title: string; readonly may_be_cut?: boolean };
type Cells = readonly (readonly string[])[];

const GAP = 2;
const NARROWEST = 8;

/** `rows` are printable, painted or not; a painted cell must not stand in a column that may be cut. */
export function fitTable(columns: readonly Column[], rows: Cells, width: number | null): string[] {
  const cells = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_column, at) => Math.max(...cells.map((row) => shownLength(row[at] ?? ""))));
  const fitting = width === null ? widths : cutTo(columns, widths, width);
  const total = fitting.reduce((sum, one) => sum + one + GAP, -GAP);
  const cuttable = columns.flatMap(({ may_be_cut }, at) => (may_be_cut === true ? [at] : []));
  const last = cuttable.at(-1);
  if (width !== null && total > width && last !== undefined && cuttable.length > 1) {
    return fitTable(
      columns.toSpliced(last, 1),
      rows.map((row) => row.toSpliced(last, 1)),
      width,
    );
  }
  return draw(cells, widths, fitting);
}

function cutTo(columns: readonly Column[], widths: readonly number[], width: number): number[] {
  const cut = [...widths];
  let excess = widths.reduce((sum, one) => sum + one + GAP, -GAP) - width;
  for (const [at, { may_be_cut }] of [...columns.entries()].reverse()) {
    const whole = widths[at] ?? 0;
    if (may_be_cut !== true || excess <= 0) continue;
    cut[at] = Math.min(whole, Math.max(NARROWEST, whole - excess));
    excess -= whole - (cut[at] ?? 0);
  }
  return cut;
}

function draw(cells: Cells, widths: readonly number[], fitting: readonly number[]): string[] {
  const text = table(
    cells.map((row) => [...row]),
    {
      border: getBorderCharacters("void"),
      drawHorizontalLine: () => false,
      columnDefault: { paddingLeft: 0, paddingRight: GAP },
      columns: Object.fromEntries(
        fitting.flatMap((width, at) => (width === widths[at] ? [] : [[at, { width, truncate: width }]])),
      ),
    },
  );
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
}

/** Without the marks of colours. */
const shownLength = (cell: string): number => stripVTControlCharacters(cell).length;
