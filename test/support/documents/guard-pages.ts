// Writes what is made of the records of the guard: the list of their files, and the page of all programs. It reads the folder, and
// not the list, so that a new file is in both at once.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Effect, EffectRule, ProgramRecord } from "../../../src/guard/programs/record.ts";

const FOLDER = join(import.meta.dirname, "../../../src/guard/programs/records");

const files = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((path) => path.endsWith(".ts"))
    .sort();

const nameOf = (file: string): string =>
  file.replace(/\.ts$/, "").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const registryFile = (): string => `// Lists the files of records. \`npm run docs\` writes it.
// biome-ignore-all lint/performance/noBarrelFile: the registry takes them as one list.
${files()
  .map((file) => `export { RECORDS as ${nameOf(file)} } from "./records/${file}";\n`)
  .join("")}`;

const HEAD = `# The programs that the guard knows

\`npm run docs\` writes this page from \`programs/records\`. It shows what is data: where a function decides, a column says "by rule".
A use that is in no column has an unknown effect. [README.md](README.md) says how to add a program.
`;

type RecordsFile = { readonly RECORDS: readonly ProgramRecord[] };

export async function programsPage(): Promise<string> {
  const sections = await Promise.all(
    files().map(async (file) => {
      const { RECORDS } = (await import(join(FOLDER, file))) as RecordsFile;
      const rows = RECORDS.map((record) => `| ${columnsOf(record).map(cell).join(" | ")} |\n`);
      return `\n## ${file.replace(/\.ts$/, "").replaceAll("-", " ")}\n\n| programs | looks | changes | consequences | blocked |\n|---|---|---|---|---|\n${rows.join("")}`;
    }),
  );
  return HEAD + sections.join("");
}

const columnsOf = (record: ProgramRecord): readonly string[] => {
  const { reads, changes } = shownOf(record);
  return [record.names, reads, changes, Object.keys(record.consequences ?? {}).join(", "), blockedOf(record)];
};

const cell = (text: string): string => text.replace(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("*", "\\*").trim();

function shownOf({ effect, looks }: ProgramRecord): { readonly reads: string; readonly changes: string } {
  if (looks !== undefined) return { reads: looks === "*" ? "always" : looks, changes: "" };
  if (effect === "reads") return { reads: "always", changes: "" };
  if (effect === undefined || effect === "unknown") return { reads: "", changes: "" };
  return isRule(effect) ? shownRule(effect) : { reads: "", changes: `always: ${effect.changes}` };
}

const isRule = (effect: Effect | EffectRule): effect is EffectRule => typeof effect === "function";

const shownRule = ({ shown }: EffectRule) =>
  shown === undefined
    ? { reads: "by rule", changes: "by rule" }
    : { reads: shown.reads ?? "", changes: shown.changes ?? "" };

const blockedOf = ({ alwaysBlocked, writes, deletes }: ProgramRecord): string =>
  [
    ...(alwaysBlocked === undefined ? [] : ["by rule"]),
    ...(writes === undefined ? [] : ["devices that it writes to"]),
    ...(deletes === undefined ? [] : ["trees that it deletes"]),
  ].join(", ");
