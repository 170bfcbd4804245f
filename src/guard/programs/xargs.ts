// Says what `xargs` and `parallel` make of their input, and judges the commands that they run with it.
import type { Program } from "../interpreter/machine.ts";
import { contentsOf } from "../interpreter/redirects.ts";
import { deeper, fork } from "../interpreter/state.ts";
import { decodeFormat } from "../words/escapes.ts";
import { has, type OptionTable, optionValue, parseOptions } from "../words/options.ts";
import { DEEP, hasGlob, isUnknown, quoted } from "../words/symbols.ts";
import type { ProgramRecord } from "./record.ts";

const TABLE: OptionTable = {
  short: "adEILnPs",
  long: ["arg-file", "delimiter", "replace", "max-lines", "max-args", "max-procs", "max-chars"],
};

const xargs: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, TABLE, false);
  const command = parsed.operands.length === 0 ? ["echo"] : parsed.operands;
  const mark = optionValue(parsed, "I", "replace") ?? (has(parsed, "i", "replace") ? "{}" : null);
  const file = optionValue(parsed, "a", "arg-file");
  const texts = file === null ? (state.io.stdin ?? [""]) : contentsOf(file, state);
  const io = { stdin: file === null ? null : state.io.stdin };
  // The output of find is kept as lines, with any separator between its paths.
  const separator = has(parsed, "0", "null")
    ? texts.some((text) => hasGlob(text) || isUnknown(text))
      ? /[\0\n]/
      : "\0"
    : separatorOf(optionValue(parsed, "d", "delimiter"), mark !== null);
  const named = has(parsed, "0", "null", "d", "delimiter");
  // Without input the command runs once, but for -r; what is not known may be no input.
  if (mark === null && !has(parsed, "r", "no-run-if-empty")) machine.provedOnly().runArgv(command, fork(state, { io }));
  return texts.flatMap((text) => {
    const items = separator === null ? quotedWords(text) : itemsOf(text, separator, named && !text.includes(DEEP));
    // Which of the files that match a pattern comes first is not known.
    const each = has(parsed, "n", "max-args", "L", "max-lines") || items.some(hasGlob);
    const lines =
      mark === null
        ? [[...command, ...items], ...(each ? items.map((item) => [...command, item]) : [])]
        : items.map((item) => command.map((word) => word.replaceAll(mark, () => item)));
    return lines.flatMap((argv) => machine.runArgv(argv, fork(state, { io })));
  });
};

/** Between separators that the call names, an item may be blank or empty; no line is. */
function itemsOf(text: string, separator: RegExp | string, named: boolean): readonly string[] {
  const items = text.split(separator);
  return named ? items.slice(0, items.at(-1) === "" ? -1 : undefined) : items.filter((item) => item.trim() !== "");
}

/** Null: words as xargs reads them, where quotes and backslashes keep blanks. */
function separatorOf(delimiter: string | null, lines: boolean): RegExp | string | null {
  if (delimiter === null) return lines ? "\n" : null;
  const char = decodeFormat(delimiter).charAt(0);
  return char === "\0" ? /[\0\n]/ : char;
}

const quotedWords = (text: string): readonly string[] =>
  [...text.matchAll(/(?:"[^"]*"|'[^']*'|\\[\s\S]|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'|\\([\s\S])/g, (_, double, single, escaped) => double ?? single ?? escaped),
  );

const parallel: Program = ([, ...args], state, machine) => {
  const { operands } = parseOptions(args, { short: "jnNISa", long: ["jobs", "max-procs", "colsep", "joblog"] }, false);
  const at = operands.findIndex((word) => word.startsWith(":::"));
  const command = at < 0 ? operands : operands.slice(0, at);
  const items = at < 0 ? (state.io.stdin ?? [""]).flatMap((text) => text.split("\n")) : operands.slice(at + 1);
  const text = command.join(" ");
  return items
    .filter((item) => item !== "")
    .flatMap((item) => {
      return machine.runText(text === "" ? item : parallelLine(text, item), deeper(state));
    });
};

/** It quotes what it puts in, which within quotes of the text may end them. */
function parallelLine(text: string, item: string): string {
  if (!text.includes("{}")) return `${text} ${quoted(item)}`;
  return text.replaceAll("{}", () => (/["']/.test(text) ? item : quoted(item)));
}

export const XARGS: readonly ProgramRecord[] = [
  { names: "xargs", runs: xargs, effect: "reads", suspected: "anywhere" },
  { names: "parallel", runs: parallel, effect: "reads" },
];
