// A sum over the columns of a row, written with it and compared when it is read: neither database sees that a value on the
// disk has changed (D-244). An event has its hash instead, which also holds its place.
import { digestOf } from "../domain/json.ts";

type Row = Readonly<Record<string, unknown>>;
export type Summed = { readonly row_sum: string };

/** A row from before there were sums. It gets one at the next start, or when it is written. */
export const NO_SUM = "";

/**
 * Renewed in one statement for many rows, and read only to know how long another server may live, or not at all. Any server may ask another
 * one to drain, whose commits go on naming the sum of its row. A server of the version before does not know the secret, the clock and the
 * windows.
 */
const UNSUMMED = [
  ...["row_sum", "lease_expires_at", "seen_at", "drain_asked_at"],
  ...["output_secret", "skew_ms", "windows_digest"],
] as const;

/** Half of a SHA-256, as text. A column without a value has no part in it, so that a new one changes no sum. */
function sumOf(row: object): string {
  const summed = Object.entries(row).filter(([column, value]) => value !== null && !isUnsummed(column));
  return digestOf(Object.fromEntries(summed.map(([column, value]) => [column, textOf(value)]))).slice(0, 32);
}

const isUnsummed = (column: string): boolean => UNSUMMED.some((unsummed) => unsummed === column);

const textOf = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64")
    : value;

export const withSum = <T extends object>(row: T): T & Summed => ({ ...row, row_sum: sumOf(row) });

/** Whether the row is as it was written. */
export const isWhole = (row: object): boolean => {
  const { row_sum }: Row = { ...row };
  return row_sum === NO_SUM || row_sum === sumOf(row);
};

/** The sum of a row after a change. What was damaged is not made whole by it, unless every column is set. */
export function sumAfter(row: Summed & object, set: object): string {
  const isNew = Object.keys(row).every((column) => isUnsummed(column) || Object.hasOwn(set, column));
  return isNew || isWhole(row) ? sumOf({ ...row, ...set }) : row.row_sum;
}
