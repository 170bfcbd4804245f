// Follows `sed`: what it makes of known text, and what its scripts write and run.
import type { Program } from "../../interpreter/machine.ts";
import { contentsOf, isWritten, record } from "../../interpreter/redirects.ts";
import { deeper, type State } from "../../interpreter/state.ts";
import { endsOf, type PlainRegex, patternOf, plainRegex } from "../../words/glob.ts";
import { has, hasLong, optionValues, parseOptions } from "../../words/options.ts";
import { isAnything, UNKNOWN, unglobbed } from "../../words/symbols.ts";
import type { Effect, ProgramRecord } from "../record.ts";
import { byOptions, isLegible, mayBeOption, onThisMachine, strongest } from "../rules/effects.ts";
import { ended, filter, lines, patternFirst, type TextEdit } from "../rules/filters.ts";

type LineEdit = (line: string) => string;

const MAX_EDITS = 16;

/** The edits of the script in order; null for a script that does anything else. */
function sedEdits(script: string, extended: boolean): readonly LineEdit[] | null {
  const edits: LineEdit[] = [];
  let rest = script.trim();
  while (rest !== "") {
    const command = rest.charAt(0);
    const fields = (command === "s" || command === "y") && edits.length < MAX_EDITS ? fieldsOf(rest) : null;
    const edit = fields === null ? null : command === "y" ? transliterate(fields) : substitute(fields, extended);
    if (fields === null || edit === null) return null;
    edits.push(edit);
    rest = fields.rest;
  }
  return edits;
}

type FieldsOf = { readonly from: string; readonly to: string; readonly flags: string; readonly rest: string };

function fieldsOf(script: string): FieldsOf | null {
  const delimiter = script.charAt(1);
  const parts = [""];
  let at = 2;
  for (; at < script.length && parts.length < 3; at += 1) {
    const char = script.charAt(at);
    if (char === "\\" && script.charAt(at + 1) === delimiter) parts.push((parts.pop() ?? "") + delimiter);
    else if (char === "\\") parts.push(`${parts.pop() ?? ""}${char}${script.charAt(at + 1)}`);
    if (char === "\\") at += 1;
    else if (char === delimiter) parts.push("");
    else parts.push((parts.pop() ?? "") + char);
  }
  const [from, to] = parts;
  if (parts.length < 3 || from === undefined || to === undefined) return null;
  const flags = /^[a-zA-Z0-9]*/.exec(script.slice(at))?.[0] ?? "";
  const after = script.slice(at + flags.length).trimStart();
  if (after !== "" && !/^[;\n]/.test(after)) return null;
  return { from, to, flags, rest: after.slice(1).trim() };
}

function transliterate({ from, to, flags }: FieldsOf): LineEdit | null {
  if (flags !== "" || /\\/.test(from + to)) return null;
  return (line) => [...line].map((char) => to.charAt(from.indexOf(char)) || char).join("");
}

function substitute({ from, to, flags }: FieldsOf, extended: boolean): LineEdit | null {
  const regex = plainRegex(from, extended);
  if (regex === null || !/^[gpe]*$/.test(flags) || /\\[^&\\/]/.test(to)) return null;
  return (line) => replaced(line, regex, to, flags.includes("g"));
}

function replaced(line: string, { pattern, atStart, atEnd }: PlainRegex, to: string, all: boolean): string {
  if (pattern === "") return atStart ? to + line : atEnd ? line + to : line;
  const ready = patternOf(pattern);
  let result = "";
  for (let at = 0; at < line.length; ) {
    const ends = at > 0 && atStart ? [] : endsOf(ready, line, at, true);
    const end = atEnd ? ends.find((found) => found === line.length) : ends.findLast((found) => found > at);
    if (end === undefined || end === at) {
      result += line.charAt(at);
      at += 1;
      continue;
    }
    result += replacement(to, line.slice(at, end));
    if (!all) return result + line.slice(end);
    at = end;
  }
  return result;
}

/** `&` is the matched text. */
const replacement = (to: string, found: string): string =>
  to.replace(/\\([\s\S])|&/g, (_, escaped?: string) => escaped ?? found);

const MAX_LINE = 512;

const editedText: TextEdit = (text, parsed) => {
  const given = parsed.options.flatMap(({ name, value }) =>
    /^(e|expression)$/.test(name) && value !== null ? [value] : [],
  );
  const script = given.length > 0 ? given.join(";") : (parsed.operands[0] ?? "");
  if (has(parsed, "n") && script === "p") return text;
  if (has(parsed, "n")) return printedLines(text, script, has(parsed, "E", "r"));
  if (parsed.options.some(({ name }) => !/^([eErnsuz]|expression)$/.test(name))) return null;
  const edits = sedEdits(script, has(parsed, "E", "r"));
  if (edits === null || lines(text).some((line) => line.length > MAX_LINE)) return null;
  return ended(lines(text).map((line) => edits.reduce((rest, edit) => edit(rest), line)));
};

// Commands of a sed script at the start of a line, after an address, or after another command. Only the first class takes the
// end of a line, so that a run of empty lines is read once.
const RUNS = /(?:^|[;{\n\d$])[^\S\n]*e\s+(.+)/;

const RUNS_INPUT = /(?:^|[;{\n\d$/|#,])[^\S\n]*e\s*(?:$|[;}\n])/;

const WRITES = /(?:^|[;{\n\d$/|#,pg])[^\S\n]*w\s+(\S+)/;

const SUBSTITUTES = /^s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1(\w*)$/;

const SED = { short: "ef", long: ["expression", "file"] };

const MAX_LINES = 16;

/** A shell runs each line, also one that is within quotes in the whole. */
const linesApart = (text: string): string[] =>
  text.includes("\n") ? [text, ...text.split("\n").slice(0, MAX_LINES)] : [text];

/** `1e command` and the flag `e` of `s` give text to a shell, a bare `e` runs what is read, and `w` writes it to a file. */
const runSed: Program = (argv, state, machine) => {
  const inner = deeper(state);
  if (isInPlace(argv)) return editFiles(argv, state, machine);
  const output = filter(editedText, SED, patternFirst, true)(argv, state, machine);
  for (const script of scriptsOf(argv.slice(1), state)) {
    const [, command] = RUNS.exec(script) ?? [];
    if (command !== undefined) machine.provedOnly().runText(command, inner);
    const [, file] = WRITES.exec(script) ?? [];
    if (file !== undefined) record({ path: file, append: false, text: state.io.stdin ?? [UNKNOWN] }, state, machine);
    if (RUNS_INPUT.test(script))
      for (const text of [...(state.io.stdin ?? []), ...output].flatMap(linesApart)) machine.runText(text, inner);
    const [, , replacement = UNKNOWN, flags = ""] = SUBSTITUTES.exec(script) ?? [];
    if (!flags.includes("e")) continue;
    for (const text of output.flatMap(linesApart))
      machine.runText(isAnything(text) ? replacement.replace(/\\(.)/g, "$1") : text, inner);
  }
  return output;
};

const IN_PLACE = /^-[a-zA-Z]*i|^--in-place/;

const isInPlace = (argv: readonly string[]): boolean => argv.some((arg) => IN_PLACE.test(arg));

/** `sed -i` writes each file whose text is known; of another the text stays unknown. */
const editFiles: Program = (argv, state, machine) => {
  const args = argv
    .slice(1)
    .map((arg) => (/^-i|^--in-place/.test(arg) ? "-s" : arg.replace(/^(-[a-hj-zA-Z]*)i/, "$1s")));
  const parsed = parseOptions(args, SED);
  const scripts = parsed.operands.slice(0, patternFirst(parsed));
  for (const path of parsed.operands.slice(scripts.length)) {
    if (!isWritten(path, state)) continue;
    const words = [
      argv[0] ?? "",
      ...args.filter((arg) => !parsed.operands.includes(arg) || scripts.includes(arg)),
      path,
    ];
    record(
      { path, append: false, text: filter(editedText, SED, patternFirst, true)(words, state, machine) },
      state,
      machine,
    );
  }
  return [""];
};

const scriptFiles = (args: readonly string[]): readonly string[] =>
  optionValues(parseOptions(args, SED), "f", "file").flatMap((value) => value ?? []);

/** All words, for any may be the script, and the known text of script files. */
function scriptsOf(args: readonly string[], state: State): readonly string[] {
  const files = scriptFiles(args).flatMap((file) => contentsOf(file, state));
  return [...args, ...files.filter((text) => !isAnything(text))].map(unglobbed);
}

/** `sed -n 's/a/b/p'`: the lines that change. */
function printedLines(text: string, script: string, extended: boolean): string | null {
  const edits = /p$/.test(script) ? sedEdits(script, extended) : null;
  const [edit] = edits ?? [];
  if (edit === undefined || edits?.length !== 1) return null;
  return ended(lines(text).flatMap((line) => (edit(line) === line ? [] : [edit(line)])));
}

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|[+~]\d+|\$|\/(?:[^\/\\\n]|\\.)*\/[IM]*)`;

const SED_FORM = String.raw`([^\s\\])(?:\\.|(?!\1)[^\\])*\1(?:\\.|(?!\1)[^\\])*\1`;

/** One command of a sed script, with its addresses, that neither writes a file nor runs a program. */
const SED_LOOKS = new RegExp(
  String.raw`[\s;]*(?:${ADDRESS}(?:\s*,\s*${ADDRESS})?\s*!?\s*)?(?:s${SED_FORM}[gpiIMm\d]*(?=[\s;}]|$)|y${SED_FORM.replaceAll("\\1", "\\2")}|[aic]\\?[^\n]*|[rR][^\n]*|[:btT][^;}\n]*|[qQlL]\s*\d*|[{}dDgGhHnNpPxzF=#])?`,
  "sy",
);

const SED_WRITES = new RegExp(String.raw`^[wW]|^s${SED_FORM}[gpiIMm\d]*w`, "s");

function sedScript(script: string): Effect {
  let at = 0;
  while (at < script.length) {
    SED_LOOKS.lastIndex = at;
    const length = SED_LOOKS.exec(script)?.[0].length ?? 0;
    if (length === 0) return SED_WRITES.test(script.slice(at)) ? { changes: "writes files" } : "unknown";
    at += length;
  }
  return "reads";
}

const sedEffect = byOptions("e f l expression file line-length", (parsed) => {
  if (has(parsed, "i", "I") || hasLong(parsed, "in-place", 2)) return { changes: "writes files" };
  if (has(parsed, "f", "file") || parsed.operands.some(mayBeOption)) return "unknown";
  const given = parsed.options.flatMap(({ name, value }) => (/^e(xpression)?$/.test(name) ? [value ?? ""] : []));
  const scripts = given.length > 0 ? given : parsed.operands.slice(0, 1);
  const effects = scripts.map((script) => (isLegible(script) ? sedScript(script) : "unknown"));
  return strongest(effects);
});

const SED_TARGETS: NonNullable<ProgramRecord["writes"]> = [
  { words: /(?:^|[;{}$\d/|,!\s])[wW]\s*(\/dev\/[\w/.-]+)/ },
  { when: /(?:^|\s)(?:-\w*i|--in-place)/, operands: "all" },
];

export const RECORDS: readonly ProgramRecord[] = onThisMachine([
  {
    names: "sed",
    runs: runSed,
    effect: sedEffect,
    files: scriptFiles,
    paths: { operands: "rest", valued: "E" },
    speaks: true,
    writes: SED_TARGETS,
    writtenAfter: /\bw\s.*/g,
  },
  {
    names: "gsed",
    runs: runSed,
    effect: sedEffect,
    files: scriptFiles,
    paths: { operands: "rest", valued: "E" },
    writes: SED_TARGETS,
    writtenAfter: /\bw\s.*/g,
  },
]);
