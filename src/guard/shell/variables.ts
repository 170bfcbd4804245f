// Variables: what an assignment leaves behind, and the builtins that declare (spec section 5: assignments are code).
import { evaluated, expandedAsText } from "./arithmetic.ts";
import { type Machine, type Program, SILENT } from "./machine.ts";
import { entered, fork, type State, targetOf, valuesOf, without } from "./state.ts";
import { alternatives, SOME, UNKNOWN } from "./symbols.ts";

/** Variables that hold commands: bash runs them, or expands them, of its own accord. */
const HOOKS = new Set(["PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4"]);
/** Variables whose text other programs give to a shell. */
const COMMANDS = new Set(
  `EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN GIT_PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND
  GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS`.split(/\s+/),
);

export function setVariable(given: string, texts: readonly string[], state: State, machine: Machine): void {
  const bracket = given.indexOf("[");
  if (bracket > 0) evaluated(given.slice(bracket + 1, -1), state, machine);
  const name = targetOf(state, bracket > 0 ? given.slice(0, bracket) : given);
  state.arrays = without(state.arrays, name);
  const letters = state.attributes.get(name);
  if (letters?.includes("n") === true && !state.references.has(name)) {
    state.references = entered(state.references, name, texts.length === 1 ? (texts[0] ?? "") : UNKNOWN);
    return;
  }
  const held = state.vars.get(name) ?? [];
  // Assigning to a readonly variable fails: it may keep what it holds.
  const kept = letters?.includes("r") === true ? held : [];
  state.vars = entered(state.vars, name, alternatives([...attributed(letters, texts, state, machine), ...kept]));
  if (COMMANDS.has(name)) {
    for (const text of texts) machine.provedOnly().runText(text, fork(state, { depth: state.depth + 1 }));
  } else if (HOOKS.has(name)) {
    const inner = fork(state, { depth: state.depth + 1 });
    for (const text of texts) {
      if (name === "PROMPT_COMMAND") machine.runText(text, inner);
      else expandedAsText(text, inner, machine);
    }
  }
}

/** `declare -i` evaluates what is assigned, `-l` and `-u` change its case. */
function attributed(
  letters: string | undefined,
  texts: readonly string[],
  state: State,
  machine: Machine,
): readonly string[] {
  if (letters === undefined || !/[ilu]/.test(letters)) return texts;
  if (letters.includes("i")) {
    for (const text of texts) evaluated(text, state, machine);
    return [SOME];
  }
  return texts.map((text) => (letters.includes("l") ? text.toLowerCase() : text.toUpperCase()));
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/;

const declare: Program = ([program = "", ...args], state, machine) => {
  const flags = args.filter((arg) => /^-/.test(arg)).join("") + (program === "readonly" ? "r" : "");
  const without = args.filter((arg) => /^\+/.test(arg)).join("");
  if (/[pfF]/.test(flags) || args.length === 0) return [UNKNOWN];
  for (const arg of args.filter((word) => !/^[-+]/.test(word))) {
    const [, index] = /^\w+\[(.*)\]\+?=/s.exec(arg) ?? [];
    if (index !== undefined) evaluated(index, state, machine);
    const [, name = arg, plus, text] = ASSIGNMENT.exec(arg) ?? [];
    if (program !== "export" && program !== "readonly" && !flags.includes("g")) state.locals.add(name);
    if (without !== "") state.attributes = entered(state.attributes, name, "");
    if (program === "export" || flags.includes("x")) state.exported = new Set([...state.exported, name]);
    attribute(name, flags, text, state);
    if (text === undefined || flags.includes("n")) continue;
    setVariable(name, plus === "+" ? valuesOf(state, name).map((old) => old + text) : [text], state, machine);
  }
  return SILENT;
};

function attribute(name: string, flags: string, text: string | undefined, state: State): void {
  if (flags.includes("n") && text !== undefined) state.references = entered(state.references, name, text);
  const letters = flags.replace(/[^iluArn]/g, "");
  if (letters !== "") state.attributes = entered(state.attributes, name, letters);
}

export const DECLARATIONS: readonly (readonly [string, Program])[] = [
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
].map((name) => [name, declare] as const);
