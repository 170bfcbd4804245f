// Filters that pick from text or edit it: over known text their output is known, over any other it is not.
import { endsOf, patternOf } from "./glob.ts";
import type { Program } from "./machine.ts";
import { has, type OptionTable, optionValue, type Parsed, parseOptions } from "./options.ts";
import { contentsOf, inputOf, record } from "./redirects.ts";
import { type PlainRegex, plainRegex } from "./regex.ts";
import { sedEdits } from "./sed.ts";
import { fork, type State } from "./state.ts";
import { hasGlob, isOpen, SOME, scrub, UNKNOWN, unglobbed } from "./symbols.ts";

/** What comes out of one text; null when it cannot be told. `operands` are those that are no files. */
type Edit = (text: string, parsed: Parsed) => string | null;

/** `own`: how many operands come before the files. `keeps`: file names that are not known pass as they are. */
function filter(edit: Edit, table: OptionTable, own: (parsed: Parsed) => number = () => 0, keeps = false): Program {
  return ([, ...args], state, machine) => {
    const parsed = parseOptions(args.map(unglobbed), table);
    return inputOf(parsed.operands.slice(own(parsed)), state).map((text) => {
      machine.tick(text.length / 64);
      if (isOpen(text) || (hasGlob(text) && !keeps)) return UNKNOWN;
      const edited = edit(text, parsed);
      return edited === null ? UNKNOWN : hasGlob(text) ? edited : scrub(edited);
    });
  };
}

/** Lines without their ends. */
function lines(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

const ended = (all: readonly string[]): string => all.map((line) => `${line}\n`).join("");

const numberIn = (text: string | null, fallback: number): number | null => {
  if (text === null) return fallback;
  return /^[-+]?\d{1,6}$/.test(text) ? Number(text) : null;
};

/** `head -1` is an old spelling of `head -n 1`. */
function count(parsed: Parsed): string | null {
  const digits = parsed.options.filter(({ name }) => /^\d$/.test(name)).map(({ name }) => name);
  return digits.length > 0 ? digits.join("") : optionValue(parsed, "n", "lines");
}

const sameText: Edit = (text) => text;

const head: Edit = (text, parsed) => {
  const bytes = optionValue(parsed, "c", "bytes");
  const n = numberIn(bytes ?? count(parsed), 10);
  if (n === null) return null;
  if (bytes !== null) return text.slice(0, n < 0 ? text.length + n : n);
  return ended(lines(text).slice(0, n));
};

const tail: Edit = (text, parsed) => {
  const bytes = optionValue(parsed, "c", "bytes");
  const given = bytes ?? count(parsed);
  const n = numberIn(given, 10);
  if (n === null) return null;
  const from = given?.startsWith("+") === true ? n - 1 : n === 0 ? Number.MAX_SAFE_INTEGER : -Math.abs(n);
  return bytes === null ? ended(lines(text).slice(from)) : text.slice(from);
};

/** `1,3-5,7-`: whether place n (from 1) is picked; null for a list that is not one. */
function picked(list: string): ((n: number) => boolean) | null {
  const ranges = list.split(",").map((range) => /^(\d{0,5})(-?)(\d{0,5})$/.exec(range));
  if (ranges.some((range) => range === null || range[0] === "")) return null;
  const bounds = ranges.map((range) => {
    const [, first = "", dash, last = ""] = range ?? [];
    return [Number(first || 1), dash === "" ? Number(first) : Number(last || Number.MAX_SAFE_INTEGER)] as const;
  });
  return (n) => bounds.some(([first, last]) => n >= first && n <= last);
}

const cut: Edit = (text, parsed) => {
  const characters = optionValue(parsed, "c", "b", "characters", "bytes");
  const pick = picked(characters ?? optionValue(parsed, "f", "fields") ?? "");
  if (pick === null || has(parsed, "complement")) return null;
  const between = optionValue(parsed, "d", "delimiter") ?? "\t";
  const glue = characters === null ? (optionValue(parsed, "output-delimiter") ?? between) : "";
  const edited = lines(text).map((line) => {
    const parts = characters === null ? line.split(between) : [...line];
    const whole = characters === null && parts.length === 1;
    return whole ? line : parts.filter((_, at) => pick(at + 1)).join(glue);
  });
  return ended(edited);
};

const sort: Edit = (text, parsed) => {
  if (parsed.options.some(({ name }) => !/^[ru]$/.test(name))) return null;
  const sorted = lines(text).toSorted();
  return ended([...new Set(has(parsed, "r") ? sorted.reverse() : sorted)]);
};

const uniq: Edit = (text, parsed) =>
  parsed.options.length > 0 ? null : ended(lines(text).filter((line, at, all) => line !== all[at - 1]));

const paste: Edit = (text, parsed) =>
  has(parsed, "s") ? `${lines(text).join(optionValue(parsed, "d", "delimiters") ?? "\t")}\n` : null;

const MAX_LINE = 512;

function isMatch({ pattern, atStart, atEnd }: PlainRegex, line: string): boolean {
  const ready = patternOf(pattern);
  for (let from = 0; from <= (atStart ? 0 : line.length); from += 1) {
    const ends = endsOf(ready, line, from, true);
    if (atEnd ? ends.at(-1) === line.length : ends.length > 0) return true;
  }
  return false;
}

const grep: Edit = (text, parsed) => {
  const source = optionValue(parsed, "e", "regexp") ?? parsed.operands[0] ?? "";
  const fixed = has(parsed, "F", "fixed-strings");
  const regex = fixed ? { pattern: source, atStart: false, atEnd: false } : plainRegex(source, has(parsed, "E"));
  const plain = parsed.options.every(({ name }) => /^[eEFvahs]$/.test(name));
  if (hasGlob(text)) return text;
  if (regex === null || !plain || lines(text).some((line) => line.length > MAX_LINE)) return null;
  return ended(lines(text).filter((line) => isMatch(regex, line) !== has(parsed, "v")));
};

const sed: Edit = (text, parsed) => {
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

// Commands of a sed script at the start of a line, behind an address, or behind another command.
const RUNS = /(?:^|[;{\n\d$])\s*e\s+(.+)/;
const RUNS_INPUT = /(?:^|[;{\n\d$/|#,])\s*e\s*(?:$|[;}\n])/;
const WRITES = /(?:^|[;{\n\d$/|#,pg])\s*w\s+(\S+)/;
const SUBSTITUTES = /^s([^\w\s\\])(?:\\.|(?!\1)[^\\])*\1((?:\\.|(?!\1)[^\\])*)\1(\w*)$/;
const SED = { short: "ef", long: ["expression", "file"] };

/** `1e command` and the flag `e` of `s` give text to a shell, a bare `e` runs what is read, and `w` writes it to a file. */
const sedRuns: Program = (argv, state, machine) => {
  const inner = fork(state, { depth: state.depth + 1 });
  const output = filter(sed, SED, patternFirst, true)(argv, state, machine);
  for (const script of scriptsOf(argv.slice(1), state)) {
    const [, command] = RUNS.exec(script) ?? [];
    if (command !== undefined) machine.provedOnly().runText(command, inner);
    const [, file] = WRITES.exec(script) ?? [];
    if (file !== undefined) record(file, false, state.stdin ?? [UNKNOWN], state);
    if (RUNS_INPUT.test(script)) for (const text of [...(state.stdin ?? []), ...output]) machine.runText(text, inner);
    const [, , replacement = UNKNOWN, flags = ""] = SUBSTITUTES.exec(script) ?? [];
    if (!flags.includes("e")) continue;
    for (const text of output) machine.runText(text === UNKNOWN ? replacement.replace(/\\(.)/g, "$1") : text, inner);
  }
  return output;
};

/** All words, for any may be the script, and the known text of script files. */
function scriptsOf(args: readonly string[], state: State): readonly string[] {
  const files = parseOptions(args, SED).options.flatMap(({ name, value }) =>
    (name === "f" || name === "file") && value !== null ? contentsOf(value, state) : [],
  );
  return [...args, ...files.filter((text) => text !== UNKNOWN)].map(unglobbed);
}

/** `grep -c` prints a number, whatever it reads. */
const grepProgram: Program = (argv, state, machine) =>
  argv.slice(1).some((arg) => /^-\w*c\w*$|^--count$/.test(arg))
    ? [SOME]
    : filter(grep, values("efmABC", "regexp"), patternFirst, true)(argv, state, machine);

/** `sed -n 's/a/b/p'`: the lines that change. */
function printedLines(text: string, script: string, extended: boolean): string | null {
  const edits = /p$/.test(script) ? sedEdits(script, extended) : null;
  const [edit] = edits ?? [];
  if (edit === undefined || edits?.length !== 1) return null;
  return ended(lines(text).flatMap((line) => (edit(line) === line ? [] : [edit(line)])));
}

const patternFirst = (parsed: Parsed): number => (has(parsed, "e", "regexp", "expression", "f") ? 0 : 1);
const values = (short: string, long = ""): OptionTable => ({ short, long: long.split(" ") });

export const FILTERS: readonly (readonly [string, Program])[] = [
  ["head", filter(head, values("nc", "lines bytes"), undefined, true)],
  ["tail", filter(tail, values("ncs", "lines bytes pid"), undefined, true)],
  ["cut", filter(cut, values("bcdf", "bytes characters fields delimiter output-delimiter"))],
  ["sort", filter(sort, values("kotS", "key output"), undefined, true)],
  // Packing is undone by its counterpart, so the text is carried on as it is.
  ...[
    "fold",
    "fmt",
    "gzip",
    "gunzip",
    "zcat",
    "bzip2",
    "bunzip2",
    "bzcat",
    "xz",
    "unxz",
    "xzcat",
    "zstd",
    "zstdcat",
  ].map((name) => [name, filter(sameText, values("wS"), undefined, true)] as const),
  ["uniq", filter(uniq, values("fsw"))],
  ["tac", filter((text) => ended(lines(text).toReversed()), values("s"))],
  ["paste", filter(paste, values("d", "delimiters"))],
  ...["grep", "egrep", "fgrep"].map((name) => [name, grepProgram] as const),
  ["sed", sedRuns],
  ["gsed", sedRuns],
];
