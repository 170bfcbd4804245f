// orch library list, show and import: procedures that come with orch. What is imported is a candidate, as of any other file.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { explain } from "../../api/operations/shapes/explain.ts";
import { command } from "../../cli/context.ts";
import { targetOf } from "../../cli/contract-from-words.ts";
import { EXIT, failed, tried, usage } from "../../cli/failure.ts";
import { giveFile } from "../../cli/files.ts";
import { cut, fitTable } from "../../cli/fit-table.ts";
import type { Out } from "../../cli/out.ts";
import { explanationLines } from "../../cli/show-explanation.ts";
import { warningLines } from "../../cli/show-sop.ts";
import { block } from "../../cli/text-format.ts";
import { printable, printableLines } from "../../domain/printable.ts";
import { nearestName } from "../../domain/unknown-fields.ts";
import {
  aimed,
  contractFor,
  effectText,
  type LibraryFile,
  readLibraryFile,
  type SopFile,
  writeSopFile,
} from "../../schema/sop-file.ts";
import { importProcedure } from "./commands.ts";

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

// The library of procedures as text.

export const yamlOf = (value: unknown): string => stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

export function libraryTable(procedures: readonly NamedProcedure[], { width }: Out): string[] {
  const columns = ["NAME", "EFFECT", "ASKS", cut("NEEDS"), cut("DOES")];
  const rows = procedures.map(({ name, entry }) =>
    [name, entry.effect, asksText(entry), needsText(entry), entry.description].map(printable),
  );
  return fitTable(columns, rows, width);
}

const needsText = ({ needs }: LibraryFile): string =>
  [...needs.programs, ...needs.servers.map((server) => `tool server ${server}`)].join(", ");

/** When a human is asked about a run, once the procedure is past its trial. */
function asksText({ procedure, contract }: LibraryFile): string {
  if (procedure.safety_level === "approval_required") return "every run";
  return contract.constraints.require_approval_for.join(", ") || "no";
}

const described = (named: Readonly<Record<string, string>>): string | null =>
  Object.entries(named)
    .map(([name, meaning]) => `${name}: ${meaning}`)
    .join("\n") || null;

export function entryLines({ name, entry }: NamedProcedure, { paint, width }: Out): string[] {
  const facts = block({ paint, width }, [
    ["effect", `${entry.effect}: ${effectText(entry)}`],
    ["asks", asksText(entry)],
    ["needs", needsText(entry) || null],
    ["target", described(entry.needs.target)],
    ["payload", described(entry.needs.payload)],
  ]);
  return [`${paint("bold", name)}  ${printable(entry.description)}`, ...facts];
}

/** A document of YAML under its title. */
export const documentLines = (title: string, value: unknown, { paint }: Out): string[] => [
  "",
  paint("bold", title),
  ...printableLines(yamlOf(value).trimEnd()).map((line) => `  ${line}`),
];

// Reads the library of procedures that comes with orch. It needs no server.

const LIBRARY = join(import.meta.dirname, "../../../capabilities/library");
const ENDING = ".yaml";

export type NamedProcedure = { readonly name: string; readonly entry: LibraryFile };

const namesIn = async (directory: string): Promise<string[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith(ENDING));
  return files.map((file) => file.slice(0, -ENDING.length)).sort();
};

const entryIn = async (directory: string, name: string): Promise<NamedProcedure> => ({
  name,
  entry: readLibraryFile(await readFile(join(directory, `${name}${ENDING}`), "utf8")),
});

/** By name. */
export async function readLibrary(directory = LIBRARY): Promise<NamedProcedure[]> {
  return Promise.all((await namesIn(directory)).map((name) => entryIn(directory, name)));
}

/** A name that is not one of the library opens no file. */
export async function findInLibrary(name: string, directory = LIBRARY): Promise<NamedProcedure> {
  const names = await namesIn(directory);
  if (names.includes(name)) return await entryIn(directory, name);
  const near = nearTo(name, names);
  const detail = `There is no procedure ${JSON.stringify(name)} in the library.`;
  const fix = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "See: orch library list";
  return failed({ exit: EXIT.usage, code: "library_unknown", detail, fix });
}

const MAX_CHANGES = 3;

/** Names with a word of it, or its beginning, and the one that is spelled nearly so. */
function nearTo(name: string, names: readonly string[]): string[] {
  const words = new Set(
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 1),
  );
  const sharing = names.filter((known) => known.split("-").some((word) => words.has(word)) || known.startsWith(name));
  const spelled = nearestName(name.toLowerCase(), names, MAX_CHANGES);
  return [...new Set([...(spelled === null ? [] : [spelled]), ...(name === "" ? [] : sharing)])];
}
