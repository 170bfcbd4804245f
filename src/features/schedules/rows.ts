// Writes and reads schedules.
import type { Quarantine } from "../../domain/quarantine.ts";
import type { Database } from "../../store/database.ts";
import { guarded } from "../../store/database-errors.ts";
import {
  type Applied,
  made,
  read,
  readable,
  readPage,
  readRow,
  rewritten,
  rowOf,
  sumAfter,
  withSum,
} from "../../store/rows.ts";
import type { Session } from "../../store/sql.ts";
import { type KeptSchedules, Schedule, type ScheduleChange } from "./schedule.ts";

export async function writeSchedule(change: ScheduleChange, session: Session, at: string): Promise<Applied> {
  const { schedule } = session;
  switch (change.on) {
    case "schedule_created":
      return made(schedule.create({ data: withSum(rowOf(Schedule, change.schedule)), select: { name: true } }));
    case "schedule":
      return changeSchedule(change, session, at);
    case "schedule_deleted": {
      const { name, expect } = change;
      return (await schedule.deleteMany({ where: { name, ...expect } })).count > 0;
    }
  }
}

async function changeSchedule(
  { name, expect, set }: Extract<ScheduleChange, { on: "schedule" }>,
  { schedule }: Session,
  at: string,
): Promise<Applied> {
  const row = await schedule.findUnique({ where: { name } });
  const isExpected = (["status", "next_due", "open_due", "created_at"] as const).every(
    (column) => row?.[column] === expect[column],
  );
  if (row === null || !isExpected) return false;
  const changed = rowOf(Schedule, { ...set, updated_at: at });
  const data = { ...changed, row_sum: sumAfter(row, changed) };
  return rewritten(schedule.updateMany({ where: { name, row_sum: row.row_sum }, data }));
}

const scheduleOf = (row: { readonly name: string }): Schedule =>
  read(Schedule, `schedule ${row.name}`, ["contract"], row);

export const readSchedules = ({ client: { schedule } }: Database, onDamaged: Quarantine["add"]): KeptSchedules => {
  const idOf = ({ name }: { name: string }) => name;
  const reading = { record: "schedule", idOf, parse: scheduleOf, onDamaged } as const;
  return {
    findSchedule: guarded((name) => readRow(schedule.findUnique({ where: { name } }), scheduleOf)),
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
