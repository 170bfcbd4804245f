// orch freeze, thaw, freezes.
import { z } from "zod";
import { command } from "../../cli/context.ts";
import { targetOf } from "../../cli/contract-from-words.ts";
import { EXIT, failed, usage } from "../../cli/failure.ts";
import { cut, fitTable } from "../../cli/fit-table.ts";
import { allPages, showList } from "../../cli/lists.ts";
import type { Out } from "../../cli/out.ts";
import { age, block, inForceLines, painted } from "../../cli/text-format.ts";
import { printable } from "../../domain/printable.ts";
import { type Freeze, scopeText } from "./freeze.ts";
import { freeze as freezeShape, listFreezes, thaw as thawShape } from "./shapes.ts";

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
  const list = await allPages(all, "freezes", (after) => call(listFreezes, { ...query, after }));
  return showList(context, list, "freezes", () => [
    ...inForceLines(list.in_force, out),
    ...freezeTable(list.freezes, clock(), out),
  ]);
});

// Freezes as text.

function freezeTable(freezes: readonly Freeze[], now: Date, { paint, width }: Out): string[] {
  if (freezes.length === 0) return ["Nothing was ever frozen."];
  const columns = ["FREEZE", "STATE", "AGE", cut("BY"), cut("HOLDS"), cut("REASON")];
  const rows = freezes.map((freeze) => [
    printable(freeze.freeze_id),
    freeze.thawed_at === null ? painted(paint, "need_approval", "open") : "thawed",
    age(freeze.created_at, now),
    printable(freeze.frozen_by),
    printable(scopeText(freeze)),
    printable(freeze.reason),
  ]);
  return fitTable(columns, rows, width);
}

const freezeLines = (freeze: Freeze, { paint, width }: Out): string[] => {
  const { freeze_id, reason, frozen_by, created_at, thawed_by, thawed_at } = freeze;
  const state = thawed_at === null ? painted(paint, "need_approval", "open") : "thawed";
  return [
    `${paint("bold", printable(freeze_id))}  ${state}  ${printable(scopeText(freeze))}`,
    ...block({ paint, width }, [
      ["reason", reason],
      ["frozen", `${created_at} by ${frozen_by}`],
      ["thawed", thawed_at === null ? null : `${thawed_at} by ${thawed_by}`],
    ]),
  ];
};
