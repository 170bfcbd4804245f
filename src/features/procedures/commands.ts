// Runs the commands on stored procedures: orch sops, sop show, diff, export, import, propose, copy and rollback, teach.
import { z } from "zod";
import { type CommandContext, command } from "../../cli/context.ts";
import { targetOf } from "../../cli/contract-from-words.ts";
import { EXIT, type ExitCode, failed, tried, usage } from "../../cli/failure.ts";
import { giveFile, inFile, readDocument, readText } from "../../cli/files.ts";
import { allSops, findSopId, versionIn } from "../../cli/find-sop.ts";
import { allPages, showList } from "../../cli/lists.ts";
import { WaitOption } from "../../cli/option-values.ts";
import { rollbackLines } from "../../cli/show-proof.ts";
import { candidateLines, sopLines, sopTable, warningLines } from "../../cli/show-sop.ts";
import { showTask } from "../../cli/wait-for-task.ts";
import { printable, printableLines } from "../../domain/printable.ts";
import { checkWorth } from "../../domain/proof.ts";
import type { Sop } from "../../domain/sop.ts";
import { writeSopFile } from "../../schema/sop-file.ts";
import {
  copySop,
  exportSop,
  getSop,
  importSop,
  listSops,
  proposeSop,
  rollbackSop,
  teach as teachOperation,
} from "./shapes.ts";

const Listing = z.object({
  intent: z.string().optional(),
  status: z.string().optional(),
  limit: z.string().optional(),
  all: z.boolean().default(false),
});

export const sops = command(Listing, async (context, { all, ...query }) => {
  const list = await allPages(all, "sops", (after) => context.call(listSops, { ...query, after }));
  return showList(context, list, "sops", () => sopTable(list.sops, context.out));
});

export const showSop = command(z.object({ id: z.string() }), async (context, { id }) => {
  const { call, out } = context;
  const sop_id = await findSopId(context, id);
  const result = await call(getSop, { sop_id });
  out.answer(result, () => sopLines(result, out));
  return EXIT.done;
});

export const diffSop = command(z.object({ id: z.string(), other: z.string().optional() }), async (context, given) => {
  const { call, out } = context;
  const sop_id = await findSopId(context, given.id);
  const one = await call(getSop, { sop_id });
  const { sop, versions } = one;
  const other = given.other === undefined ? versionBefore(sop, versions) : versionIn(versions, given.other);
  const compared = await call(getSop, { sop_id, diff_to: other });
  const diff = compared.diff ?? "";
  out.answer(compared, () => (diff === "" ? ["They define the same procedure."] : colouredDiff(diff, out.paint)));
  return EXIT.done;
});

/** The newest of `versions` that is older. `versions` are newest first. */
function versionBefore({ sop_id, version }: Sop, versions: readonly Pick<Sop, "sop_id" | "version">[]): string {
  const before = versions.find((one) => one.version < version);
  if (before !== undefined) return before.sop_id;
  return failed(usage(`SOP ${sop_id} is the first version of its key; name another one to compare it with.`));
}

const colouredDiff = (diff: string, paint: (style: "red" | "green", text: string) => string): string[] =>
  printableLines(diff).map((line) => {
    if (line.startsWith("+")) return paint("green", line);
    return line.startsWith("-") ? paint("red", line) : line;
  });

export const exportSopFile = command(
  z.object({ id: z.string(), file: z.string().optional(), force: z.boolean().default(false) }),
  async (context, { id, file, force }) => {
    const { call } = context;
    const sop_id = await findSopId(context, id);
    const result = await call(exportSop, { sop_id });
    return giveFile(context, result, { file, force });
  },
);

export const importSopFile = command(z.object({ file: z.string() }), async (context, { file }) => {
  const source = await readText(context, file);
  return importProcedure(context, source, file);
});

// orch teach: sends steps from a file to a waiting task, or stores them as a candidate SOP.

const Taught = z.object({ file: z.string(), task: z.string().optional(), wait: WaitOption });

export const teach = command(Taught, async (context, { file, task, wait }) => {
  const { call, out } = context;
  const lesson = await readDocument(context, file);
  const taught = await inFile(file, call(teachOperation, { ...lesson, ...(task !== undefined && { task_id: task }) }));
  const { task: view, sop, approval_id, warnings } = taught;
  for (const line of warningLines(warnings)) out.note(line);
  if (view !== null) return showTask(context, view, wait);
  out.answer(taught, () => (sop === null ? [] : candidateLines({ sop, approval_id }, out)));
  return EXIT.done;
});

// orch sop propose: drafts a procedure from an agent's run. Notes say what needs a reader, what each check was worth, what the draft
// leaves out or literal, and what teach would refuse in it.

const Proposed = z.object({ id: z.string(), file: z.string().optional(), force: z.boolean().default(false) });

export const proposeSopFile = command(Proposed, async (context, { id, file, force }) => {
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

// orch sop copy: a candidate of an active SOP for another target.

const Copied = z.object({
  id: z.string(),
  target: z.array(z.string()).min(1, "is missing: give --target key=value for each attribute"),
  parameters: z.boolean().default(false),
});

export const copySopFor = command(Copied, async (context, { id, target, parameters }) => {
  const { call, out } = context;
  const other = targetOf(target);
  const sop_id = await findSopId(context, id);
  const input = { sop_id, target: other, with_parameters: parameters };
  const result = await call(copySop, input);
  const { literals, warnings } = result;
  for (const { step_index, key, value } of literals)
    out.note(`step ${step_index} still names ${printable(JSON.stringify(value))}, the ${printable(key)} of the source`);
  for (const line of warningLines(warnings)) out.note(line);
  out.answer(result, () => candidateLines(result, out));
  return EXIT.done;
});

// orch sop rollback: a new version with the steps of an earlier one.

export const rollbackSopTo = command(z.object({ id: z.string() }), async (context, { id }) => {
  const { call, out } = context;
  const sop_id = await findSopId(context, id);
  const result = await call(rollbackSop, { sop_id });
  const { rollback, warnings } = result;
  for (const line of warningLines(warnings)) out.note(line);
  out.answer(result, () => [...candidateLines(result, out), ...rollbackLines(rollback, out)]);
  return EXIT.done;
});

// Stores a procedure as a candidate, and nothing where the same one is in use.

/** `file`: where the text is from, when a user may correct it there. */
export async function importProcedure(context: CommandContext, text: string, file?: string): Promise<ExitCode> {
  const { call, out } = context;
  const same = await activeLike(context, text);
  if (same !== null) {
    out.answer({ sop: same, approval_id: null }, () => [
      `${out.paint("bold", same.sop_id)}  is active with the same content, version ${same.version}; nothing was stored`,
    ]);
    return EXIT.done;
  }
  const storing = call(importSop, { file: text });
  const stored = await (file === undefined ? storing : inFile(file, storing));
  for (const line of warningLines(stored.warnings)) out.note(line);
  out.answer(stored, () => candidateLines(stored, out));
  return EXIT.done;
}

/** The active SOP whose export is exactly this text. */
async function activeLike({ call }: CommandContext, text: string): Promise<Sop | null> {
  const active = await tried(allSops(call, { status: "active" }));
  return (active.ok && active.value.sops.find((sop) => writeSopFile(sop) === text)) || null;
}
