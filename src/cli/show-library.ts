// The library of procedures as text.
import { stringify } from "yaml";
import { printable, printableLines } from "../domain/printable.ts";
import { effectText, type LibraryFile } from "../schema/sop-file.ts";
import { cut, fitTable } from "./fit-table.ts";
import type { Out } from "./out.ts";
import type { NamedProcedure } from "./read-library.ts";
import { block } from "./text-format.ts";

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
