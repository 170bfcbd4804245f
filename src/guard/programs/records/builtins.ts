// Follows the builtins of bash that change what the rest of the program means, that run or evaluate text or read standard input
// into variables, and those that do nothing of interest.
import { evaluated, expandedAsText, setVariable } from "../../interpreter/arithmetic.ts";
import { type Output, type Program, SILENT } from "../../interpreter/machine.ts";
import { eitherList, runInside } from "../../interpreter/merge.ts";
import { contentsOf, isWritten, textsToRun } from "../../interpreter/redirects.ts";
import {
  DEFAULT_IFS,
  entered,
  fork,
  homesOf,
  type State,
  UNSEALED,
  valuesOf,
  without,
} from "../../interpreter/state.ts";
import { absolute } from "../../paths.ts";
import { fieldsOf, fieldsOfLine } from "../../words/fields.ts";
import { has, optionValue, type Parsed, parseOptions } from "../../words/options.ts";
import {
  alternatives,
  DEEP,
  hasGlob,
  isAnything,
  isOpen,
  isUnknown,
  SOME,
  startsUnknown,
  UNKNOWN,
  unknownFrom,
} from "../../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "../record.ts";
import { onThisMachine, options } from "../rules/effects.ts";

/** Directories of CDPATH that a plain name is looked up in. */
const searched = (operand: string, { bindings: { vars } }: State): readonly string[] =>
  /^[./]/.test(operand)
    ? []
    : (vars.get("CDPATH") ?? []).flatMap((path) => path.split(":")).filter((path) => path !== "");

const changeDirectory: Program = ([name = "", ...args], state, machine) => {
  machine.tick(state.location.cwd.join("").length / 128);
  const [operand] = parseOptions(args.filter((arg) => arg !== "-")).operands;
  const previous = state.location.cwd;
  if (args.includes("-")) state.location.cwd = valuesOf(state, "OLDPWD");
  else if (operand !== undefined)
    state.location.cwd = alternatives(
      [...state.location.cwd, ...searched(operand, state)].map((cwd) => absolute(operand, cwd)),
    );
  else state.location.cwd = name === "cd" ? homesOf(state) : [UNKNOWN];
  state.bindings.vars = entered(without(state.bindings.vars, "PWD"), "OLDPWD", previous);
  return name === "pushd" ? state.location.cwd : SILENT;
};

const popDirectory: Program = (_argv, state) => {
  state.location.cwd = alternatives([...valuesOf(state, "OLDPWD"), UNKNOWN]);
  return SILENT;
};

const set: Program = ([, ...args], state) => {
  if (args.length === 0) return [UNKNOWN];
  if (args.includes("posix")) state.shell.posix = true;
  // With -a every assignment exports.
  if (args.some((arg) => /^-\w*a/.test(arg)) || args.includes("allexport")) state.bindings.inherited = null;
  // With -k the words of any command may assign.
  if (args.some((arg) => /^-\w*k/.test(arg)) || args.includes("keyword")) Object.assign(state.bindings, UNSEALED);
  const first = firstParameter(args);
  if (first === null) return SILENT;
  const dashes = args.indexOf("--", first);
  // What is not known may be options, or nothing.
  const maybe = dashes >= 0 && isOpen(args[first] ?? "") ? [args.slice(dashes + 1)] : [];
  state.frame.positional = [args.slice(first), ...maybe];
  return SILENT;
};

/** `set x --`: a word that is no option ends them, as `--` does. Null: the parameters stay as they are. */
function firstParameter(args: readonly string[]): number | null {
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return at + 1;
    if (arg === "-") return at + 1 < args.length ? at + 1 : null;
    if (!/^[-+]./.test(arg)) return at;
    if (/^[-+]\w*o$/.test(arg)) at += 1;
  }
  return null;
}

const shift: Program = ([, count = "1"], state) => {
  state.frame.positional = state.frame.positional.map((words) =>
    words.slice(/^\d+$/.test(count) ? Number(count) : words.length),
  );
  return SILENT;
};

const unset: Program = ([, ...args], state, machine) => {
  for (const name of args.filter((arg) => !arg.startsWith("-"))) {
    if (name.includes("[")) evaluated(name.slice(name.indexOf("[") + 1, -1), state, machine);
    state.bindings.arrays = without(state.bindings.arrays, name);
    if (state.bindings.attributes.get(name)?.includes("r") === true) continue;
    if (name === "IFS") state.bindings.vars = entered(state.bindings.vars, name, [DEFAULT_IFS]);
    else if (state.bindings.functions.has(name)) state.bindings.functions = without(state.bindings.functions, name);
    else state.bindings.vars = entered(state.bindings.vars, name, [""]);
  }
  return SILENT;
};

const alias: Program = ([, ...args], state) => {
  if (!args.some((arg) => arg.includes("="))) return [UNKNOWN];
  for (const arg of args) {
    const equals = arg.indexOf("=");
    if (equals > 0)
      state.bindings.aliases = entered(state.bindings.aliases, arg.slice(0, equals), [arg.slice(equals + 1)]);
  }
  return SILENT;
};

const unalias: Program = ([, ...args], state) => {
  for (const name of args) state.bindings.aliases = name === "-a" ? new Map() : without(state.bindings.aliases, name);
  return SILENT;
};

/** `hash -p /bin/rm x` makes `x` another name of rm. */
const hash: Program = ([, ...args], state) => {
  const { options, operands } = parseOptions(args, { short: "p", long: [] }, false);
  const path = options.find(({ name }) => name === "p")?.value;
  if (path !== undefined && path !== null)
    for (const name of operands) state.io.copies = entered(state.io.copies, name, path);
  return SILENT;
};

/** Matching without case makes every pattern mean more than it says. */
const shopt: Program = ([, ...args], _state, machine) => {
  if (!args.includes("-u") && args.some((arg) => /^(nocaseglob|nocasematch)$/.test(arg)))
    machine.report("ask", "dyn.operand", "names are matched without case from here on; write them as they are");
  if (args.some((arg) => /^(execfail|extdebug)$/.test(arg)))
    machine.report("ask", "dyn.program", "the shell may go on after exec or exit from here on; leave the option out");
  return SILENT;
};

/** Without the builtin its name is that of a program, or of none. */
const enable: Program = ([, ...args], _state, machine) => {
  if (args.some((arg) => /^-\w*n/.test(arg)) && args.length > 1)
    machine.report("ask", "dyn.program", "a builtin of the shell is switched off; leave it as it is");
  return SILENT;
};

const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/;

const declare: Program = ([program = "", ...args], state, machine) => {
  const flags = args.filter((arg) => /^-/.test(arg)).join("") + (program === "readonly" ? "r" : "");
  const without = args.filter((arg) => /^\+/.test(arg)).join("");
  if (/[pfF]/.test(flags) || args.length === 0) return [UNKNOWN];
  for (const arg of args.filter((word) => !/^[-+]/.test(word))) {
    const [, index] = /^\w+\[(.*)\]\+?=/s.exec(arg) ?? [];
    if (index !== undefined) evaluated(index, state, machine);
    const [, name = arg, plus, text] = ASSIGNMENT.exec(arg) ?? [];
    if (isUnknown(name)) Object.assign(state.bindings, UNSEALED);
    if (program !== "export" && program !== "readonly" && !flags.includes("g")) makeLocal(name, state);
    if (without !== "") state.bindings.attributes = entered(state.bindings.attributes, name, "");
    if (program === "export" || flags.includes("x"))
      state.bindings.exported = new Set([...state.bindings.exported, name]);
    attribute(name, flags, text, state);
    // The name that a reference names may have an index.
    if (flags.includes("n") && text?.includes("[") === true)
      evaluated(text.slice(text.indexOf("[") + 1, -1), state, machine);
    if (text === undefined || flags.includes("n")) continue;
    setVariable(name, plus === "+" ? valuesOf(state, name).map((old) => old + text) : [text], state, machine);
  }
  return SILENT;
};

/** Of its own in a function: it has none of the attributes that the name has outside, but for readonly, which forbids it. */
function makeLocal(name: string, { frame: { calls, locals }, bindings }: State): void {
  const letters = bindings.attributes.get(name);
  if (calls.length > 0 && letters !== undefined && !locals.has(name))
    bindings.attributes = entered(bindings.attributes, name, letters.replace(/[^r]/g, ""));
  locals.add(name);
}

function attribute(name: string, flags: string, text: string | undefined, state: State): void {
  if (flags.includes("n") && text !== undefined)
    state.bindings.references = entered(state.bindings.references, name, text);
  const letters = flags.replace(/[^iluArn]/g, "");
  if (letters !== "") state.bindings.attributes = entered(state.bindings.attributes, name, letters);
}

/** `kill -0` and `kill -l` only ask. */
const kill: EffectRule = ([, ...args]) => {
  const asks = /^(-0|-l|-L|--list|--table)$/.test(args[0] ?? "") || (/^-[sn]$/.test(args[0] ?? "") && args[1] === "0");
  return asks ? "reads" : { changes: "sends signals to processes" };
};

const runEval: Program = ([, ...args], state, machine) => {
  const words = args[0] === "--" ? args.slice(1) : args;
  const text = words.join(" ");
  if (isOpen(text)) Object.assign(state.bindings, UNSEALED);
  return runHere(state, () => machine.runText(text, state));
};

const source: Program = ([, ...args], state, machine) => {
  const [path, ...positional] = args[0] === "--" ? args.slice(1) : args;
  if (path === undefined) return SILENT;
  const known = textsToRun(path, state).filter(
    (text) => !isAnything(text) || hasGlob(path) || /^\/(dev|proc)\//.test(path),
  );
  if (known.length === 0 || known.some(isOpen)) state.bindings.sealed = false;
  if (known.some(isOpen) || machine.programs.isForeignFile(path, state, machine)) state.bindings.configured = false;
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
    if (name === "W") expandedAsText(value.replaceAll(UNKNOWN, SOME), fork(state), machine);
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

const MAX_LINES = 32;

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
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), unknownFrom(lines)] : lines;
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
  if (startsUnknown(word)) return [[SOME, unknownFrom([word])]];
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

export const RECORDS: readonly ProgramRecord[] = [
  ...onThisMachine([
    { names: "enable", runs: enable, effect: options({ unsure: "f", valued: "f" }), builtin: true },
    // A job of the shell, `kill %1`, is no service.
    {
      names: "kill",
      prints: "nothing",
      effect: kill,
      consequences: { restarts_service: /(?:^|\s)(?![-%])\S/ },
      builtin: true,
    },
  ]),
  { names: "cd pushd", runs: changeDirectory, effect: "reads", builtin: true },
  { names: "popd", runs: popDirectory, effect: "reads", builtin: true },
  { names: "export", runs: declare, effect: "reads", builtin: true, declares: true, writesKnown: true },
  { names: "declare typeset local readonly", runs: declare, effect: "reads", builtin: true, declares: true },
  { names: "set", runs: set, effect: "reads", builtin: true },
  { names: "shift", runs: shift, effect: "reads", builtin: true },
  { names: "unset", runs: unset, effect: "reads", builtin: true },
  { names: "alias", runs: alias, effect: "reads", builtin: true, declares: true },
  { names: "unalias", runs: unalias, effect: "reads", builtin: true },
  { names: "hash", runs: hash, effect: "reads", builtin: true },
  { names: "shopt", runs: shopt, effect: "reads", builtin: true },
  {
    names: "type",
    runs: ([, ...args]) => [args.some((arg) => /^-[pP]$/.test(arg)) ? `/usr/bin/${args.at(-1)}` : UNKNOWN],
    effect: "reads",
    builtin: true,
  },
  { names: "true false : exit return", prints: "nothing", effect: "reads", builtin: true },
  { names: "sleep", prints: "nothing", effect: "reads" },
  {
    names: "bg break caller continue dirs disown fc fg history jobs logout times ulimit umask",
    effect: "reads",
    builtin: true,
  },
  { names: "help", prints: "anything", effect: "reads" },
  { names: "[[ compopt suspend", effect: "reads" },
  { names: "eval", runs: runEval, effect: "reads", suspected: 33, suspectedInWords: true, builtin: true },
  {
    names: "source .",
    runs: source,
    files: (args) => args.slice(0, args[0] === "--" ? 2 : 1).slice(-1),
    effect: sourceEffect,
    builtin: true,
    writesKnown: true,
  },
  { names: "trap", runs: trap, effect: "reads", builtin: true },
  { names: "compgen complete", runs: completion, effect: "reads", builtin: true },
  { names: "test [", runs: test, effect: "reads", builtin: true, speaks: true, otherOutput: true },
  { names: "wait", runs: wait, effect: "reads", builtin: true },
  { names: "let", runs: calculate, effect: "reads", builtin: true },
  { names: "read", runs: read, effect: "reads", builtin: true, otherOutput: true },
  { names: "getopts", runs: getopts, effect: "reads", builtin: true },
  { names: "mapfile readarray", runs: mapfile, effect: "reads", builtin: true },
];
