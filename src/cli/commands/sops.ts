// orch sops, orch sop show, diff, export, import: commands on stored procedures.
import { z } from "zod";
import { printableLines } from "../../domain/printable.ts";
import type { Sop } from "../../domain/sop.ts";
import { exportSop, getSop, listSops } from "../../operations/shapes/sops.ts";
import { allPages } from "../all-pages.ts";
import { command, fail } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, type Result, success, usage } from "../failure.ts";
import { findSopId, versionIn } from "../find-sop.ts";
import { giveFile } from "../give-file.ts";
import { importProcedure } from "../import-procedure.ts";
import { readText } from "../read-file.ts";
import { quarantineNotes } from "../show-quarantine.ts";
import { sopLines, sopTable } from "../show-sop.ts";

const Listing = z.object({
  intent: z.string().optional(),
  status: z.string().optional(),
  limit: z.string().optional(),
  all: z.boolean().default(false),
});

export const sops = command(Listing, async (context, { all, ...query }) => {
  const { call, out } = context;
  const result = await allPages(
    all,
    (after) => call(listSops, { ...query, after }),
    (before, page) => ({ ...page, sops: [...before.sops, ...page.sops] }),
  );
  if (!result.ok) return fail(context, result.failure);
  out.answer(result.value, () => sopTable(result.value.sops, out));
  for (const line of quarantineNotes(result.value.quarantined)) out.note(line);
  if (result.value.next_after !== null) out.note(`There are more: ${out.program} sops --all`);
  return EXIT.done;
});

export const showSop = command(z.object({ id: z.string() }), async (context, { id }) => {
  const { call, out } = context;
  const sop_id = await findSopId(context, id);
  if (!sop_id.ok) return fail(context, sop_id.failure);
  const result = await call(getSop, { sop_id: sop_id.value });
  if (!result.ok) return fail(context, result.failure);
  out.answer(result.value, () => sopLines(result.value, out));
  return EXIT.done;
});

export const diffSop = command(z.object({ id: z.string(), other: z.string().optional() }), async (context, given) => {
  const { call, out } = context;
  const result = await findSopId(context, given.id);
  if (!result.ok) return fail(context, result.failure);
  const sop_id = result.value;
  const one = await call(getSop, { sop_id });
  if (!one.ok) return fail(context, one.failure);
  const { sop, versions } = one.value;
  const other = given.other === undefined ? versionBefore(sop, versions) : versionIn(versions, given.other);
  if (!other.ok) return fail(context, other.failure);
  const compared = await call(getSop, { sop_id, diff_to: other.value });
  if (!compared.ok) return fail(context, compared.failure);
  const diff = compared.value.diff ?? "";
  out.answer(compared.value, () => (diff === "" ? ["They define the same procedure."] : colouredDiff(diff, out.paint)));
  return EXIT.done;
});

/** The newest of `versions` that is older. `versions` are newest first. */
function versionBefore({ sop_id, version }: Sop, versions: readonly Pick<Sop, "sop_id" | "version">[]): Result<string> {
  const before = versions.find((one) => one.version < version);
  if (before !== undefined) return success(before.sop_id);
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
    if (!sop_id.ok) return fail(context, sop_id.failure);
    const result = await call(exportSop, { sop_id: sop_id.value });
    if (!result.ok) return fail(context, result.failure);
    return giveFile(context, result.value, { file, force });
  },
);

export const importSopFile = command(z.object({ file: z.string() }), async (context, { file }) => {
  const source = await readText(context, file);
  return source.ok ? importProcedure(context, source.value, file) : fail(context, source.failure);
});
