// orch schedule add, list, show, pause, resume, remove.
import { basename } from "node:path";
import { z } from "zod";
import { command } from "../../cli/context.ts";
import { EXIT, failed, usage } from "../../cli/failure.ts";
import { inFile, readDocument } from "../../cli/files.ts";
import { cut, fitTable } from "../../cli/fit-table.ts";
import { allPages, showList } from "../../cli/lists.ts";
import type { Out } from "../../cli/out.ts";
import { block, painted } from "../../cli/text-format.ts";
import { targetSignature } from "../../domain/contract.ts";
import { counted, printable } from "../../domain/printable.ts";
import type { Schedule } from "./schedule.ts";
import { addSchedule, getSchedule, listSchedules, pauseSchedule, removeSchedule, resumeSchedule } from "./shapes.ts";

const Added = z.object({
  file: z.string(),
  name: z.string().optional(),
  every: z.string().optional(),
  cron: z.string().optional(),
  timezone: z.string().optional(),
});

export const addScheduleOf = command(Added, async (context, { file, name = nameIn(file), ...when }) => {
  const { call, out } = context;
  if (name === "") return failed(usage("--name is missing: stdin has no name."));
  const contract = await readDocument(context, file);
  const result = await inFile(file, call(addSchedule, { name, contract, ...when }));
  const { schedule, would, why, ignored } = result;
  if (would === "block")
    out.note(`orch: as things are, its tasks would be blocked: ${printable(why ?? "see explain")}`);
  if (ignored !== undefined) out.note(`orch: other fields of the contract are ${ignored}`);
  out.answer(result, () => scheduleLines(schedule, out));
  return EXIT.done;
});

/** The file's name as that of a schedule; empty for stdin. */
const nameIn = (file: string): string =>
  basename(file)
    .replace(/\.[A-Za-z]+$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 48);

const Listed = z.object({ limit: z.string().optional(), all: z.boolean().default(false) });

export const schedules = command(Listed, async (context, { all, ...query }) => {
  const list = await allPages(all, "schedules", (after) => context.call(listSchedules, { ...query, after }));
  return showList(context, list, "schedule list", () => scheduleTable(list.schedules, context.out));
});

const Which = z.object({ name: z.string() });

const onSchedule = (shape: typeof getSchedule | typeof pauseSchedule | typeof resumeSchedule | typeof removeSchedule) =>
  command(Which, async (context, { name }) => {
    const { call, out } = context;
    const result = await call(shape, { name });
    out.answer(result, () => scheduleLines(result.schedule, out));
    return EXIT.done;
  });

export const showSchedule = onSchedule(getSchedule);
export const pause = onSchedule(pauseSchedule);
export const resume = onSchedule(resumeSchedule);

export const remove = command(Which, async (context, { name }) => {
  const { call, out } = context;
  const result = await call(removeSchedule, { name });
  out.answer(result, () => [`removed  ${printable(name)}`]);
  return EXIT.done;
});

// Schedules as text.

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
