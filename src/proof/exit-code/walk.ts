// Follows a check along every path and collects how it can end; one that its text alone decides proves nothing. A program of the
// machine may end either way.
import { type Assignment, type Command, type ParsedScript, parse, type Statement } from "unbash";
import { readPipes } from "../pipes.ts";
import { ANY_TEXT, type BuiltinCall, builtin } from "./builtins.ts";
import { redirect, runCompound } from "./compound.ts";
import { type Expansion, expandFields, expandText } from "./expansion.ts";
import {
  type CheckEnd,
  type CommandNode,
  type ExitPlace,
  type ExitStatus,
  type ExitWalk,
  either,
  ended,
  initialState,
  type KnownText,
  merged,
  type ShellState,
  undecided,
  withVariable,
} from "./state.ts";

const MAX_STEPS = 4_000;

type Env = Readonly<Record<string, string>>;

/** How the text can end, each way once. Throws `Undecided` where it cannot be followed. */
function endings(text: string, env: Env): CheckEnd[] {
  const script = parsed(text);
  const { last_part_decides } = readPipes(text, { strict: false });
  const place: ExitPlace = { source: text, lenient: false, frail: false, posix: false, calls: 0 };
  return finished(script.commands, initialState(env, !last_part_decides), place, createWalk(env));
}

function parsed(text: string): ParsedScript {
  const script = parse(text);
  return script.errors === undefined ? script : undecided();
}

function createWalk(env: Env): ExitWalk {
  let steps = 0;
  const walk: ExitWalk = {
    tick: () => {
      steps += 1;
      if (steps > MAX_STEPS) undecided();
    },
    node: (node, state, place) => runNode(node, state, place, walk),
    list: ({ commands }, state, place) => statements(commands, state, place, walk),
    substitute: (script, state, place) => {
      const inner = { ...state, errexit: false, trap: null, out: "", wrote: false };
      const outcomes = finished(
        script.commands,
        inner,
        { ...place, source: script.source ?? place.source, frail: false },
        walk,
      );
      const [first] = outcomes;
      const isSame = outcomes.every(({ state: { out } }) => out === first?.state.out);
      return {
        statuses: new Set(outcomes.map(({ status }) => status)),
        out: isSame ? (first?.state.out ?? null) : null,
      };
    },
    otherShell: (text, state, place) => {
      const vars = new Map(Object.keys(env).map((name) => [name, state.vars.get(name) ?? null]));
      const inner = { ...initialState({}), vars, pipefail: false, positional: null };
      const outcomes = finished(parsed(text).commands, inner, { ...place, source: text, lenient: false }, walk);
      return new Set(outcomes.map(({ status }) => status));
    },
  };
  return walk;
}

/** A whole shell, with what runs at its end. */
function finished(commands: readonly Statement[], state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const outcomes = statements(commands, state, place, walk);
  return merged(
    outcomes.flatMap((outcome) => {
      if (outcome.kind !== "next" && outcome.kind !== "exit") return undecided();
      const { trap } = outcome.state;
      if (trap === null || trap === "") return [{ ...outcome, kind: "exit" as const }];
      const inner = { ...outcome.state, trap: null, last: outcome.status };
      const ends = statements(parsed(trap).commands, inner, { ...place, source: trap }, walk);
      return ends.map((end) =>
        end.kind === "exit" ? end : { ...end, kind: "exit" as const, status: outcome.status, by: outcome.by },
      );
    }),
  );
}

function statements(commands: readonly Statement[], state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  let live = [ended(state.last, state, "")].map((outcome) => ({ ...outcome, status: 0 as ExitStatus }));
  const left: CheckEnd[] = [];
  for (const statement of commands) {
    const after = live.flatMap((outcome) => runStatement(statement, outcome.state, place, walk));
    left.push(...after.filter(({ kind }) => kind !== "next"));
    live = merged(after.filter(({ kind }) => kind === "next")) as typeof live;
    if (live.length === 0) break;
  }
  return merged([...left, ...live]);
}

function runStatement(
  { command, background, pos, end }: Statement,
  state: ShellState,
  place: ExitPlace,
  walk: ExitWalk,
) {
  if (background === true) return [ended(0, { ...state, out: null }, place.source.slice(pos, end))];
  return walk.node(command, state, place);
}

function runNode(node: CommandNode, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  walk.tick();
  switch (node.type) {
    case "Command":
      return withErrexit(runSimple(node, state, place, walk), place);
    case "Pipeline":
      return withErrexit(pipeline(node, state, place, walk), place);
    case "AndOr":
      return andOr(node, state, place, walk);
    case "Subshell":
    case "TestCommand":
    case "ArithmeticCommand":
      return withErrexit(runCompound(node, state, place, walk), place);
    default:
      return runCompound(node, state, place, walk);
  }
}

/** `set -e`: what fails ends the shell, unless something looks at its status. */
const withErrexit = (outcomes: CheckEnd[], { lenient }: ExitPlace): CheckEnd[] =>
  outcomes.map((outcome) =>
    !lenient && outcome.kind === "next" && outcome.status === 1 && outcome.state.errexit
      ? { ...outcome, kind: "exit" as const }
      : outcome,
  );

type AndOr = Extract<CommandNode, { type: "AndOr" }>;

function andOr({ commands, operators }: AndOr, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const ends: CheckEnd[] = [];
  let live: CheckEnd[] = [ended(0, state, "")];
  for (const [at, command] of commands.entries()) {
    const inner = at === commands.length - 1 ? place : { ...place, lenient: true };
    const operator = operators[at - 1];
    const runs = (outcome: CheckEnd) => operator === undefined || (outcome.status === 0) === (operator === "&&");
    const after = live.flatMap((outcome) => (runs(outcome) ? walk.node(command, outcome.state, inner) : [outcome]));
    ends.push(...after.filter(({ kind }) => kind !== "next"));
    live = merged(after.filter(({ kind }) => kind === "next"));
  }
  return merged([...ends, ...live]);
}

type Pipeline = Extract<CommandNode, { type: "Pipeline" }>;

function pipeline(node: Pipeline, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const negated = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  const [only] = node.commands;
  const by = place.source.slice(node.pos, node.end);
  if (node.commands.length === 1 && only !== undefined) {
    const outcomes = walk.node(only, state, negated ? { ...place, lenient: true } : place);
    return negated ? outcomes.map((outcome) => flipped(outcome, by)) : outcomes;
  }
  const elements = node.commands.map((command, at) =>
    elementStatuses(command, at === node.commands.length - 1, { state, place }, walk),
  );
  const after = { ...state, out: null };
  const statuses = state.pipefail ? [...pipefailStatuses(elements)] : [...(elements.at(-1) ?? [])];
  const outcomes = statuses.map((status) => ended(status, after, by));
  return negated ? outcomes.map((outcome) => flipped(outcome, by)) : outcomes;
}

function flipped(outcome: CheckEnd, by: string): CheckEnd {
  return outcome.kind === "next" ? ended(outcome.status === 0 ? 1 : 0, outcome.state, by) : outcome;
}

/** Each runs in a shell of its own. One that writes may be ended by a reader that is gone. */
function elementStatuses(
  command: CommandNode,
  isLast: boolean,
  { state, place }: { readonly state: ShellState; readonly place: ExitPlace },
  walk: ExitWalk,
): ReadonlySet<ExitStatus> {
  const inner = { ...state, trap: null, wrote: false };
  const statement: Statement = { type: "Statement", pos: 0, end: 0, command, background: undefined };
  const outcomes = finished([statement], inner, place, walk);
  const statuses = new Set(outcomes.map(({ status }) => status));
  const mayBreak = !isLast && outcomes.some((outcome) => outcome.state.wrote);
  return mayBreak ? new Set(either(state, "").map(({ status }) => status)) : statuses;
}

function pipefailStatuses(elements: readonly ReadonlySet<ExitStatus>[]): ReadonlySet<ExitStatus> {
  const statuses = new Set<ExitStatus>();
  if (elements.every((element) => element.has(0))) statuses.add(0);
  if (elements.some((element) => element.has(1))) statuses.add(1);
  return statuses;
}

const MAX_CALLS = 16;

/** Follows a simple command: its words, its assignments, and a function, a builtin or a program with a known end. */
function runSimple(node: Command, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
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

/** `exit_code` 1 is every code but 0. `why` completes "check step 1 cannot fail: ...". */
type ConstantExit = { readonly exit_code: ExitStatus; readonly why: string };

type Environment = Readonly<Record<string, string>>;

const MAX_SHOWN = 60;
/** The same for every task of a procedure. */
const OF_THE_TARGET = /^ORCH_TARGET_/;
/** Always set, to another text in another task. */
const OF_THE_TASK = /^ORCH_(PAYLOAD|TASK_ID)$/;

/**
 * The exit code of a check where its text alone decides it, on any machine. Such a check proves nothing, so that it is refused
 * when steps are taught. What cannot be followed to its end is not constant. `env` holds the variables of the contract. Never
 * throws.
 */
export function constantExit(text: string, env: Environment): ConstantExit | null {
  const own = Object.entries(env).filter(([name]) => OF_THE_TARGET.test(name) || OF_THE_TASK.test(name));
  const first = Object.fromEntries(own);
  const other = Object.fromEntries(own.map(([name, value]) => [name, OF_THE_TASK.test(name) ? ANY_TEXT : value]));
  const seen = readings(text).flatMap((source) => [first, other].map((given) => exitOf(source, given)));
  const [exit = null] = seen;
  return exit !== null && seen.every((one) => one?.exit_code === exit.exit_code) ? exit : null;
}

/** The parser keeps some line continuations that bash removes first. */
const readings = (text: string): readonly string[] =>
  text.includes("\\\n") ? [text, text.replaceAll("\\\n", "")] : [text];

function exitOf(text: string, env: Environment): ConstantExit | null {
  try {
    const outcomes = endings(text, env);
    const [first] = outcomes;
    if (first === undefined || outcomes.some(({ status }) => status !== first.status)) return null;
    return { exit_code: first.status, why: sentence(outcomes, first.status) };
  } catch {
    // Undecided, or nested too deeply for this process: not constant either way.
    return null;
  }
}

function sentence(outcomes: readonly CheckEnd[], status: ExitStatus): string {
  const commands = [...new Set(outcomes.flatMap(({ by }) => by))].filter((by) => by.trim() !== "");
  const code = status === 0 ? "0" : "never 0";
  if (commands.length === 0) return "it runs nothing that could fail";
  const [only = ""] = commands;
  if (commands.length === 1) return `its exit code is that of ${shown(only)}, which is ${code} on any machine`;
  return `its exit code is ${code} on any machine: it ends with ${commands.map(shown).join(" or with ")}`;
}

function shown(command: string): string {
  const line = command.trim().replace(/\s+/g, " ");
  return `\`${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}...` : line}\``;
}
