// Follows `awk`: what a one-line program prints over known text, and what it writes and runs.
import type { Program } from "../../interpreter/machine.ts";
import { contentsOf, inputOf } from "../../interpreter/redirects.ts";
import type { State } from "../../interpreter/state.ts";
import { decodeLiteral } from "../../words/escapes.ts";
import { has, optionValue, optionValues, parseOptions, words } from "../../words/options.ts";
import { alternatives, isOpen, UNKNOWN } from "../../words/symbols.ts";
import type { Effect, EffectRule, ProgramRecord } from "../record.ts";
import { type CodeSource, codeProgram, type LoadRule, namesOf, under } from "../rules/code.ts";
import type { CodeDialect } from "../rules/code-calls.ts";
import { isLegible, onThisMachine } from "../rules/effects.ts";

const AWK: CodeDialect = {
  calls: /^system$/,
  // `system("[ -e /lib/" $1 " ]")`.
  looks: /\bsystem\s*\(\s*"(?:\[|test)\s[^"\\;|&`$()<>]*"(?:\s*\$\w+\s*"[^"\\;|&`$()<>]*")*\s*\)/g,
  always: /\|\s*(?!getline)[A-Za-z_$]\w*\s*(?:[;}\n]|$)|(?:^|[{;(]\s*)[A-Za-z_]\w*\s*\|\s*getline/,
};

/** `@include "x.awk"`. */
const awkLoads: LoadRule = (code, { here, cwd }) =>
  namesOf(code, /^\s*@(?:include|load)\s+"([^"\n]+)"/gm, (name) =>
    name.startsWith("/") ? [name] : under([cwd, here], [name, `${name}.awk`]),
  );

const SAME = /^\s*(1|\{\s*print\s*(\$0)?\s*;?\s*\})\s*$/;

const PROGRAM = /^\s*(BEGIN|END)?\s*\{\s*print\b([^;{}]*);?\s*\}\s*$/;

const ITEM = /^\s*(?:\$(\d{1,3}|NF)|"((?:[^"\\]|\\.)*)")\s*(,?)/;

type AwkItem = { readonly text: (fields: readonly string[], line: string) => string; readonly after: string };

function awkOutput(args: readonly string[], state: State): readonly string[] {
  const parsed = parseOptions(args, { short: "Ffv", long: [] }, false);
  const [program = "", ...files] = parsed.operands;
  if (SAME.test(program)) return inputOf(files, state);
  const [, when, list = ""] = PROGRAM.exec(program) ?? [];
  const items = PROGRAM.test(program) ? itemsOf(list) : null;
  if (items === null) return [UNKNOWN];
  if (when !== undefined) return [printed(items, [], "")];
  const separator = optionValue(parsed, "F");
  if (separator !== null && !/^[^\\[\].*+?^$(){}|]{1,8}$/.test(separator)) return [UNKNOWN];
  return alternatives(
    inputOf(files, state).map((text) => {
      if (isOpen(text)) return UNKNOWN;
      const lines = text.replace(/\n$/, "").split("\n");
      return lines
        .map((line) => printed(items, separator === null ? line.trim().split(/\s+/) : line.split(separator), line))
        .join("");
    }),
  );
}

function itemsOf(list: string): readonly AwkItem[] | null {
  const items: AwkItem[] = [];
  let rest = list;
  while (rest.trim() !== "") {
    const match = ITEM.exec(rest);
    if (match === null) return null;
    const [whole, field, literal, comma] = match;
    rest = rest.slice(whole.length);
    const after = comma === "," ? " " : "";
    if (literal !== undefined) items.push({ text: () => decodeLiteral(literal), after });
    else if (field === "NF") items.push({ text: (fields) => fields.at(-1) ?? "", after });
    else items.push({ text: (fields, line) => (field === "0" ? line : (fields[Number(field) - 1] ?? "")), after });
  }
  return items.length === 0 ? [{ text: (_, line) => line, after: "" }] : items;
}

const printed = (items: readonly AwkItem[], fields: readonly string[], line: string): string =>
  `${items.map(({ text, after }) => text(fields, line) + after).join("")}\n`;

/** Variables of `-v` stand before the program, and the fields of a known line in it. */
function awkSource(args: readonly string[], state: State): CodeSource {
  const assigned: string[] = [];
  let file: string | undefined;
  let codes: readonly string[] | null = null;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    const [, option = "", attached = ""] = /^-([vfF])(.*)$/s.exec(arg) ?? [];
    const value = attached === "" && option !== "" ? (args[++at] ?? "") : attached;
    if (option === "v")
      assigned.push(value.replace(/^(\w+)=([\s\S]*)$/, (_, name, text) => `${name}=${JSON.stringify(text)};`));
    else if (option === "f") {
      codes = [...(codes ?? []), ...contentsOf(value, state)];
      file ??= value;
    } else if (option === "" && !arg.startsWith("-")) codes ??= [arg];
  }
  const lines = (state.io.stdin ?? [])
    .map((text) => text.replace(/\n$/, ""))
    .filter((text) => !/\n/.test(text) && !isOpen(text));
  const withFields = (code: string) =>
    lines.map((line) =>
      code.replace(/\$(\d)/g, (_, n: string) =>
        JSON.stringify(n === "0" ? line : (line.trim().split(/\s+/)[Number(n) - 1] ?? "")),
      ),
    );
  const programs = (codes ?? []).flatMap((code) =>
    lines.length > 0 && /system|\|/.test(code) ? withFields(code) : [code],
  );
  return { codes: programs.map((code) => `${assigned.join("\n")}\n${code}`), args: [], file };
}

/** Strings, regular expressions and comments of an awk program. */
const AWK_LITERAL = /"(?:[^"\\]|\\.)*"|(?<=(?:^|[({,;!~&|?:\n}])\s*)\/(?:[^/\\\n]|\\.)*\/|#.*/g;

const MAX_PARENTHESES = 8;

const INNERMOST = /\([^()]*\)/g;

/** Runs a program, pipes into one, or prints into a file. */
function awkProgram(program: string): Effect {
  if (!isLegible(program) || /\bsystem\s*\(|\|&?\s*getline|@(load|include)|\|&/.test(program)) return "unknown";
  let bare = program.replace(/>+\s*"\/dev\/std(err|out)"/g, "").replace(AWK_LITERAL, '""');
  for (let depth = 0; depth < MAX_PARENTHESES; depth += 1) bare = bare.replace(INNERMOST, " ");
  if (/\bprintf?\b[^;}\n]*>/.test(bare)) return { changes: "writes files" };
  return /\bprintf?\b[^;}\n|]*\|(?!\|)/.test(bare) ? "unknown" : "reads";
}

const AWK_OPTIONS = { short: "FvfeilEo", long: words("field-separator assign source file exec include load") };

const programFiles = (args: readonly string[]): readonly string[] =>
  optionValues(parseOptions(args, AWK_OPTIONS, false), "f", "file", "E", "exec", "i", "include").flatMap(
    (value) => value ?? [],
  );

const awkEffect: EffectRule = ([, ...args]) => {
  const parsed = parseOptions(args, AWK_OPTIONS, false);
  if (parsed.options.some(({ name, value }) => name === "i" && value === "inplace")) return { changes: "writes files" };
  if (has(parsed, "f", "file", "i", "include", "l", "load", "E", "exec")) return "unknown";
  if (has(parsed, "o", "pretty-print", "dump-variables", "d")) return { changes: "writes files" };
  const given = parsed.options.find(({ name }) => name === "e" || name === "source")?.value;
  return awkProgram(given ?? parsed.operands[0] ?? "");
};

const runCode = codeProgram({
  code: /^(-e|--source)$/,
  dialect: AWK,
  source: awkSource,
  isFilter: true,
  loads: awkLoads,
});

/** The code is judged as that of any other language; what it prints is followed. */
const runAwk: Program = (argv, state, machine) => {
  runCode(argv, state, machine);
  return awkOutput(argv.slice(1), state);
};

export const RECORDS: readonly ProgramRecord[] = onThisMachine([
  { names: "awk", runs: runAwk, effect: awkEffect, code: /[{(]/, files: programFiles, speaks: true, script: true },
  { names: "gawk mawk nawk", runs: runAwk, effect: awkEffect, code: /[{(]/, files: programFiles },
]);
