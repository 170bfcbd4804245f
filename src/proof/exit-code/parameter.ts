// What `$x` and `${x...}` are, as far as the text shows it.
import type { Word, WordPart } from "unbash";
import { isOwn, type KnownText, type ShellState, undecided } from "./state.ts";

type Simple = Extract<WordPart, { type: "SimpleExpansion" }>;
type Braced = Extract<WordPart, { type: "ParameterExpansion" }>;
type Held = { readonly state: ShellState; readonly aborts: boolean };
type Effects = { state: ShellState; aborts: boolean };

export function parameter(part: Simple | Braced, effects: Effects, expand: (word: Word) => KnownText): KnownText {
  if (part.type === "SimpleExpansion") return plain(part.text.slice(1), effects);
  const { parameter: name, operation, prefix, index } = part;
  if (prefix === "!" || index !== undefined) {
    effects.aborts = true;
    return null;
  }
  if (prefix === "#") {
    const value = /^[A-Za-z_]/.test(name) ? plain(name, effects) : null;
    return value === null ? null : String([...value].length);
  }
  if (operation === undefined) return plain(name, effects);
  if (operation.type !== "Default") {
    // A transformation may run what the text of a variable holds.
    if (operation.type === "Transform" || operation.type === "Unknown") return undecided();
    if (operation.type === "Slice") effects.aborts = true;
    plain(name, effects);
    return null;
  }
  return defaulted({ name, operator: operation.operator, operand: operation.operand }, effects, expand);
}

type Default = { readonly name: string; readonly operator: string; readonly operand: Word };

function defaulted(
  { name, operator, operand }: Default,
  effects: Effects,
  expand: (word: Word) => KnownText,
): KnownText {
  const value = known(name, effects);
  const isAbsent = operator.startsWith(":") ? value === "" : false;
  const other = expand(operand);
  switch (operator.replace(":", "")) {
    case "-":
      return value === null ? null : isAbsent ? other : value;
    case "+":
      return value === null ? null : isAbsent ? "" : other;
    case "=":
      return value === null || isAbsent ? undecided() : value;
    default:
      if (value === null || isAbsent) effects.aborts = true;
      return isAbsent ? null : value;
  }
}

/** Under `set -u` a variable that may be unset may end the shell. */
function plain(name: string, effects: Effects): KnownText {
  const value = known(name, effects);
  if (value === null && effects.state.nounset && !/^[?#$!@*-]$/.test(name)) effects.aborts = true;
  return value;
}

function known(name: string, { state }: Held): KnownText {
  if (name === "?") return state.last === 0 ? "0" : null;
  if (name === "#") return state.positional === null ? null : String(state.positional.length);
  if (/^[1-9]$/.test(name)) {
    if (state.positional === null) return null;
    const held = state.positional[Number(name) - 1];
    return held === undefined ? (state.nounset ? null : "") : held;
  }
  return isOwn(name) ? null : (state.vars.get(name) ?? null);
}
