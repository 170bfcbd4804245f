// Follows a simple command: its words, its assignments, and a function, a builtin or a program with a known end.
import type { Assignment, Command } from "unbash";
import { type BuiltinCall, builtin } from "./builtins.ts";
import { type Expansion, expandFields, expandText } from "./expand.ts";
import { redirect } from "./redirections.ts";
import {
  type CheckEnd,
  type ExitPlace,
  type ExitStatus,
  type ExitWalk,
  either,
  ended,
  type KnownText,
  merged,
  type ShellState,
  undecided,
  withVariable,
} from "./state.ts";

const MAX_CALLS = 16;

export function runSimple(node: Command, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const by = place.source.slice(node.pos, node.end);
  const expansion: Expansion = { state, aborts: false, substituted: null, place, walk };
  const words = wordsOf(node, expansion);
  const safe = redirect(node.redirects, expansion);
  const before = expansion.state;
  for (const part of node.prefix) if (part.type === "Assignment") assign(part, expansion);
  const after = node.redirects.length > 0 ? { ...expansion.state, out: null } : expansion.state;
  const outcomes: CheckEnd[] = expansion.aborts ? [{ ...ended(1, before, by), kind: "exit" }] : [];
  if (!safe) outcomes.push(ended(1, before, by));
  if (words.fields.length === 0 && words.exact) {
    const statuses: Iterable<ExitStatus> = expansion.substituted ?? [0];
    return merged([...outcomes, ...[...statuses].map((status) => ended(status, after, by))]);
  }
  const inner = safe ? place : { ...place, frail: true };
  const call = { words, by, place: inner, walk };
  const ends = run(call, after).map((end) => restored(end, node, before));
  return merged([...outcomes, ...ends]);
}

/** What stood before the command was for the command only. */
function restored(end: CheckEnd, node: Command, before: ShellState): CheckEnd {
  const names = node.prefix.flatMap((part) => (part.type === "Assignment" ? [part.name] : []));
  if (names.length === 0) return end;
  const vars = new Map(end.state.vars);
  for (const name of names) vars.set(name, before.vars.get(name) ?? null);
  return { ...end, state: { ...end.state, vars } };
}

type Words = { readonly fields: readonly KnownText[]; readonly exact: boolean };

function wordsOf(node: Command, expansion: Expansion): Words {
  const fields: KnownText[] = [];
  let exact = true;
  for (const word of node.name === undefined ? [] : [node.name, ...node.args]) {
    if (word.type === "Assignment") {
      fields.push(assigned(word, expansion));
      continue;
    }
    const part = expandFields(word, expansion);
    fields.push(...part.fields);
    exact &&= part.exact;
    if (!part.exact && fields.length === part.fields.length) undecided();
  }
  return { fields, exact };
}

/** `export x=$y`: a list or an unknown value leaves only the name. */
function assigned({ name, value, index, append }: Assignment, expansion: Expansion): KnownText {
  if (value.type === "ArrayValue" || index !== undefined || append === true) return undecided();
  const text = expandText(value, expansion);
  return text === null ? `${name}=${UNKNOWN}` : `${name}=${text}`;
}

/** In the words of `export` and its kind: a value that the text does not show. */
const UNKNOWN = "\uFDD0";

function assign({ name, value, append, index }: Assignment, expansion: Expansion): void {
  let text: KnownText = null;
  if (value.type === "ArrayValue") for (const word of value.elements) expandFields(word, expansion);
  else text = expandText(value, expansion);
  if (index !== undefined && !/^\d+$/.test(index.text)) undecided();
  const held = append === true ? (expansion.state.vars.get(name) ?? null) : "";
  const known = index === undefined && held !== null && text !== null ? held + text : null;
  expansion.state = withVariable(expansion.state, name, known);
}

type Line = { readonly words: Words; readonly by: string; readonly place: ExitPlace; readonly walk: ExitWalk };

function run(line: Line, state: ShellState): CheckEnd[] {
  const [name = null, ...args] = line.words.fields;
  if (name === null) return undecided();
  const call: BuiltinCall = { ...line, name, args: line.words.exact ? args : null };
  const body = state.functions.get(name);
  if (body !== undefined) return called(body, call, state);
  return builtin(call, state) ?? program(call, state) ?? either({ ...state, out: null }, line.by);
}

function called(
  body: NonNullable<ReturnType<ShellState["functions"]["get"]>>,
  call: BuiltinCall,
  state: ShellState,
): CheckEnd[] {
  const { place, walk, args } = call;
  if (place.calls >= MAX_CALLS) undecided();
  const within = { ...place, calls: place.calls + 1 };
  const inner = { ...state, positional: args, locals: new Set<string>() };
  const outcomes = body.type === "CompoundList" ? walk.list(body, inner, within) : walk.node(body, inner, within);
  return merged(
    outcomes.map((outcome) => {
      const { kind, status, state: end } = outcome;
      if (kind === "break" || kind === "continue") return undecided();
      if (kind === "exit") return outcome;
      const vars = new Map(end.vars);
      for (const local of end.locals) vars.set(local, state.vars.get(local) ?? null);
      const after = { ...end, vars, positional: state.positional, locals: state.locals };
      return { ...ended(status, after, ""), by: outcome.by };
    }),
  );
}

const DURATION = /^\d+(\.\d+)?[smhd]?$/;
const PLAIN = /^(true|false|echo|test|\[)$/;

/** Programs that print or give a constant, a pause, and shells with a text of their own. Null for every other one. */
function program(call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  const { name, args, by } = call;
  const base = name.replace(/^\/(usr\/)?bin\//, "");
  if (args === null || state.steered) return null;
  if (base === "sleep" && args.length > 0 && args.every((arg) => arg !== null && DURATION.test(arg)))
    return [ended(0, state, by)];
  if (/^(bash|sh|dash)$/.test(base)) return otherShell(base !== "bash", call, state);
  if (base === "timeout" && DURATION.test(args[0] ?? "")) return launched(args.slice(1), call, state);
  if (base === "env") return launched(args, call, state);
  return PLAIN.test(base) && base !== name ? builtin({ ...call, name: base }, state) : null;
}

/** A program, not the builtin: its words count the same. */
function launched(args: readonly KnownText[], call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  const [name = null, ...rest] = args;
  return name !== null && PLAIN.test(name) ? builtin({ ...call, name, args: rest }, state) : null;
}

const NOT_POSIX = /\[\[|\(\(|<<<|&>|\$['{"]|\+=|\{|==|\b(function|set|local|source|declare)\b/;

function otherShell(posix: boolean, call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  const { args, by, place, walk } = call;
  const [flag, text] = args ?? [];
  if (flag !== "-c" || typeof text !== "string") return null;
  if (posix && NOT_POSIX.test(text)) return undecided();
  const statuses = walk.otherShell(text, state, { ...place, posix });
  const after = { ...state, out: null };
  const [only] = statuses;
  return statuses.size === 1 && only !== undefined ? [ended(only, after, by)] : either(after, by);
}
