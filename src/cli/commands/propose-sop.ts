// orch sop propose: drafts a procedure from an agent's run. Notes say what needs a reader, what each check was worth, what the draft
// leaves out or literal, and what teach would refuse in it.
import { z } from "zod";
import { printable } from "../../domain/printable.ts";
import { checkWorth } from "../../domain/proof.ts";
import { proposeSop } from "../../operations/shapes/sops.ts";
import { command } from "../context.ts";
import { giveFile } from "../give-file.ts";

const Given = z.object({ id: z.string(), file: z.string().optional(), force: z.boolean().default(false) });

export const proposeSopFile = command(Given, async (context, { id, file, force }) => {
  const { call, out } = context;
  const proposed = await call(proposeSop, { task_id: id });
  const { warnings, checks, left_out, left_literal, issues } = proposed;
  for (const text of warnings) out.note(`warning: ${printable(text)}`);
  for (const { step_index, ...check } of checks) out.note(`check step ${step_index}: ${checkWorth(check)}`);
  for (const { index, command: text, why } of left_out) out.note(`left out: call ${index}, ${printable(text)}: ${why}`);
  for (const { step_index, where, key, value, why } of left_literal)
    out.note(`left literal: step ${step_index}, ${printable(where)}: ${printable(key)} ${printable(value)}: ${why}`);
  for (const { path, message } of issues) out.note(`teach would refuse ${printable(path)}: ${printable(message)}`);
  return giveFile(context, proposed, { file, force });
});
