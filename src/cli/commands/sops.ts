// orch sops, orch sop show, diff, export, import: commands on stored procedures.
import { z } from "zod";
import { printableLines } from "../../domain/printable.ts";
import type { Sop } from "../../domain/sop.ts";
import { exportSop, getSop, listSops } from "../../operations/shapes/sops.ts";
import { allPages } from "../all-pages.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, usage } from "../failure.ts";
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
  out.answer(result, () => sopTable(result.sops, out));
  for (const line of quarantineNotes(result.quarantined)) out.note(line);
  if (result.next_after !== null) out.note(`There are more: ${out.program} sops --all`);
  return EXIT.done;
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
