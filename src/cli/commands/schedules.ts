// orch schedule add, list, show, pause, resume, remove.
import { basename } from "node:path";
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import {
  addSchedule,
  getSchedule,
  listSchedules,
  pauseSchedule,
  removeSchedule,
  resumeSchedule,
} from "../../operations/shapes/schedules.ts";
import { allPages } from "../all-pages.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, usage } from "../failure.ts";
import { inFile, readDocument } from "../read-file.ts";
import { quarantineNotes } from "../show-quarantine.ts";
import { scheduleLines, scheduleTable } from "../show-schedule.ts";

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
  const { call, out } = context;
  const result = await allPages(
    all,
    (after) => call(listSchedules, { ...query, after }),
    (older, newer) => ({ ...newer, schedules: [...older.schedules, ...newer.schedules] }),
  );
  out.answer(result, () => scheduleTable(result.schedules, out));
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.next_after !== null) out.note(`There are more: ${out.program} schedule list --all`);
  return EXIT.done;
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
