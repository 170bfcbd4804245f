// Builtins that run or evaluate text.
import { evaluated, expandedAsText } from "../interpreter/arithmetic.ts";
import { type Machine, type Output, type Program, SILENT } from "../interpreter/machine.ts";
import { contentsOf, isWritten } from "../interpreter/redirects.ts";
import { runInside } from "../interpreter/run-inside.ts";
import { fork, type State } from "../interpreter/state.ts";
import { parseOptions } from "../words/options.ts";
import { hasGlob, isOpen, UNKNOWN } from "../words/symbols.ts";
import type { EffectRule, ProgramRecord } from "./record.ts";

const runEval: Program = ([, ...args], state, machine) => {
  const words = args[0] === "--" ? args.slice(1) : args;
  const text = words.join(" ");
  if (isOpen(text)) state.bindings.sealed = false;
  return runHere(text, state, machine);
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
  const output = known.flatMap((text) => runHere(text, state, machine));
  state.frame.positional = held;
  return output.length === 0 ? [UNKNOWN] : output;
};

/** In this very shell, so what the text assigns stays. */
function runHere(text: string, state: State, machine: Machine): Output {
  state.frame.depth += 1;
  const output = machine.runText(text, state);
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

const calculate: Program = ([, ...args], state, machine) => {
  for (const arg of args) evaluated(arg, state, machine);
  return SILENT;
};

const sourceEffect: EffectRule = ([, ...args], state) => {
  const [path] = args[0] === "--" ? args.slice(1) : args;
  return path === undefined || path === "/dev/null" || isWritten(path, state) ? "reads" : "unknown";
};

export const EVALUATING_BUILTINS: readonly ProgramRecord[] = [
  { names: "source .", runs: source, effect: sourceEffect, builtin: true },
  { names: "trap", runs: trap, effect: "reads", builtin: true },
  { names: "compgen complete", runs: completion, effect: "reads", builtin: true },
  { names: "test [", runs: test, effect: "reads", builtin: true },
  { names: "let", runs: calculate, effect: "reads", builtin: true },
];

export const EVAL: readonly ProgramRecord[] = [
  { names: "eval", runs: runEval, effect: "reads", suspected: "anywhere", builtin: true },
];
