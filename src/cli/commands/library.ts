// orch library list, show and import: procedures that come with orch. What is imported is a candidate, as of any other file.
import { z } from "zod";
import { explain } from "../../operations/shapes/explain.ts";
import { aimed, contractFor, type SopFile, writeSopFile } from "../../schema/sop-file.ts";
import { command } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { failed, tried, usage } from "../failure.ts";
import { giveFile } from "../give-file.ts";
import { importProcedure } from "../import-procedure.ts";
import { findInLibrary, readLibrary } from "../read-library.ts";
import { explanationLines } from "../show-explanation.ts";
import { documentLines, entryLines, libraryTable, yamlOf } from "../show-library.ts";
import { warningLines } from "../show-sop.ts";
import { targetOf } from "../target-option.ts";

const Aim = z.object({
  name: z.string(),
  intent: z.string().optional(),
  target: z.array(z.string()).default([]),
});

export const listLibrary = command(z.object({}), async ({ out }) => {
  const procedures = await readLibrary();
  const briefs = procedures.map(({ name, entry: { description, effect, needs, procedure } }) => ({
    name,
    description,
    effect,
    needs,
    intent: procedure.intent,
    safety_level: procedure.safety_level,
  }));
  out.answer({ procedures: briefs }, () => libraryTable(procedures, out));
  out.note(`One of them: ${out.program} library show NAME`);
  return EXIT.done;
});

/** The procedure of that name, for the target that the command line gives. */
async function aimedAt({ name, intent, target: pairs }: z.output<typeof Aim>) {
  const found = await findInLibrary(name);
  const target = targetOf(pairs);
  const procedure = aimed(found.entry, { intent, target });
  return { ...found, procedure, given: Object.keys(target) };
}

const Shown = Aim.extend({ contract: z.boolean().default(false), sop: z.boolean().default(false) });

export const showLibrary = command(Shown, async (context, { contract: only_contract, sop: only_sop, ...aim }) => {
  const { out } = context;
  if (only_contract && only_sop) return failed(usage("Give either --sop or --contract."));
  const found = await aimedAt(aim);
  const { name, entry, procedure } = found;
  const contract = contractFor(entry, procedure);
  if (only_contract) return giveFile(context, { file: yamlOf(contract) }, { file: undefined, force: false });
  if (only_sop) return giveFile(context, { file: writeSopFile(procedure) }, { file: undefined, force: false });
  const explained = await tried(context.call(explain, { contract, ...judged(procedure) }));
  if (!explained.ok && explained.failure.exit !== EXIT.unreachable) return failed(explained.failure);
  const { description, effect, needs } = entry;
  const explanation = explained.ok ? explained.value : null;
  out.answer({ name, description, effect, needs, procedure, contract, explanation }, () => [
    ...entryLines(found, out),
    ...documentLines("procedure", procedure, out),
    ...documentLines("contract", contract, out),
    ...(explanation === null ? [] : ["", out.paint("bold", "verdicts"), ...explanationLines(explanation, out)]),
  ]);
  // The procedure is shown without a server too.
  if (!explained.ok) out.note(`The verdicts of policy are not shown: ${explained.failure.detail}`);
  else for (const line of warningLines(explained.value.warnings)) out.note(line);
  return EXIT.done;
});

const judged = ({ steps, safety_level }: SopFile) => ({ steps, safety_level, try_checks: true });

export const importLibrary = command(Aim, async (context, aim) => {
  const found = await aimedAt(aim);
  const { entry, procedure, given } = found;
  const kept = Object.entries(entry.procedure.target).filter(([key]) => !given.includes(key));
  for (const [key, value] of kept) context.out.note(`${key} is that of the example: ${value}`);
  return importProcedure(context, writeSopFile(procedure));
});
