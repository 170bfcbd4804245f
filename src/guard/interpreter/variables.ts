// Assigns variables. An assignment may evaluate, expand or run its text.
import { alternatives, onlyOf, SOME } from "../words/symbols.ts";
import { evaluated, expandedAsText } from "./arithmetic.ts";
import type { Machine } from "./machine.ts";
import { deeper, entered, type State, targetOf, without } from "./state.ts";

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
  state.bindings.arrays = without(state.bindings.arrays, name);
  const letters = state.bindings.attributes.get(name);
  if (letters?.includes("n") === true && !state.bindings.references.has(name)) {
    state.bindings.references = entered(state.bindings.references, name, onlyOf(texts));
    return;
  }
  const held = state.bindings.vars.get(name) ?? [];
  // Assigning to a readonly variable fails: it may keep what it holds.
  const kept = letters?.includes("r") === true ? held : [];
  state.bindings.vars = entered(
    state.bindings.vars,
    name,
    alternatives([...attributed(letters, texts, state, machine), ...kept]),
  );
  if (COMMANDS.has(name)) {
    for (const text of texts) machine.provedOnly().runText(text, deeper(state));
  } else if (HOOKS.has(name)) {
    const inner = deeper(state);
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
