// Commands that other people wrote, with what they say of them, and how the guard judges them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type CommandVerdict, effectOf, inspect } from "../../guard.ts";
import { CONTEXT } from "./context.ts";

const Row = z.object({ about: z.string(), command: z.string() });

export type CorpusRow = z.infer<typeof Row> & CommandVerdict;

/** Lines of about 2,500 that are no bash are left out: prompts, and placeholders with a bar in them. */
export function rowsOf(file: string): readonly CorpusRow[] {
  const lines = readFileSync(join(import.meta.dirname, "corpora", file), "utf8").split("\n");
  const rows = lines.filter((line) => line !== "").map((line) => Row.parse(JSON.parse(line)));
  const judged = rows.map((row) => ({ ...row, ...inspect(row.command, CONTEXT) }));
  return judged.filter(({ findings }) => !findings.some(({ code }) => code === "parse.error"));
}

/** What the first word of a description says of the command. Of those that only read all the same, most say what they print. */
const CHANGES =
  /^(Create|Delete|Remove|Set|Add|Start|Stop|Restart|Enable|Disable|Install|Uninstall|Update|Upgrade|Change|Rename|Move|Kill|Copy|Write|Format|Mount|Unmount|Edit|Push|Commit|Apply)\b/;

/** Commands that are said to change something, and are taken for looks. */
export const wrongReads = (rows: readonly CorpusRow[]): readonly CorpusRow[] =>
  rows.filter(({ about, command }) => CHANGES.test(about) && effectOf(command, CONTEXT).is === "reads");

const share = (part: number, whole: number): string => `${part} (${((100 * part) / whole).toFixed(2)} %)`;

/** One line for each sample. */
export const corpusLines = (): readonly string[] =>
  ["tldr.jsonl", "nl2bash.jsonl"].map((file) => {
    const rows = rowsOf(file);
    const judgedAs = (wanted: string) => share(rows.filter(({ verdict }) => verdict === wanted).length, rows.length);
    return `${file}: ${rows.length} commands, blocked ${judgedAs("block")}, asked ${judgedAs("ask")}, said to change and taken for a look ${wrongReads(rows).length}`;
  });
