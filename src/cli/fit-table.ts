// Fits a table to the terminal. When it is too wide, columns that allow it are cut, the widest first; if that is not
// enough, the last of several such columns is left out, and then each row becomes lines. Identifiers are never cut, because
// users copy them; one that is too long has a line of its own.
import stringWidth from "string-width";

/** Its title; of one that may be cut, in an object. */
type Column = string | { readonly cut: string };
type Cells = readonly (readonly string[])[];

const GAP = 2;
const NARROWEST_CELL = 8;

/** A column that is cut where the terminal is too narrow. */
export const cut = (title: string): Column => ({ cut: title });

const titleOf = (column: Column): string => (typeof column === "string" ? column : column.cut);
const isCuttable = (column: Column | undefined): boolean => typeof column === "object";

/** `rows` are printable. A column that may be cut must not contain coloured cells. */
export function fitTable(columns: readonly Column[], rows: Cells, width: number | null): string[] {
  const cells = [columns.map(titleOf), ...rows];
  const widths = columns.map((_column, at) => Math.max(...cells.map((row) => stringWidth(row[at] ?? ""))));
  const fitting = width === null ? widths : cutTo(columns, widths, width);
  const total = fitting.reduce((sum, one) => sum + one + GAP, -GAP);
  const cuttable = columns.flatMap((column, at) => (isCuttable(column) ? [at] : []));
  const last = cuttable.at(-1);
  if (width !== null && total > width && last !== undefined && cuttable.length > 1) {
    return fitTable(
      columns.toSpliced(last, 1),
      rows.map((row) => row.toSpliced(last, 1)),
      width,
    );
  }
  return width !== null && total > width ? stacked(columns, rows, width) : draw(cells, widths, fitting);
}

/** On a terminal that is too narrow for a table: each row as lines of a name and a value. */
function stacked(columns: readonly Column[], rows: Cells, width: number): string[] {
  const names = columns.map((column) => titleOf(column).trim());
  const longest = Math.max(0, ...names.map((name) => stringWidth(name)));
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [""]),
    ...row.flatMap((cell, of) => {
      const [name, text, room] = [names[of] ?? "", cell.trim(), width - longest - GAP];
      const isCut = isCuttable(columns[of]);
      if (stringWidth(text) > room && !isCut) return [name, `${" ".repeat(GAP)}${text}`];
      return [`${name.padEnd(longest)}${" ".repeat(GAP)}${isCut ? cutCell(text, room) : text}`];
    }),
  ]);
}

/** All cut columns have the same width. */
function cutTo(columns: readonly Column[], widths: readonly number[], width: number): number[] {
  const cutAt = (cap: number) => widths.map((whole, at) => (isCuttable(columns[at]) ? Math.min(whole, cap) : whole));
  const isTooWide = (all: readonly number[]) => all.reduce((sum, one) => sum + one + GAP, -GAP) > width;
  let cap = Math.max(NARROWEST_CELL, ...widths);
  while (cap > NARROWEST_CELL && isTooWide(cutAt(cap))) cap -= 1;
  return cutAt(cap);
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
export function cutCell(cell: string, width: number): string {
  if (stringWidth(cell) <= width) return cell;
  let kept = "";
  for (const { segment } of characters.segment(cell)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
