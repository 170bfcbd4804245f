// orch sops, orch sop show, diff, export, import: the stored procedures.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import type { Sop } from "../../domain/sop.ts";
import { exportSop, getSop, importSop, listSops } from "../../operations/sops.ts";
import { allPages } from "../all-pages.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { type Failure, usage } from "../failure.ts";
import { printableLines } from "../printable.ts";
import { inFile, readText } from "../read-file.ts";
import { candidateLines, sopLines, sopTable } from "../show-sop.ts";

const Listing = z.object({
  intent: z.string().optional(),
  status: z.string().optional(),
  limit: z.string().optional(),
  all: z.boolean().default(false),
});

export const sops = command(Listing, async (context, { all, ...query }) => {
  const { call, out } = context;
  const found = await allPages(
    all,
    (after) => call(listSops, { ...query, after }),
    (before, page) => ({ ...page, sops: [...before.sops, ...page.sops] }),
  );
  if (!found.ok) return fail(context, found.failure);
  out.answer(found.value, () => sopTable(found.value.sops, out));
  if (found.value.next_after !== null) out.note("There are more: orch sops --all");
  return EXIT.done;
});

export const showSop = command(z.object({ id: z.string() }), async (context, { id }) => {
  const { call, out } = context;
  const found = await call(getSop, { sop_id: id });
  if (!found.ok) return fail(context, found.failure);
  out.answer(found.value, () => sopLines(found.value.sop, found.value.versions, out));
  return EXIT.done;
});

export const diffSop = command(z.object({ id: z.string(), other: z.string().optional() }), async (context, given) => {
  const { call, out } = context;
  const { id } = given;
  const one = await call(getSop, { sop_id: id });
  if (!one.ok) return fail(context, one.failure);
  const other = given.other ?? one.value.versions.find(({ version }) => version < one.value.sop.version)?.sop_id;
  if (other === undefined) return fail(context, firstVersion(one.value.sop));
  const compared = await call(getSop, { sop_id: id, diff_to: other });
  if (!compared.ok) return fail(context, compared.failure);
  const diff = compared.value.diff ?? "";
  out.answer(compared.value, () => (diff === "" ? ["They define the same procedure."] : colouredDiff(diff, out.paint)));
  return EXIT.done;
});

const firstVersion = ({ sop_id }: Sop): Failure =>
  usage(`SOP ${sop_id} is the first version of its key; name another one to compare it with.`);

const colouredDiff = (diff: string, paint: (style: "red" | "green", text: string) => string): string[] =>
  printableLines(diff).map((line) => {
    if (line.startsWith("+")) return paint("green", line);
    return line.startsWith("-") ? paint("red", line) : line;
  });

export const exportSopFile = command(
  z.object({ id: z.string(), file: z.string().optional() }),
  async (context, given) => {
    const { call, out, cwd, stdout } = context;
    const found = await call(exportSop, { sop_id: given.id });
    if (!found.ok) return fail(context, found.failure);
    const { file } = found.value;
    if (given.file !== undefined) {
      const written = await writeNew(resolve(cwd, given.file), file);
      return written === null ? EXIT.done : fail(context, written);
    }
    // What goes on to a file or a program stays exact.
    if (!out.json && stdout.isTTY !== true) out.raw(file);
    else out.answer(found.value, () => printableLines(file));
    return EXIT.done;
  },
);

async function writeNew(path: string, content: string): Promise<Failure | null> {
  try {
    await writeFile(path, content);
    return null;
  } catch (error) {
    return usage(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

export const importSopFile = command(z.object({ file: z.string() }), async (context, { file }) => {
  const { call, out } = context;
  const source = await readText(context, file);
  if (!source.ok) return fail(context, source.failure);
  const stored = inFile(file, await call(importSop, { file: source.value }));
  if (!stored.ok) return fail(context, stored.failure);
  out.answer(stored.value, () => candidateLines(stored.value, out));
  return EXIT.done;
});
