// Expands the words of a command as far as the text shows them: fields with null for unknown text, and what expanding them does.
import type { Word, WordPart } from "unbash";
import { calculate } from "./arithmetic.ts";
import {
  type ExitPlace,
  type ExitStatus,
  type ExitWalk,
  isOwn,
  type KnownText,
  type ShellState,
  undecided,
} from "./state.ts";

/** What an expansion does besides giving text. `aborts`: it may end the shell with an error. */
export type Expansion = {
  state: ShellState;
  aborts: boolean;
  substituted: ReadonlySet<ExitStatus> | null;
  readonly place: ExitPlace;
  readonly walk: ExitWalk;
};

/** `exact` is false where the number of fields is not known. */
type KnownFields = { readonly fields: readonly KnownText[]; readonly exact: boolean };

type Segment = { readonly text: KnownText; readonly split: boolean };

/** Text that is not split into fields: an assignment, a word of `[[ ]]`, a here-string. */
export function expandText(word: Word, expansion: Expansion): KnownText {
  if (word.parts === undefined) return literal(word);
  const segments = word.parts.map((part) => segmentOf(part, expansion));
  return segments.reduce<KnownText>(
    (text, part) => (text === null || part.text === null ? null : text + part.text),
    "",
  );
}

export function expandFields(word: Word, expansion: Expansion): KnownFields {
  if (word.parts === undefined) return { fields: [literal(word)], exact: true };
  if (word.text === '"$@"') return positional(expansion.state);
  const segments = word.parts.map((part) => segmentOf(part, expansion));
  if (segments.every(({ split }) => !split))
    return { fields: [segments.reduce<KnownText>(appended, "")], exact: isOneField(word.parts) };
  return splitFields(segments, expansion.state);
}

const appended = (text: KnownText, part: Segment): KnownText =>
  text === null || part.text === null ? null : text + part.text;

const positional = ({ positional: held }: ShellState): KnownFields =>
  held === null ? { fields: [null], exact: false } : { fields: held, exact: true };

/** A pattern or braces may become any number of fields, one at least. */
const isOneField = (parts: readonly WordPart[]): boolean =>
  parts.every(
    (part) =>
      !/^(Glob|BraceExpansion)$/.test(part.type) &&
      !(part.type === "DoubleQuoted" && /\$\{?[@*]|\[[@*]\]/.test(part.text)),
  );

/** A tilde is a home, which the text does not show. */
const literal = ({ text, value }: Word): KnownText => (/^~|[:=]~/.test(text) ? null : value);

const INEXACT: KnownFields = { fields: [null], exact: false };

function splitFields(segments: readonly Segment[], { steered }: ShellState): KnownFields {
  if (steered || segments.some(({ text, split }) => text === null || (split && /[*?[\]\\]/.test(text)))) return INEXACT;
  const fields: string[] = [];
  let open: string | null = null;
  for (const { text, split } of segments) {
    if (text === null) return INEXACT;
    if (!split) {
      open = (open ?? "") + text;
      continue;
    }
    for (const piece of text.split(/([ \t\n]+)/)) {
      if (/^[ \t\n]+$/.test(piece)) {
        if (open !== null) fields.push(open);
        open = null;
      } else if (piece !== "") open = (open ?? "") + piece;
    }
  }
  return { fields: open === null ? fields : [...fields, open], exact: true };
}

function segmentOf(part: WordPart, expansion: Expansion): Segment {
  switch (part.type) {
    case "Literal":
      return { text: /^~|[:=]~/.test(part.text) ? null : part.value, split: false };
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { text: part.value, split: false };
    case "DoubleQuoted":
    case "LocaleString":
      return { text: part.parts.map((child) => segmentOf(child, expansion)).reduce(appended, ""), split: false };
    case "SimpleExpansion":
    case "ParameterExpansion":
      return { text: parameter(part, expansion, (word) => expandText(word, expansion)), split: true };
    case "CommandExpansion":
      return { text: substituted(part.script, expansion), split: true };
    case "ArithmeticExpansion":
      return { text: calculated(part, expansion), split: true };
    case "Glob":
    case "BraceExpansion":
    case "ProcessSubstitution":
      return { text: null, split: false };
    case "ExtendedGlob":
      return undecided();
  }
}

type ExpandScript = Extract<WordPart, { type: "CommandExpansion" }>["script"];

function substituted(script: ExpandScript, expansion: Expansion): KnownText {
  if (script === undefined || script.errors !== undefined) return undecided();
  const { statuses, out } = expansion.walk.substitute(script, expansion.state, expansion.place);
  expansion.substituted = statuses;
  return out === null ? null : out.replace(/\n+$/, "");
}

/** Bash ends the shell where the text of a variable is no expression. */
function calculated(
  { expression }: Extract<WordPart, { type: "ArithmeticExpansion" }>,
  expansion: Expansion,
): KnownText {
  if (expression === undefined) return undecided();
  const { value, state } = calculate(expression, expansion.state);
  expansion.state = state;
  if (value === null) expansion.aborts = true;
  return value === null ? null : String(value);
}

type Simple = Extract<WordPart, { type: "SimpleExpansion" }>;

type Braced = Extract<WordPart, { type: "ParameterExpansion" }>;

type Held = { readonly state: ShellState; readonly aborts: boolean };

type Effects = { state: ShellState; aborts: boolean };

/** `$x` and `${x...}`. */
function parameter(part: Simple | Braced, effects: Effects, expand: (word: Word) => KnownText): KnownText {
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
