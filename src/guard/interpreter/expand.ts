// Expands words to fields: every expansion bash makes, over symbolic text, with one list of fields per alternative.
import { type ParameterExpansionPart, parse, type Script, type Word, type WordPart } from "unbash";
import { ansiDecoded } from "../words/escapes.ts";
import {
  bracket,
  type Choices,
  expandBraces,
  type Fields,
  fieldsOf,
  hiddenProcess,
  isUnset,
  kept,
  type Piece,
  product,
  together,
  unescaped,
  unescapedBody,
} from "../words/fields.ts";
import {
  alternatives,
  globbed,
  isOpen,
  MAX_ALTERNATIVES,
  QUESTION,
  SOME,
  STAR,
  scrub,
  UNKNOWN,
  unknownFrom,
} from "../words/symbols.ts";
import { arithmetic, expandedAsText } from "./arithmetic.ts";
import type { ExpansionScope, Machine } from "./machine.ts";
import { expandParameter, listsOf, valueOfName } from "./parameter.ts";
import { deeper, entered, fork, homesOf, type Lists, type State, valuesOf, weightOf } from "./state.ts";

/** A shell other than bash takes `$'x'` for a dollar sign and a quoted text. */
function ansiChoices(raw: string, posix: boolean): Choices {
  // Bash ends the text at a NUL.
  const [value = ""] = scrub(ansiDecoded(raw.slice(2, -1))).split("\0");
  return posix ? [[kept(value)], [kept(`$${raw.slice(2, -1)}`)]] : [[kept(value)]];
}

/** Every alternative of one word, as fields. */
export function expandWord(word: Word, state: State, machine: Machine): readonly Fields[] {
  const parts = word.parts;
  if (parts?.some((part) => part.type === "BraceExpansion") === true) {
    const expanded = expandBraced(parts, state, machine);
    return state.shell.posix ? [[plainOf(word, state, machine)], ...expanded] : expanded;
  }
  const ifs = valuesOf(state, "IFS")[0] ?? "";
  return piecesOf(word, scopeOf(state, machine), true).map((pieces) => fieldsOf(pieces, ifs));
}

const plainOf = (word: Word, state: State, machine: Machine): string => expandText(word, state, machine)[0] ?? "";

/** Alternatives of a word that is one text: an assignment, a pattern, a redirection, `case`. */
export function expandText(word: Word, state: State, machine: Machine): readonly string[] {
  const texts = piecesOf(word, scopeOf(state, machine), false).map((pieces) => fieldsOf(pieces, "").join(" "));
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  machine.tick(length / 256);
  return alternatives(texts);
}

/** Fields of a command line. The number of alternatives is bounded: past the bound, words vary one at a time. */
export function expandWords(words: readonly Word[], state: State, machine: Machine): readonly Fields[] {
  const expanded = words.map((word) => expandWord(word, state, machine));
  return together(expanded, isUnset).flatMap((choices) => everyLine(choices, machine));
}

function everyLine(expanded: readonly (readonly Fields[])[], machine: Machine): readonly Fields[] {
  const varied = expanded.filter((choices) => choices.length > 1);
  if (varied.length === 0) {
    machine.tick(expanded.reduce((sum, choices) => sum + (choices[0]?.length ?? 0), 0) / 32);
    return [expanded.flatMap((choices) => choices[0] ?? [])];
  }
  const count = varied.reduce((product, choices) => product * choices.length, 1);
  machine.tick((Math.min(count, varied.length * MAX_ALTERNATIVES) * expanded.length) / 64);
  if (count > MAX_ALTERNATIVES) return oneAtATime(expanded);
  return expanded.reduce<readonly Fields[]>(
    (lines, choices) => lines.flatMap((line) => choices.map((fields) => [...line, ...fields])),
    [[]],
  );
}

/** Every word once with each of its alternatives, and all words but the program that vary unknown together. */
const oneAtATime = (expanded: readonly (readonly Fields[])[]): readonly Fields[] => [
  ...(expanded[0] ?? []).map((program) => [
    ...program,
    ...expanded
      .slice(1)
      .flatMap((choices) => (choices.length > 1 ? [unknownFrom(choices.flat())] : (choices[0] ?? []))),
  ]),
  ...expanded.flatMap((choices, varied) =>
    choices
      .slice(varied === 0 ? 0 : 1)
      .map((choice) => expanded.flatMap((others, at) => (at === varied ? choice : (others[0] ?? [])))),
  ),
];

/** The body of a here-document whose delimiter is not quoted. */
export function expandBody(
  raw: string,
  parts: readonly WordPart[] | undefined,
  state: State,
  machine: Machine,
): Fields {
  if (parts === undefined) return [unescapedBody(raw)];
  const scope = scopeOf(state, machine);
  return alternatives(
    product(parts.map((part) => pieceChoices(part, scope, true))).map((p) => fieldsOf(p, "").join(" ")),
  );
}

function scopeOf(state: State, machine: Machine): ExpansionScope {
  return { state, machine, text: (word) => expandText(word, state, machine) };
}

function expandBraced(parts: readonly WordPart[], state: State, machine: Machine): readonly Fields[] {
  const words = expandBraces(parts.map((part) => ({ raw: part.text, brace: part.type === "BraceExpansion" })));
  if (words === null) return [[UNKNOWN]];
  machine.tick(words.length);
  const source = parse(`: ${words.map((raw) => (raw === "" ? "''" : raw)).join(" ")}`);
  const command = source.commands[0]?.command;
  if (command?.type !== "Command" || source.errors !== undefined) return [[UNKNOWN]];
  const inner = command.suffix.filter((node) => node.type === "Word");
  return expandWords(
    inner.filter((word) => word.text !== "''"),
    state,
    machine,
  );
}

function piecesOf(word: Word, scope: ExpansionScope, braces: boolean): Choices {
  const tilde = tildeOf(word, scope);
  if (word.parts === undefined) {
    const rest = tilde === null ? word.text : word.text.slice(tilde.length);
    noteHiddenProcess(rest, scope);
    return (tilde?.homes ?? [""]).map((home) => [kept(home + unescaped(rest, braces))]);
  }
  const choices = word.parts.map((part, at) => {
    if (part.type !== "Literal") return pieceChoices(part, scope, false);
    const raw = at === 0 && tilde !== null ? part.text.slice(tilde.length) : part.text;
    noteHiddenProcess(raw, scope, word.text);
    const text = unescaped(raw, braces);
    return (at === 0 && tilde !== null ? tilde.homes : [""]).map((home) => [kept(home + text)]);
  });
  return product(choices);
}

function tildeOf(
  word: Word,
  scope: ExpansionScope,
): { readonly length: number; readonly homes: readonly string[] } | null {
  const first = word.parts?.[0];
  const raw = word.parts === undefined ? word.text : first?.type === "Literal" ? first.text : "";
  const match = /^~([^/\\]*)(?=\/|$)/.exec(raw);
  if (match === null) return null;
  const [prefix, user = ""] = match;
  if (user === "") return { length: prefix.length, homes: homesOf(scope.state) };
  if (user === "+") return { length: prefix.length, homes: scope.state.location.cwd };
  if (user === "-") return { length: prefix.length, homes: valuesOf(scope.state, "OLDPWD") };
  const home = user === "root" ? "/root" : `/home/${user}`;
  return { length: prefix.length, homes: [home] };
}

function noteHiddenProcess(raw: string, scope: ExpansionScope, whole = raw): void {
  if (hiddenProcess(raw) === null) return;
  scope.machine.report("ask", "parse.error", "a process substitution is inside a word; write it as a word of its own");
  scope.machine.runText(hiddenProcess(whole) ?? "", deeper(scope.state));
}

/** Alternatives of one part; each is a run of pieces. */
function pieceChoices(part: WordPart, scope: ExpansionScope, inQuotes: boolean): Choices {
  switch (part.type) {
    case "DoubleQuoted":
    case "LocaleString":
      return quotedChoices(part.parts.map((child) => pieceChoices(child, scope, true)));
    case "Literal":
      return [[kept(part.value)]];
    case "SingleQuoted":
      return [[kept(part.value)]];
    case "AnsiCQuoted":
      return ansiChoices(part.text, scope.state.shell.posix);
    case "BraceExpansion":
      // In an assignment it is no brace expansion, but the text in it is expanded.
      if (/[$`<>]/.test(part.text)) scope.machine.runText(`: ${part.text}`, deeper(scope.state));
      return [[kept(part.text)]];
    case "Glob":
      return part.kind === "bracket"
        ? bracketChoices(part.text, scope)
        : [[kept(part.kind === "star" ? STAR : QUESTION)]];
    case "ExtendedGlob":
      // What it substitutes runs.
      if (/[$`]/.test(part.text)) expandedAsText(part.text, fork(scope.state), scope.machine);
      return [[kept(STAR)]];
    case "SimpleExpansion":
      return simple(part.text.slice(1), scope, inQuotes);
    case "ParameterExpansion":
      return parameter(part, scope, inQuotes);
    default:
      return substitution(part, scope).map((text) => [piece(text, inQuotes)]);
  }
}

/** `[$x]`, `[$(command)]`: what is in the brackets is expanded first. */
const bracketChoices = (raw: string, { state, machine }: ExpansionScope): Choices =>
  (/[$`]/.test(raw) ? expandedAsText(raw, fork(state), machine) : [raw]).map((text) => [
    kept(isOpen(text) ? QUESTION : bracket(text)),
  ]);

/** `""` is one empty field, and `"$@"` without any words is none. */
function quotedChoices(parts: readonly Choices[]): Choices {
  const lists =
    parts.length > 0 && parts.every((choices) => choices.every((pieces) => pieces.every((held) => "items" in held)));
  return product(lists ? parts : [[[kept("")]], ...parts]);
}

const piece = (text: string, inQuotes: boolean): Piece => ({ text: inQuotes ? text : globbed(text), split: !inQuotes });

function simple(name: string, scope: ExpansionScope, inQuotes: boolean): Choices {
  if (name === "*" && inQuotes) return joinedLists(scope.state.frame.positional, scope.state);
  if (name === "@" || name === "*")
    return scope.state.frame.positional.map((items) => [listed(items, scope, inQuotes)]);
  return valueOfName(name, scope.state).map((text) => [piece(text, inQuotes)]);
}

function parameter(part: ParameterExpansionPart, scope: ExpansionScope, inQuotes: boolean): Choices {
  const lists = listsOf(part, scope);
  const joins = part.parameter === "*" || part.index?.text === "*";
  if (lists !== null && joins && inQuotes) return joinedLists(lists, scope.state);
  if (lists !== null) return lists.map((items) => [listed(items, scope, inQuotes)]);
  return expandParameter(part, scope).map((text) => [piece(text, inQuotes)]);
}

const joinedLists = (lists: Lists, state: State): Choices =>
  lists.map((items) => [kept(items.join((valuesOf(state, "IFS")[0] ?? " ").charAt(0)))]);

/** Outside quotes each item of a list is split and matched like any other text. */
function listed(items: readonly string[], { state, machine }: ExpansionScope, inQuotes: boolean): Piece {
  machine.tick(items.length / 32);
  if (inQuotes) return { items };
  const ifs = valuesOf(state, "IFS")[0] ?? "";
  return { items: items.flatMap((item) => fieldsOf([piece(item, false)], ifs)) };
}

/**
 * Command, process and arithmetic substitutions: what they run, and the texts that they leave. Texts of a command, process or
 * arithmetic substitution. A process substitution is a file that holds its output.
 */
function substitution(part: WordPart, { state, machine }: ExpansionScope): readonly string[] {
  if (part.type === "CommandExpansion") {
    if (part.script === undefined) return [UNKNOWN];
    const output = machine.runScript(part.script, deeper(state));
    return alternatives(output.map((text) => text.replaceAll("\0", "").replace(/\n+$/, "")));
  }
  if (part.type === "ArithmeticExpansion") {
    const value = part.expression === undefined ? null : arithmetic(part.expression, state, machine);
    return [value === null ? SOME : String(value)];
  }
  if (part.type !== "ProcessSubstitution" || part.script === undefined) return [UNKNOWN];
  machine.tick(weightOf(state));
  if (part.operator === ">") return [readerOf(part.script, state, machine)];
  const stdin = null;
  const output = machine.runScript(part.script, deeper(state, { io: { stdin } }));
  const path = `/dev/fd/${63 - state.io.files.size}`;
  if (part.operator === "<") state.io.files = entered(state.io.files, path, output);
  return [path];
}

/** The command reads what is written to the path: unknown text. */
function readerOf(script: Script, state: State, machine: Machine): string {
  const path = `/dev/fd/${63 - state.io.files.size - state.io.readers.size}`;
  machine.runScript(script, deeper(state, { io: { stdin: [UNKNOWN] } }));
  state.io.readers = entered(state.io.readers, path, script);
  return path;
}
