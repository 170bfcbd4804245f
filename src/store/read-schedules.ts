// The reads of schedules.
import type { Quarantine } from "../domain/quarantine.ts";
import type { Store } from "../ports.ts";
import type { Database } from "./database.ts";
import { guarded } from "./fault.ts";
import { findRow } from "./row-statements.ts";
import { readable, readPage, scheduleOf } from "./rows.ts";

type Schedules = Pick<Store, "findSchedule" | "listSchedules" | "dueSchedules">;

export const readSchedules = (
  { client: { schedule }, connection }: Database,
  onDamaged: Quarantine["add"],
): Schedules => {
  const idOf = ({ name }: { name: string }) => name;
  const reading = { record: "schedule", idOf, parse: scheduleOf, onDamaged } as const;
  return {
    findSchedule: guarded(async (name) => {
      const row = await findRow(connection, "schedule", { name });
      return row === null ? null : scheduleOf(row);
    }),
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
