// Builtins that change what the rest of the program means, or that run text.
import { absolute } from "../paths.ts";
import { evaluated, expandedAsText } from "./arithmetic.ts";
import { type Machine, type Output, type Program, SILENT } from "./machine.ts";
import { parseOptions } from "./options.ts";
import { READERS } from "./read.ts";
import { contentsOf } from "./redirects.ts";
import { runInside } from "./run-inside.ts";
import { DEFAULT_IFS, entered, fork, homesOf, type State, valuesOf, without } from "./state.ts";
import { alternatives, hasGlob, isOpen, UNKNOWN } from "./symbols.ts";
import { DECLARATIONS } from "./variables.ts";

/** Directories of CDPATH that a plain name is looked up in. */
const searched = (operand: string, { vars }: State): readonly string[] =>
  /^[./]/.test(operand)
    ? []
    : (vars.get("CDPATH") ?? []).flatMap((path) => path.split(":")).filter((path) => path !== "");

const changeDirectory: Program = ([name = "", ...args], state, machine) => {
  machine.tick(state.cwd.join("").length / 128);
  const [operand] = parseOptions(args.filter((arg) => arg !== "-")).operands;
  const previous = state.cwd;
  if (args.includes("-")) state.cwd = valuesOf(state, "OLDPWD");
  else if (operand !== undefined)
    state.cwd = alternatives([...state.cwd, ...searched(operand, state)].map((cwd) => absolute(operand, cwd)));
  else state.cwd = name === "cd" ? homesOf(state) : [UNKNOWN];
  state.vars = entered(without(state.vars, "PWD"), "OLDPWD", previous);
  return name === "pushd" ? state.cwd : SILENT;
};

const popDirectory: Program = (_argv, state) => {
  state.cwd = alternatives([...valuesOf(state, "OLDPWD"), UNKNOWN]);
  return SILENT;
};

const set: Program = ([, ...args], state) => {
  if (args.length === 0) return [UNKNOWN];
  if (args.includes("posix")) state.posix = true;
  // With -a every assignment exports.
  if (args.some((arg) => /^-\w*a/.test(arg)) || args.includes("allexport")) state.inherited = null;
  const dashes = args.indexOf("--");
  const plain = args.findIndex((arg) => !/^[-+]/.test(arg));
  const option = args.findIndex((arg) => /^[-+]\w*o$/.test(arg));
  if (dashes >= 0) state.positional = [args.slice(dashes + 1)];
  else if (plain >= 0 && option < 0) state.positional = [args.slice(plain)];
  return SILENT;
};

const shift: Program = ([, count = "1"], state) => {
  state.positional = state.positional.map((words) => words.slice(/^\d+$/.test(count) ? Number(count) : words.length));
  return SILENT;
};

const unset: Program = ([, ...args], state, machine) => {
  for (const name of args.filter((arg) => !arg.startsWith("-"))) {
    if (name.includes("[")) evaluated(name.slice(name.indexOf("[") + 1, -1), state, machine);
    state.arrays = without(state.arrays, name);
    if (state.attributes.get(name)?.includes("r") === true) continue;
    if (name === "IFS") state.vars = entered(state.vars, name, [DEFAULT_IFS]);
    else if (state.functions.has(name)) state.functions = without(state.functions, name);
    else state.vars = entered(state.vars, name, [""]);
  }
  return SILENT;
};

const alias: Program = ([, ...args], state) => {
  if (!args.some((arg) => arg.includes("="))) return [UNKNOWN];
  for (const arg of args) {
    const equals = arg.indexOf("=");
    if (equals > 0) state.aliases = entered(state.aliases, arg.slice(0, equals), [arg.slice(equals + 1)]);
  }
  return SILENT;
};

const unalias: Program = ([, ...args], state) => {
  for (const name of args) state.aliases = name === "-a" ? new Map() : without(state.aliases, name);
  return SILENT;
};

const runEval: Program = ([, ...args], state, machine) => {
  const words = args[0] === "--" ? args.slice(1) : args;
  const text = words.join(" ");
  if (isOpen(text)) state.sealed = false;
  return deeper(text, state, machine);
};

const source: Program = ([, ...args], state, machine) => {
  const [path, ...positional] = args[0] === "--" ? args.slice(1) : args;
  if (path === undefined) return SILENT;
  const known = contentsOf(path, state).filter(
    (text) => text !== UNKNOWN || hasGlob(path) || /^\/(dev|proc)\//.test(path),
  );
  if (known.length === 0 || known.some(isOpen)) state.sealed = false;
  const held = state.positional;
  if (positional.length > 0) state.positional = [positional];
  const output = known.flatMap((text) => deeper(text, state, machine));
  state.positional = held;
  return output.length === 0 ? [UNKNOWN] : output;
};

/** In this very shell, so what the text assigns stays. */
function deeper(text: string, state: State, machine: Machine): Output {
  state.depth += 1;
  const output = machine.runText(text, state);
  state.depth -= 1;
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

/** `hash -p /bin/rm x` makes `x` another name of rm. */
const hash: Program = ([, ...args], state) => {
  const { options, operands } = parseOptions(args, { short: "p", long: [] }, false);
  const path = options.find(({ name }) => name === "p")?.value;
  if (path !== undefined && path !== null)
    for (const name of operands) state.copies = entered(state.copies, name, path);
  return SILENT;
};

const completion: Program = ([, ...args], state, machine) => {
  const { options } = parseOptions(args, { short: "ACFGPSWXo", long: [] });
  for (const { name, value } of options) {
    if (value === null) continue;
    if (name === "C" || name === "F") runInside(value, state, machine);
    if (name === "W") expandedAsText(value, fork(state), machine);
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

/** Matching without case makes every pattern mean more than it says. */
const shopt: Program = ([, ...args], _state, machine) => {
  if (args.some((arg) => /^(nocaseglob|nocasematch)$/.test(arg)))
    machine.report("ask", "dyn.operand", "names are matched without case from here on; write them as they are");
  return SILENT;
};

const calculate: Program = ([, ...args], state, machine) => {
  for (const arg of args) evaluated(arg, state, machine);
  return SILENT;
};

export const BUILTINS: readonly (readonly [string, Program])[] = [
  ["cd", changeDirectory],
  ["pushd", changeDirectory],
  ["popd", popDirectory],
  ...DECLARATIONS,
  ...READERS,
  ["set", set],
  ["shift", shift],
  ["unset", unset],
  ["alias", alias],
  ["unalias", unalias],
  ["eval", runEval],
  ["source", source],
  [".", source],
  ["trap", trap],
  ["hash", hash],
  ["compgen", completion],
  ["complete", completion],
  ["type", ([, ...args]) => [args.some((arg) => /^-[pP]$/.test(arg)) ? `/usr/bin/${args.at(-1)}` : UNKNOWN]],
  ["shopt", shopt],
  ["test", test],
  ["[", test],
  ["let", calculate],
  ...["true", "false", ":", "exit", "return", "sleep"].map((name) => [name, () => SILENT] as const),
];
