// Builtins that run or evaluate text, or read standard input into variables.
import { evaluated, expandedAsText, setVariable } from "../interpreter/arithmetic.ts";
import { type Output, type Program, SILENT } from "../interpreter/machine.ts";
import { eitherList, runInside } from "../interpreter/merge.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { entered, fork, type State, valuesOf } from "../interpreter/state.ts";
import { absolute } from "../paths.ts";
import { fieldsOf } from "../words/fields.ts";
import { has, optionValue, type Parsed, parseOptions } from "../words/options.ts";
import { fieldsOfLine } from "../words/splitting.ts";
import { alternatives, DEEP, hasGlob, isOpen, SOME, UNKNOWN } from "../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "./record.ts";

const runEval: Program = ([, ...args], state, machine) => {
  const words = args[0] === "--" ? args.slice(1) : args;
  const text = words.join(" ");
  if (isOpen(text)) state.bindings.sealed = false;
  return runHere(state, () => machine.runText(text, state));
};

const source: Program = ([, ...args], state, machine) => {
  const [path, ...positional] = args[0] === "--" ? args.slice(1) : args;
  if (path === undefined) return SILENT;
  const known = contentsOf(path, state).filter(
    (text) => text !== UNKNOWN || hasGlob(path) || /^\/(dev|proc)\//.test(path),
  );
  if (known.length === 0 || known.some(isOpen)) state.bindings.sealed = false;
  const held = state.frame.positional;
  if (positional.length > 0) state.frame.positional = [positional];
  const file = absolute(path, state.location.cwd[0] ?? "/");
  const output = known.flatMap((text) => runHere(state, () => machine.runFile(file, text, state)));
  state.frame.positional = held;
  return output.length === 0 ? [UNKNOWN] : output;
};

/** In this very shell, so what the text assigns stays. */
function runHere(state: State, run: () => Output): Output {
  state.frame.depth += 1;
  const output = run();
  state.frame.depth -= 1;
  return output;
}

const trap: Program = ([, ...args], state, machine) => {
  const [text] = parseOptions(args, undefined, false).operands;
  if (text === undefined || args.length < 2) return SILENT;
  // At the end everything is known that the program assigned; before it, only what is proved counts.
  machine.atEnd(text, state);
  runInside(text, state, machine.provedOnly());
  return SILENT;
};

const completion: Program = ([, ...args], state, machine) => {
  const { options } = parseOptions(args, { short: "ACFGPSWXo", long: [] });
  for (const { name, value } of options) {
    if (value === null) continue;
    if (name === "C" || name === "F") runInside(value, state, machine);
    // What the machine lists, such as names of files and branches, is taken for words.
    if (name === "W")
      expandedAsText(state.io.foreign.isSeen ? value : value.replaceAll(UNKNOWN, SOME), fork(state), machine);
  }
  return [UNKNOWN];
};

/** `test -v 'a[$(x)]'` runs x. */
const test: Program = ([, ...args], state, machine) => {
  for (const [at, arg] of args.entries()) {
    const operand = args[at + 1];
    if ((arg === "-v" || arg === "-R") && operand !== undefined) evaluated(operand, state, machine);
  }
  return SILENT;
};

/** `wait -p name` assigns, so an index of the name is evaluated. */
const wait: Program = ([, ...args], state, machine) => {
  const name = optionValue(parseOptions(args, { short: "p", long: [] }), "p");
  if (name?.includes("[") === true) evaluated(name, state, machine);
  return SILENT;
};

const calculate: Program = ([, ...args], state, machine) => {
  for (const arg of args) evaluated(arg, state, machine);
  return SILENT;
};

const sourceEffect: EffectRule = ([, ...args], state) => {
  const [path] = args[0] === "--" ? args.slice(1) : args;
  return path === undefined || path === "/dev/null" || isWritten(path, state) ? "reads" : "unknown";
};

const MAX_LINES = 16;

/** The last name takes the rest of a line. */
const read: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "adinNptu", long: [] });
  const raw = readLines(readInput(parsed, state), parsed);
  const limit = Number(optionValue(parsed, "n", "N") ?? Number.NaN);
  const cut = Number.isNaN(limit) ? raw : raw.flatMap((line) => [line, line.slice(0, limit)]);
  const lines = has(parsed, "r")
    ? cut
    : cut.flatMap((line) => (line.includes("\\") ? [line, line.replace(/\\(.)/g, "$1")] : [line]));
  const array = optionValue(parsed, "a");
  const ifs = valuesOf(state, "IFS")[0] ?? "";
  if (array !== null) {
    const fields = lines.map((line) => wordsOf(line, ifs));
    state.bindings.arrays = entered(state.bindings.arrays, array, eitherList(fields, []));
  }
  const names = parsed.operands.length === 0 ? ["REPLY"] : parsed.operands;
  const fields = lines.map((line) => fieldsOfLine(line, parsed.operands.length === 0 ? "" : ifs, names.length));
  for (const [at, name] of names.entries())
    setVariable(name, alternatives(fields.map((words) => words[at] ?? "")), state, machine);
  return SILENT;
};

/** `-u 3` reads another descriptor. */
function readInput(parsed: Parsed, state: State): readonly string[] | null {
  const fd = optionValue(parsed, "u");
  return fd === null ? state.io.stdin : contentsOf(`/dev/fd/${fd}`, state);
}

function readLines(stdin: readonly string[] | null, parsed: Parsed): readonly string[] {
  const delimiter = optionValue(parsed, "d") ?? "\n";
  const separator = delimiter === "" ? "\0" : delimiter.charAt(0);
  // The output of find is kept as lines, with any separator between its paths.
  const lines = (stdin ?? [UNKNOWN]).flatMap((text) =>
    text.replace(/\n$/, "").split(text.includes(DEEP) ? /[\0\n]/ : separator),
  );
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), UNKNOWN] : lines;
}

const wordsOf = (line: string, ifs: string): readonly string[] => fieldsOf([{ text: line, split: true }], ifs);

/** Any of the options that are given, with its value. */
const getopts: Program = ([, spec = "", name = "", ...args], state, machine) => {
  const given = (args.length > 0 ? [args] : state.frame.positional).flatMap((all) =>
    all.flatMap((word, at) => optionsIn(word, all[at + 1] ?? UNKNOWN, spec)),
  );
  if (given.length === 0) return SILENT;
  setVariable(name, alternatives(given.map(([letter]) => letter)), state, machine);
  setVariable("OPTARG", alternatives(given.map(([, value]) => value)), state, machine);
  return SILENT;
};

function optionsIn(word: string, next: string, spec: string): readonly (readonly [string, string])[] {
  if (word.startsWith(UNKNOWN)) return [[SOME, UNKNOWN]];
  if (!/^-[^-]/.test(word)) return [];
  const letters = [...word.slice(1)];
  const valued = letters.findIndex((letter) => spec.includes(`${letter}:`));
  const flags = letters.slice(0, valued < 0 ? undefined : valued).map((letter) => [letter, ""] as const);
  return valued < 0 ? flags : [...flags, [letters[valued] ?? "", letters.slice(valued + 1).join("") || next]];
}

const mapfile: Program = ([, ...args], state, machine) => {
  const parsed = parseOptions(args, { short: "CcdnOsu", long: [] });
  const callback = optionValue(parsed, "C");
  if (callback !== null) runInside(callback, state, machine);
  const skipped = Number(optionValue(parsed, "s") ?? 0) || 0;
  const name = parsed.operands[0] ?? "MAPFILE";
  setVariable(name, [""], state, machine);
  const lines = readLines(readInput(parsed, state), parsed).slice(skipped);
  state.bindings.arrays = entered(state.bindings.arrays, name, [
    has(parsed, "t") ? lines : lines.map((line) => `${line}\n`),
  ]);
  return SILENT;
};

export const EVALUATING_BUILTINS: readonly ProgramRecord[] = [
  { names: "eval", runs: runEval, effect: "reads", suspected: "anywhere", builtin: true },
  {
    names: "source .",
    runs: source,
    files: (args) => args.slice(0, args[0] === "--" ? 2 : 1).slice(-1),
    effect: sourceEffect,
    builtin: true,
  },
  { names: "trap", runs: trap, effect: "reads", builtin: true },
  { names: "compgen complete", runs: completion, effect: "reads", builtin: true },
  { names: "test [", runs: test, effect: "reads", builtin: true },
  { names: "wait", runs: wait, effect: "reads", builtin: true },
  { names: "let", runs: calculate, effect: "reads", builtin: true },
  { names: "read", runs: read, effect: "reads", builtin: true },
  { names: "getopts", runs: getopts, effect: "reads", builtin: true },
  { names: "mapfile readarray", runs: mapfile, effect: "reads", builtin: true },
];
