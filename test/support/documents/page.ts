// A page of the documents as its reader uses it: its fenced blocks in order, each with what is to be done with it.
// CONTRIBUTING.md says how a page marks a block that is not run, and one that runs in a terminal of its own.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

export type Block = {
  /** The line of its fence in the page, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** Why it is not run; null where it is. */
  readonly not_run: string | null;
  /** It goes on while the rest of the page is run. */
  readonly stays: boolean;
};

export type Command = { readonly line: number; readonly script: string; readonly expected: string | null };
export type PageStep =
  | ({ readonly kind: "run" | "stay" } & Command)
  | { readonly kind: "write"; readonly line: number; readonly file: string; readonly text: string }
  | { readonly kind: "skip"; readonly line: number; readonly reason: string };

export const pageText = (path: string): string => readFileSync(resolve(ROOT, path), "utf8");

/** Pages that `npm run docs` writes; their blocks are made, not written. */
export const isGenerated = (text: string): boolean => text.includes("<!-- Written by `npm run docs`");

const FENCE = /^(?<marks>`{3,})(?<language>[^\s`]*)[^\n]*\n(?<text>.*?)^\k<marks>[ \t]*$/gms;
const NOT_RUN = /<!-- not run: *(?<reason>[^\n]*?) *-->\s*$/;
const STAYS = /<!-- in a terminal of its own -->\s*$/;

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(FENCE)].map(({ index, groups: { language = "", text = "" } = {} }) => {
    const before = page.slice(0, index);
    return {
      language,
      text,
      line: before.split("\n").length,
      not_run: NOT_RUN.exec(before)?.groups?.["reason"] ?? null,
      stays: STAYS.test(before),
    };
  });
}

const RUN = new Set(["sh", "console"]);

/** What the reader of the page does, in order. */
export function stepsOf(page: string): PageStep[] {
  const blocks = blocksOf(page);
  return blocks.flatMap((block, at): PageStep[] => {
    const { line, language, text, not_run, stays } = block;
    const file = /^# ([\w.-]+\.ya?ml)\b.*\n/.exec(text)?.[1];
    if (not_run !== null) return [{ kind: "skip", line, reason: not_run }];
    if (language === "yaml" && file !== undefined) return [{ kind: "write", line, file, text }];
    if (!RUN.has(language)) return [];
    if (language === "console") return commandsOf(block);
    const next = blocks[at + 1];
    const expected = next?.language === "text" && next.not_run === null ? next.text : null;
    return [{ kind: stays ? "stay" : "run", line, script: text, expected }];
  });
}

/** A block of `$ ` lines, each with what it prints. A line that begins with `> ` goes on with the command. */
function commandsOf({ line, text }: Block): PageStep[] {
  const commands: { line: number; script: string; output: string[] }[] = [];
  for (const [at, row] of text.trimEnd().split("\n").entries()) {
    const last = commands.at(-1);
    if (row.startsWith("$ ")) commands.push({ line: line + 1 + at, script: row.slice(2), output: [] });
    else if (last === undefined) throw new Error(`line ${line + 1 + at}: a console block begins with "$ "`);
    else if (row.startsWith("> ") && last.output.length === 0) last.script += `\n${row.slice(2)}`;
    else last.output.push(row);
  }
  return commands.map(({ output, ...command }) => ({
    ...command,
    kind: "run",
    expected: output.length === 0 ? null : output.join("\n"),
  }));
}
