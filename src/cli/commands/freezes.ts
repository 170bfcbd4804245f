// orch freeze, thaw, freezes.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { freeze as freezeShape, listFreezes, thaw as thawShape } from "../../operations/shapes/freezes.ts";
import { allPages } from "../all-pages.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, usage } from "../failure.ts";
import { freezeLines, freezeTable, inForceLines } from "../show-freeze.ts";
import { quarantineNotes } from "../show-quarantine.ts";
import { targetOf } from "../target-option.ts";
import { painted } from "../text-format.ts";

const Frozen = z.object({
  intent: z.string().optional(),
  target: z.array(z.string()).default([]),
  exceptDiagnostics: z.boolean().default(false),
  reason: z.string().optional(),
  now: z.boolean().default(false),
});

export const freeze = command(Frozen, async (context, { target, exceptDiagnostics, reason, ...given }) => {
  const { out } = context;
  if (reason === undefined) return failed(usage("--reason is missing: every held task shows why."));
  const attributes = target.length === 0 ? undefined : targetOf(target);
  const input = { ...given, reason, target: attributes, except_diagnostics: exceptDiagnostics };
  const result = await context.call(freezeShape, input, "approver");
  const { freeze: frozen, created, cancelled, running, paused } = result;
  out.answer(result, () => [
    ...freezeLines(frozen, out),
    ...cancelled.map(
      ({ task_id, status, outcome }) =>
        `  ${painted(out.paint, status ?? "unknown")}  ${printable(task_id)}  ${printable(outcome)}`,
    ),
    ...running.map((task_id) => `  ${painted(out.paint, "running", "finishes")}  ${printable(task_id)}`),
    ...paused.map((task_id) => `  ${painted(out.paint, "need_input", "asks")}  ${printable(task_id)}`),
  ]);
  if (!created) out.note("orch: this was frozen already");
  if (running.length > 0) out.note(`orch: these had begun and finish; ${out.program} freeze --now cancels them`);
  if (paused.length > 0)
    out.note(`orch: these had begun and wait for an answer, with which they go on; ${out.program} cancel ID ends one`);
  return EXIT.done;
});

const Thawed = z.object({ id: z.string().optional(), all: z.boolean().default(false) });

export const thaw = command(Thawed, async (context, { id, all }) => {
  const { out } = context;
  if ((id === undefined) !== all) return failed(usage("Give the id of a freeze, or --all."));
  const result = await context.call(thawShape, { freeze_id: id, all }, "approver");
  const { thawed, thawed_before, still_held_by } = result;
  const shown = [...thawed, ...thawed_before];
  out.answer(result, () =>
    shown.length === 0 ? ["Nothing is frozen."] : shown.flatMap((one) => freezeLines(one, out)),
  );
  for (const { freeze_id } of thawed_before) out.note(`orch: ${freeze_id} was thawed before`);
  for (const line of inForceLines(still_held_by, out)) out.note(line);
  return EXIT.done;
});

const Listed = z.object({ limit: z.string().optional(), all: z.boolean().default(false) });

export const freezes = command(Listed, async (context, { all, ...query }) => {
  const { call, clock, out } = context;
  const result = await allPages(
    all,
    (after) => call(listFreezes, { ...query, after }),
    (older, newer) => ({ ...newer, freezes: [...older.freezes, ...newer.freezes] }),
  );
  out.answer(result, () => [...inForceLines(result.in_force, out), ...freezeTable(result.freezes, clock(), out)]);
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.next_after !== null) out.note(`There are more: ${out.program} freezes --all`);
  return EXIT.done;
});
