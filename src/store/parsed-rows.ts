// Records that were read or written before: a row that is the same in every column of the record is not parsed and checked again (D-408).
import { sizeOf } from "./kept-rows.ts";

type Bounds = { readonly most: number; readonly largest: number };
type Columns = Readonly<Record<string, unknown>>;

export type ParsedRows<T extends object> = {
  /** Frozen, because others are given the same. */
  readonly of: (key: string, row: Columns, parse: () => T) => T;
  /** What was parsed already, or is written now. */
  readonly keep: (key: string, row: Columns | undefined, record: T) => void;
};

/** Keeps the `most` that were used last, each of at most `largest` characters. */
export function createParsedRows<T extends object>({ most, largest }: Bounds): ParsedRows<T> {
  const kept = new Map<string, { readonly row: Columns; readonly record: T }>();
  const keep = (key: string, row: Columns | undefined, record: T): void => {
    kept.delete(key);
    if (row === undefined || sizeOf(row) > largest) return;
    kept.set(key, { row, record: frozen(record) });
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
  };
  return {
    keep,
    of: (key, row, parse) => {
      const known = kept.get(key);
      const record = known !== undefined && isSame(known.row, row) ? known.record : parse();
      keep(key, row, record);
      return record;
    },
  };
}

function isSame(known: Columns, row: Columns): boolean {
  for (const column in known) if (known[column] !== row[column]) return false;
  return true;
}

/** With all that is in it. */
export function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
