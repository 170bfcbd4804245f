// SQLite keeps a value of any type in any column. Prisma refuses a whole query for one value that does not fit its column, so a
// damaged row would take every list with it. Such a value becomes one that fits and that the schema of the record refuses.
import { ColumnTypeEnum, type SqlResultSet } from "@prisma/driver-adapter-utils";

type Type = SqlResultSet["columnTypes"][number];

const NUMBERS: ReadonlySet<Type> = new Set([ColumnTypeEnum.Int32, ColumnTypeEnum.Int64, ColumnTypeEnum.Boolean]);

export const fitted = (result: SqlResultSet): SqlResultSet => ({
  ...result,
  rows: result.rows.map((row) => row.map((value, at) => fittedValue(value, result.columnTypes[at]))),
});

function fittedValue(value: unknown, type: Type | undefined): unknown {
  if (value === null || type === undefined) return value;
  if (type === ColumnTypeEnum.Text && typeof value !== "string") return shown(value);
  return NUMBERS.has(type) && !isNumber(value) ? null : value;
}

const isNumber = (value: unknown): boolean =>
  /^(number|bigint|boolean)$/.test(typeof value) || /^-?\d+$/.test(`${value}`);

const shown = (value: unknown): string =>
  ArrayBuffer.isView(value) || value instanceof ArrayBuffer ? "(bytes)" : String(value);
