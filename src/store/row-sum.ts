// Sums the columns of a row: the sum is written with it and compared when it is read, because neither database sees that a
// value on the disk has changed (D-244). An event has its hash instead, which also holds its place.
import { digestOf } from "../domain/json.ts";
import type { Prisma, PrismaClient } from "./generated/sqlite/client.ts";

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

export const isWhole = (row: object): boolean => {
  const { row_sum }: Row = { ...row };
  return row_sum === NO_SUM || row_sum === sumOf(row);
};

/** The sum of a row after a change. What was damaged is not made whole by it, unless every column is set. */
export function sumAfter(row: Summed & object, set: object): string {
  const isNew = Object.keys(row).every((column) => isUnsummed(column) || Object.hasOwn(set, column));
  return isNew || isWhole(row) ? sumOf({ ...row, ...set }) : row.row_sum;
}

const PAGE = 500;
const PAGE_OF_UNSUMMED = { where: { row_sum: NO_SUM }, take: PAGE };

/**
 * Gives a sum to the rows that were written before there were sums, once, at the first start after the migration. Checkpoints get theirs
 * when they are written again.
 */
export async function addSums(client: PrismaClient): Promise<void> {
  const { task, sop, approval, checkLook, delivery } = client;
  const inPages = async <Row extends Summed>(
    find: () => Promise<Row[]>,
    update: (data: Summed, row: Row) => Prisma.PrismaPromise<{ count: number }>,
  ): Promise<void> => {
    for (;;) {
      const rows = await find();
      const done = await client.$transaction(rows.map((row) => update({ row_sum: withSum(row).row_sum }, row)));
      // A row whose key is damaged stays without.
      if (rows.length < PAGE || done.every(({ count }) => count === 0)) return;
    }
  };
  await inPages(
    () => task.findMany(PAGE_OF_UNSUMMED),
    (data, { task_id }) => task.updateMany({ where: { task_id }, data }),
  );
  await inPages(
    () => sop.findMany(PAGE_OF_UNSUMMED),
    (data, { sop_id }) => sop.updateMany({ where: { sop_id }, data }),
  );
  await inPages(
    () => approval.findMany(PAGE_OF_UNSUMMED),
    (data, { approval_id }) => approval.updateMany({ where: { approval_id }, data }),
  );
  await inPages(
    () => checkLook.findMany(PAGE_OF_UNSUMMED),
    (data, { kind, digest }) => checkLook.updateMany({ where: { kind, digest }, data }),
  );
  await inPages(
    () => delivery.findMany(PAGE_OF_UNSUMMED),
    (data, { receiver }) => delivery.updateMany({ where: { receiver }, data }),
  );
}
