// Schedules as text.
import { counted } from "../domain/outcome.ts";
import { printable } from "../domain/printable.ts";
import type { Schedule } from "../domain/schedule.ts";
import { targetSignature } from "../domain/target.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import { block, painted } from "./text-format.ts";

const whenOf = ({ every, cron, timezone }: Schedule): string =>
  every === null ? `${cron ?? ""} (${timezone ?? ""})` : `every ${every}`;

const nextOf = ({ status, next_due }: Schedule): string => (status === "paused" ? "paused" : (next_due ?? "never"));

export function scheduleTable(schedules: readonly Schedule[], { paint, width }: Out): string[] {
  if (schedules.length === 0) return ["There are no schedules."];
  const columns = ["SCHEDULE", cut("WHEN"), "NEXT", "RUNS", "SKIPPED", "MISSED", cut("LAST TASK")];
  const rows = schedules.map((schedule) => [
    printable(schedule.name),
    printable(whenOf(schedule)),
    painted(paint, schedule.status, nextOf(schedule)),
    String(schedule.runs),
    String(schedule.skipped),
    String(schedule.missed),
    schedule.fault === null ? printable(schedule.last_task_id ?? "") : "not submitted",
  ]);
  return fitTable(columns, rows, width);
}

export function scheduleLines(schedule: Schedule, { paint, width }: Out): string[] {
  const { name, status, contract, last_task_id, last_due, runs, skipped, missed, fault } = schedule;
  const { intent, target } = contract;
  const on = Object.keys(target).length === 0 ? "" : ` on ${targetSignature(target)}`;
  return [
    `${paint("bold", printable(name))}  ${painted(paint, status)}  ${printable(`${intent}${on}`)}`,
    ...block({ paint, width }, [
      ["when", whenOf(schedule)],
      ["next", nextOf(schedule)],
      ["last due", last_due],
      ["last task", last_task_id],
      ["came to", `${counted(runs, "task")}, ${skipped} skipped, ${missed} missed`],
      ["fault", fault],
    ]),
  ];
}
