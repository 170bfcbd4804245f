// orch sop propose: drafts a procedure from an agent's run. Notes list what the draft leaves out and what teach would
// refuse in it.
import { z } from "zod";
import { proposeSop } from "../../operations/shapes/sops.ts";
import { command, fail } from "../context.ts";
import { printable } from "../printable.ts";
import { giveFile } from "./sops.ts";

const Given = z.object({ id: z.string(), file: z.string().optional(), force: z.boolean().default(false) });

export const proposeSopFile = command(Given, async (context, { id, file, force }) => {
  const { call, out } = context;
  const proposed = await call(proposeSop, { task_id: id });
  if (!proposed.ok) return fail(context, proposed.failure);
  const { left_out, issues } = proposed.value;
  for (const { index, command: text, why } of left_out) out.note(`left out: call ${index}, ${printable(text)}: ${why}`);
  for (const { path, message } of issues) out.note(`teach would refuse ${printable(path)}: ${printable(message)}`);
  return giveFile(context, proposed.value, { file, force });
});
