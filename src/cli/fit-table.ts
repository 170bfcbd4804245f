// Fits a table to the terminal. When it is too wide, columns that allow it are cut, the last one first; if that is not
// enough, the last of several such columns is left out. Identifiers are never cut, because users copy them.
import stringWidth from "string-width";

export type Column = { readonly title: string; readonly may_be_cut?: boolean };
type Cells = readonly (readonly string[])[];

const GAP = 2;
const NARROWEST = 8;

/** `rows` are printable. A column that may be cut must not contain coloured cells. */
export function fitTable(columns: readonly Column[], rows: Cells, width: number | null): string[] {
  const cells = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_column, at) => Math.max(...cells.map((row) => stringWidth(row[at] ?? ""))));
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
  const cut = cells.map((row) =>
    row.map((cell, at) => (fitting[at] === widths[at] ? cell : cutCell(cell, fitting[at] ?? 0))),
  );
  const gap = " ".repeat(GAP);
  return cut.map((row) =>
    row
      .map((cell, at) => cell + " ".repeat((fitting[at] ?? 0) - stringWidth(cell)))
      .join(gap)
      .trimEnd(),
  );
}

const characters = new Intl.Segmenter();

/** Measures in terminal columns: some characters take two. */
function cutCell(cell: string, width: number): string {
  if (stringWidth(cell) <= width) return cell;
  let kept = "";
  for (const { segment } of characters.segment(cell)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
