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
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { usage } from "../failure.ts";
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
  if (name === "") return fail(context, usage("--name is missing: stdin has no name."));
  const contract = await readDocument(context, file);
  if (!contract.ok) return fail(context, contract.failure);
  const result = inFile(file, await call(addSchedule, { name, contract: contract.value, ...when }));
  if (!result.ok) return fail(context, result.failure);
  const { schedule, would, why, ignored } = result.value;
  if (would === "block")
    out.note(`orch: as things are, its tasks would be blocked: ${printable(why ?? "see explain")}`);
  if (ignored !== undefined) out.note(`orch: other fields of the contract are ${ignored}`);
  out.answer(result.value, () => scheduleLines(schedule, out));
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
  if (!result.ok) return fail(context, result.failure);
  out.answer(result.value, () => scheduleTable(result.value.schedules, out));
  for (const line of quarantineNotes(result.value.quarantined)) out.note(line);
  if (result.value.next_after !== null) out.note(`There are more: ${out.program} schedule list --all`);
  return EXIT.done;
});

const Which = z.object({ name: z.string() });

const onSchedule = (shape: typeof getSchedule | typeof pauseSchedule | typeof resumeSchedule | typeof removeSchedule) =>
  command(Which, async (context, { name }) => {
    const { call, out } = context;
    const result = await call(shape, { name });
    if (!result.ok) return fail(context, result.failure);
    out.answer(result.value, () => scheduleLines(result.value.schedule, out));
    return EXIT.done;
  });

export const showSchedule = onSchedule(getSchedule);
export const pause = onSchedule(pauseSchedule);
export const resume = onSchedule(resumeSchedule);

export const remove = command(Which, async (context, { name }) => {
  const { call, out } = context;
  const result = await call(removeSchedule, { name });
  if (!result.ok) return fail(context, result.failure);
  out.answer(result.value, () => [`removed  ${printable(name)}`]);
  return EXIT.done;
});
