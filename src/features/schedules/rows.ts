// Writes and reads schedules.
import type { Quarantine } from "../../domain/quarantine.ts";
import type { Database } from "../../store/database.ts";
import {
  type Applied,
  deleteRows,
  findRow,
  insertRow,
  made,
  read,
  readable,
  readPage,
  readRow,
  rewritten,
  sumAfter,
  updateRows,
  withSum,
} from "../../store/rows.ts";
import { guarded, rowOf, type Sql } from "../../store/sql.ts";
import { type KeptSchedules, Schedule, type ScheduleChange } from "./schedule.ts";

export function writeSchedule(change: ScheduleChange, sql: Sql, at: string): Promise<Applied> {
  switch (change.on) {
    case "schedule_created":
      return made(sql, insertRow("schedule", withSum(rowOf(Schedule, change.schedule))));
    case "schedule":
      return changeSchedule(change, sql, at);
    case "schedule_deleted": {
      const { name, expect } = change;
      return sql.run(deleteRows("schedule", { name, ...expect })).then((count) => count > 0);
    }
  }
}

async function changeSchedule(
  { name, expect, set }: Extract<ScheduleChange, { on: "schedule" }>,
  sql: Sql,
  at: string,
): Promise<Applied> {
  const row = await findRow(sql, "schedule", { name });
  const isExpected = (["status", "next_due", "open_due", "created_at"] as const).every(
    (column) => row?.[column] === expect[column],
  );
  if (row === null || !isExpected) return false;
  const data = rowOf(Schedule, { ...set, updated_at: at });
  const summed = { ...data, row_sum: sumAfter(row, data) };
  return rewritten(sql, updateRows("schedule", summed, { name, row_sum: row.row_sum }));
}

const scheduleOf = (row: { readonly name: string }): Schedule =>
  read(Schedule, `schedule ${row.name}`, ["contract"], row);

export const readSchedules = (
  { client: { schedule }, connection }: Database,
  onDamaged: Quarantine["add"],
): KeptSchedules => {
  const idOf = ({ name }: { name: string }) => name;
  const reading = { record: "schedule", idOf, parse: scheduleOf, onDamaged } as const;
  return {
    findSchedule: guarded((name) => readRow(findRow(connection, "schedule", { name }), scheduleOf)),
    listSchedules: guarded((page) =>
      readPage(
        page,
        ({ take, after }) =>
          schedule.findMany({
            ...(after !== undefined && { where: { name: { gt: after } } }),
            orderBy: { name: "asc" },
            take,
          }),
        reading,
      ),
    ),
    dueSchedules: guarded(async (at) => {
      const [due, later] = await Promise.all([
        schedule.findMany({
          where: { OR: [{ open_due: { not: null } }, { next_due: { lte: at } }] },
          orderBy: [{ next_due: "asc" }, { name: "asc" }],
        }),
        schedule.findFirst({ where: { next_due: { gt: at } }, orderBy: { next_due: "asc" } }),
      ]);
      return { due: readable(due, reading), next: later?.next_due ?? null };
    }),
  };
};
