// Finds the words of a command line that a row of a record means, and compares all of them with a form.
import { optionTable, optionValues, type Parsed, parseOptions, words } from "../../words/options.ts";
import type { Rows, Selection } from "../record.ts";

export const ANY = /./;
export const PATH = /\/|^\.$/;
export const PATH_OR_NAME = /[./]/;

/** Words with which a program that destroys only says what it would do, or who it is. */
export const DRY = /(?:^|\s)(?:-\w*n\w*|--test|-t|--dry-run|--dryrun|--help|-h|--version|-V)(?=\s|$)/;

export const ASKS_HELP = /(?:^|\s)(?:--help|-h|--version|-V)(?=\s|$)/;

export const ONLY_LOOKS = /(?:^|\s)(?:--help|-h|--version|-V|--dry-run)(?=\s|$)/;

const isList = <Row>(rows: Row | readonly Row[]): rows is readonly Row[] => Array.isArray(rows);

/** `of` makes the only row of its options. */
export function rowsIn<Row extends object>(rows: Rows<Row> = [], of: (options: string) => Row): readonly Row[] {
  if (typeof rows === "string") return [of(rows)];
  return isList(rows) ? rows : [rows];
}

/** The row of which a text says all. */
export const onlyOptions = (options: string): Selection => ({ options });

/** A text are the options. */
export const selectionOf = <Row extends Selection>(row: Row | string): Row | Selection =>
  typeof row === "string" ? { options: row } : row;

/** Whether the row is for these words at all. */
export function isMeant(args: readonly string[], { when, unless }: Selection): boolean {
  if (when === undefined && unless === undefined) return true;
  const text = args.join(" ");
  return when?.test(text) !== false && unless?.test(text) !== true;
}

export const parsedBy = (args: readonly string[], { options = "", valued = "", stops }: Selection): Parsed =>
  parseOptions(args, optionTable(`${options} ${valued}`), stops !== true);

/** The values of options, then operands, then parts of words. Empty where the verb is another. */
export function selected(args: readonly string[], row: Selection): readonly string[] {
  const parsed = parsedBy(args, row);
  if (row.verb !== undefined && !row.verb.test(parsed.operands[0] ?? "")) return [];
  const values = optionValues(parsed, ...words(row.options ?? "")).flatMap((value) => (value === null ? [] : [value]));
  const parts = row.words === undefined ? [] : args.flatMap((arg) => row.words?.exec(arg)?.[1] ?? []);
  return [...values, ...operandsOf(parsed, row), ...parts];
}

/** The operands that the row means. */
export function operandsOf({ operands }: Parsed, { verb, skip = 0, operands: which }: Selection): readonly string[] {
  const all = operands.slice(verb === undefined ? skip : 1);
  if (which === undefined) return [];
  if (which instanceof RegExp) return all.filter((word) => which.test(word));
  return { all, first: all.slice(0, 1), second: all.slice(1, 2), last: all.slice(-1), rest: all.slice(1) }[which];
}

export type Args = readonly string[];

/** A form of command lines that print nothing but numbers. Each is spelled out whole: an option more may print text. */
type Form = {
  /** Options without a value. */
  readonly flags?: RegExp;
  /** Options with a value, and the form of it. */
  readonly valued?: Readonly<Record<string, RegExp>>;
  /** Of all other words. */
  readonly operands: RegExp;
};

export const OPERAND = /^(?!-)/;

/** Whether each word is of the form, with one of `needed` among the options. `--name=value` and `--name value` are one. */
export function fits(args: Args, { flags, valued = {}, operands }: Form, needed: readonly string[] = []): boolean {
  const left = new Set(needed);
  for (let at = 0; at < args.length; at += 1) {
    const [, name = "", given] = /^(--?[A-Za-z-]+)(?:=(.*))?$/s.exec(args[at] ?? "") ?? [];
    const form = Object.hasOwn(valued, name) ? valued[name] : undefined;
    left.delete(name);
    if (form !== undefined) {
      if (given === undefined) at += 1;
      if (!form.test(given ?? args[at] ?? "")) return false;
    } else if (name === "" ? !operands.test(args[at] ?? "") : flags?.test(args[at] ?? "") !== true) return false;
  }
  return needed.length === 0 || left.size < needed.length;
}
