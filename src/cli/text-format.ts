// Formats text for several commands: coloured statuses, durations, blocks of named lines, JSON, and words broken into
// lines.
import stringify from "json-stringify-pretty-compact";
import stringWidth from "string-width";
import wrap from "wrap-ansi";
import type { TaskView } from "../api/operations/shapes/task-view.ts";
import { tagOf } from "../domain/contract.ts";
import type { HeldBy } from "../domain/hold.ts";
import type { Json } from "../domain/json.ts";
import { inJson, printable, printableLines } from "../domain/printable.ts";
import { subjectOfThread } from "../domain/thread-id.ts";
import type { Out, Paint, Style } from "./out.ts";

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["ok", "green"],
  ["passed", "green"],
  ["approved", "green"],
  ["active", "green"],
  ["works", "green"],
  ["alive", "green"],
  ["draining", "yellow"],
  ["lost", "red"],
  ["allow", "green"],
  ["run", "green"],
  ["failed", "red"],
  ["blocked", "red"],
  ["block", "red"],
  ["broken", "red"],
  ["rejected", "red"],
  ["cancelled", "red"],
  ["need_input", "yellow"],
  ["need_approval", "yellow"],
  ["pending", "yellow"],
  ["ask", "yellow"],
  ["ask_model", "yellow"],
  ["candidate", "yellow"],
  ["falls_back", "yellow"],
  ["outcome_unknown", "yellow"],
  ["running", "cyan"],
  ["met", "green"],
  ["missed", "red"],
  ["unproven", "yellow"],
]);

/** `word` in the colour of `state`. Without `word` it is the state itself. */
export const painted = (paint: Paint, state: string, word = state): string => {
  const style = STYLES.get(state);
  return style === undefined ? printable(word) : paint(style, word);
};

type ApprovalSubject = { readonly kind: string; readonly thread_id: string };

/** The subject of an approval: a task, or the SOP of a promotion. */
export function subjectOf({ kind, thread_id }: ApprovalSubject): string {
  const subject = subjectOfThread(thread_id);
  return `${kind} of ${subject.kind === "promotion" ? `SOP ${subject.sop_id}` : subject.task_id}`;
}

const UNITS = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "m"],
] as const;

/** The time since `at`, in its largest unit: `3m`. */
export function age(at: string, now: Date): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - Date.parse(at)) / 1000));
  for (const [size, unit] of UNITS) if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`;
  return `${seconds}s`;
}

/** What holds a job up, since when, and how often the engine was asked. */
export const waitText = ({ message, since, tries }: NonNullable<TaskView["waits_for"]>): string =>
  `${message}; since ${since}, asked ${tries} times`;

/** Where a task runs; null for any server. */
export function placeText(backend: string, runs_on: readonly string[] | null): string | null {
  if (backend !== "local") return runs_on === null ? "the flow engine" : `the flow engine, tag ${tagOf(runs_on)}`;
  return runs_on === null ? null : `servers with ${runs_on.join(", ")}`;
}

const NARROWEST = 20;

/** Lines of prose, four columns from the left, broken between words at the width of the terminal. */
export const indented = (text: string, width: number | null): string[] =>
  printableLines(text)
    .flatMap((line) => (width === null ? [line] : wrapped(line, Math.max(NARROWEST, width - 4))))
    .map((line) => `    ${line}`);

/** The line above a record: its id and what else is said of it, broken between words; the id stays whole. */
export function heading(parts: readonly string[], width: number | null): string[] {
  const line = parts.join("  ");
  if (width === null || stringWidth(line) <= width) return [line];
  const room = Math.max(NARROWEST, width - 4);
  const [first = "", ...more] = wrapped(line, room, stringWidth(parts[0] ?? "") <= room);
  return [first, ...more.map((part) => `    ${part}`)];
}

export type Named = readonly [name: string, value: string | null | undefined];

/**
 * Names in one column, values in the other. Leaves out null values; indents the further lines of a value. Prose is broken between
 * words at the width of the terminal; an indented line, such as a command to paste, is not.
 */
export function block({ paint, width: columns }: Pick<Out, "paint" | "width">, entries: readonly Named[]): string[] {
  const shown = entries.flatMap(([name, value]) => (value === null || value === undefined ? [] : [{ name, value }]));
  const width = Math.max(0, ...shown.map(({ name }) => name.length));
  return shown.flatMap(({ name, value }) => {
    const room = columns === null ? null : Math.max(NARROWEST, columns - width - 4);
    const fit = (line: string) => (room === null || line.startsWith(" ") ? [line] : wrapped(line, room));
    const [first = "", ...more] = printableLines(value).flatMap(fit);
    const margin = " ".repeat(width + 4);
    return [`  ${paint("dim", name.padEnd(width))}  ${first}`, ...more.map((line) => `${margin}${line}`)];
  });
}

// Breaks text between words: prose and help for the terminal, and command lines so that they can still be pasted.

/** A word that is longer than the line stays whole, unless `hard`; no blank begins a further line or ends one. */
export const wrapped = (line: string, width: number, hard = false): string[] =>
  wrap(line, width, { hard, trim: false })
    .split("\n")
    .map((part, at) => (at === 0 ? part : part.trimStart()).trimEnd());

/** A command over several lines, each but the last ending in a backslash; what is in quotes stays whole. */
export function wrappedCommand(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  const lines: string[] = [];
  let open = indent;
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? [];
  for (const [at, word] of words.entries()) {
    const end = at === words.length - 1 ? "" : " \\";
    if (open.trim() !== "" && stringWidth(open + word + end) > width) {
      lines.push(`${open}\\`);
      open = `${indent}  `;
    }
    open += `${word} `;
  }
  return [...lines, open.trimEnd()];
}

const FURTHER = 4;

/** A help text for the terminal: the second column stays a column where it has room, and examples can still be pasted. */
export const fitHelp = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => {
      if (stringWidth(line) <= width) return [line];
      return /^ +orch (?!.* {2})/.test(line) ? wrappedCommand(line, width) : fitLine(line, width);
    })
    .join("\n");

function fitLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const column = /^ *\S.*? {2,}(?=\S)/.exec(line)?.[0].length ?? 0;
  const isColumn = column > 0 && width - column >= NARROWEST;
  const begin = isColumn ? column : indent;
  const margin = isColumn || indent === 0 ? begin : indent + FURTHER;
  const [first = "", ...more] = wrapped(line.slice(begin), width - margin, true);
  return [line.slice(0, begin) + first, ...more.map((part) => " ".repeat(margin) + part)];
}

/** A value that fits on one line takes one line. */
export const compactJson = (value: Json): string => inJson(stringify(value, { maxLength: 100 }));

/** Writes one line for each hold that is in force. */
export const inForceLines = (
  in_force: readonly HeldBy[],
  { paint, program }: Pick<Out, "paint" | "program">,
): string[] =>
  in_force.map(({ freeze_id, reason, until }) => {
    const by = freeze_id === null ? "a window of ORCH_FREEZE_WINDOWS" : freeze_id;
    const end = until === null ? `until: ${program} thaw ${freeze_id ?? "ID"}` : `until ${until}`;
    return `${paint("yellow", "FROZEN")}  ${printable(`by ${by}, ${end}`)}  ${printable(reason)}`;
  });
