// Follows compound commands and redirections. A loop that the text does not bound has no known end: the time limit may decide it.
import type { Redirection, Word } from "unbash";
import { calculate } from "./arithmetic.ts";
import { evaluatedTest, matchesWord, type Truth } from "./builtins.ts";
import { type Expansion, expandFields, expandText } from "./expansion.ts";
import {
  type CheckEnd,
  type CommandNode,
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

type Compound = Exclude<CommandNode, { type: "Command" | "Pipeline" | "AndOr" }>;

export function runCompound(node: Compound, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const by = place.source.slice(node.pos, node.end);
  switch (node.type) {
    case "BraceGroup":
      return walk.list(node.body, state, place);
    case "Subshell":
      return subshell(node, state, place, walk);
    case "Function":
      return [ended(0, { ...state, functions: new Map(state.functions).set(node.name.value, node.body) }, by)];
    case "Redirected":
      return redirected(node, state, place, walk);
    case "If":
      return conditional(node, state, place, walk);
    case "Case":
      return chosen(node, state, place, walk);
    case "While":
      return runWhile(node, state, place, walk);
    case "For":
      return runFor(node, state, place, walk);
    case "ArithmeticFor":
      return runArithmeticFor(node, state, place, walk);
    case "TestCommand": {
      const expansion: Expansion = { state, aborts: false, substituted: null, place, walk };
      if (place.posix) undecided();
      const truth = evaluatedTest(node.expression, expansion);
      return [...aborted(expansion, by), ...byTruth(truth, expansion.state, by)];
    }
    case "ArithmeticCommand": {
      if (node.expression === undefined || place.posix) return undecided();
      const { value, state: after } = calculate(node.expression, state);
      if (value === null && state.nounset) undecided();
      return byTruth(value === null ? null : value !== 0, after, by);
    }
    default:
      return undecided();
  }
}

const byTruth = (truth: Truth, state: ShellState, by: string): CheckEnd[] =>
  truth === null ? either(state, by) : [ended(truth ? 0 : 1, state, by)];

const aborted = ({ aborts, state }: Expansion, by: string): CheckEnd[] =>
  aborts ? [{ ...ended(1, state, by), kind: "exit" }] : [];

type Subshell = Extract<Compound, { type: "Subshell" }>;

function subshell({ body }: Subshell, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  // What it does at its end would need a walk of its own.
  const outcomes = walk.list(body, { ...state, trap: null }, place);
  return merged(
    outcomes.map(({ kind, status, state: inner, by }) => {
      if (kind === "break" || kind === "continue" || inner.trap !== null) return undecided();
      return { ...ended(status, { ...state, out: inner.out, wrote: inner.wrote }, ""), by };
    }),
  );
}

type Redirected = Extract<Compound, { type: "Redirected" }>;

function redirected({ command, redirects, pos, end }: Redirected, state: ShellState, place: ExitPlace, walk: ExitWalk) {
  const expansion: Expansion = { state, aborts: false, substituted: null, place, walk };
  const safe = redirect(redirects, expansion);
  const inner = { ...expansion.state, out: null };
  const by = place.source.slice(pos, end);
  if (safe) return [...aborted(expansion, by), ...walk.node(command, inner, place)];
  if (state.errexit) undecided();
  return merged([
    ...aborted(expansion, by),
    ended(1, inner, by),
    ...walk.node(command, inner, { ...place, frail: true }),
  ]);
}

type If = Extract<Compound, { type: "If" }>;

function conditional(node: If, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const ends: CheckEnd[] = [];
  let live: CheckEnd[] = [ended(0, state, "")];
  for (const { clause, then } of [node, ...node.elif]) {
    const tried = live.flatMap((outcome) => walk.list(clause, outcome.state, { ...place, lenient: true }));
    ends.push(...tried.filter(({ kind }) => kind !== "next"));
    for (const { status, state: inner } of tried.filter(({ kind }) => kind === "next"))
      if (status === 0) ends.push(...walk.list(then, inner, place));
    live = merged(tried.filter(({ kind, status }) => kind === "next" && status === 1));
  }
  for (const { state: inner } of live) {
    if (node.else === undefined) ends.push(ended(0, inner, place.source.slice(node.pos, node.end)));
    else ends.push(...walk.list(node.else, inner, place));
  }
  return merged(ends);
}

type Case = Extract<Compound, { type: "Case" }>;

function chosen(node: Case, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const expansion: Expansion = { state, aborts: false, substituted: null, place, walk };
  const by = place.source.slice(node.pos, node.end);
  const text = expandText(node.word, expansion);
  const ends: CheckEnd[] = [];
  let open = true;
  for (const { pattern, body, terminator } of node.items) {
    if (terminator !== undefined && terminator !== ";;") return undecided();
    const truths = pattern.map((word) => matchesWord(text, word, expansion));
    if (truths.every((truth) => truth === false)) continue;
    // An empty body ends with 0.
    const inner = { ...expansion.state, last: 0 as ExitStatus };
    ends.push(...walk.list(body, body.commands.length === 0 ? inner : expansion.state, place));
    open = !truths.includes(true);
    if (!open) break;
  }
  if (open) ends.push(ended(0, expansion.state, by));
  return merged([...aborted(expansion, by), ...ends]);
}

const MAX_ROUNDS = 64;
const MAX_WIDENINGS = 8;

type Loop<T extends CommandNode["type"]> = Extract<CommandNode, { type: T }>;

/** What a round leaves: loops that go on, and ends. */
function round(outcomes: readonly CheckEnd[]): { readonly goes: CheckEnd[]; readonly ends: CheckEnd[] } {
  const goes: CheckEnd[] = [];
  const ends: CheckEnd[] = [];
  for (const outcome of outcomes) {
    const { kind, levels, state, by } = outcome;
    if (kind === "next") goes.push(outcome);
    else if (kind !== "break" && kind !== "continue") ends.push(outcome);
    else if (levels > 1) ends.push({ ...outcome, levels: levels - 1 });
    else (kind === "break" ? ends : goes).push({ ...ended(0, state, ""), by });
  }
  return { goes: merged(goes), ends };
}

/** Rounds that the text counts are followed one by one; a list that it does not show may have any length. */
function runFor(node: Loop<"For">, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const { wordlist, name, body } = node;
  const by = place.source.slice(node.pos, node.end);
  const expansion: Expansion = { state, aborts: false, substituted: null, place, walk };
  const lists = (wordlist ?? []).map((word) => expandFields(word, expansion));
  const values: KnownText[] = wordlist === undefined ? [...(state.positional ?? undecided())] : [];
  values.push(...lists.flatMap(({ fields }) => fields));
  const isExact = lists.every(({ exact }) => exact) && values.length <= MAX_ROUNDS;
  const aborts: CheckEnd[] = expansion.aborts ? [{ ...ended(1, state, by), kind: "exit" }] : [];
  const start = ended(0, expansion.state, by);
  const run = (outcome: CheckEnd, value: KnownText) =>
    round(walk.list(body, withVariable(outcome.state, name.value, value), place));
  if (!isExact) return merged([...aborts, ...widened(start, (outcome) => run(outcome, null))]);
  const ends: CheckEnd[] = aborts;
  let live: CheckEnd[] = [start];
  for (const value of values) {
    const rounds = live.map((outcome) => run(outcome, value));
    ends.push(...rounds.flatMap((each) => each.ends));
    live = merged(rounds.flatMap(({ goes }) => goes));
  }
  return merged([...ends, ...live]);
}

/** Rounds until no variable changes any more; the loop may end after each of them, or have none. */
function widened(start: CheckEnd, run: (outcome: CheckEnd) => ReturnType<typeof round>): CheckEnd[] {
  const ends: CheckEnd[] = [];
  let live: CheckEnd[] = [start];
  for (let at = 0; at < MAX_WIDENINGS; at += 1) {
    const rounds = live.map(run);
    ends.push(...rounds.flatMap((each) => each.ends));
    const next = merged([...live, ...rounds.flatMap(({ goes }) => goes)]);
    if (next.length === live.length && next.every((outcome, n) => isSame(outcome, live[n])))
      return merged([...ends, ...live]);
    live = next;
  }
  return undecided();
}

const isSame = ({ state, status }: CheckEnd, other: CheckEnd | undefined): boolean =>
  other !== undefined &&
  status === other.status &&
  state.out === other.state.out &&
  state.positional?.join("\0") === other.state.positional?.join("\0") &&
  state.vars.size === other.state.vars.size &&
  [...state.vars].every(([name, value]) => other.state.vars.get(name) === value);

function runWhile(node: Loop<"While">, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const goal = node.kind === "while" ? 0 : 1;
  const by = place.source.slice(node.pos, node.end);
  return counted(ended(0, state, by), {
    test: (outcome) => walk.list(node.clause, outcome.state, { ...place, lenient: true }),
    goesOn: ({ status }) => status === goal,
    body: (outcome) => walk.list(node.body, outcome.state, place),
  });
}

function runArithmeticFor(
  node: Loop<"ArithmeticFor">,
  state: ShellState,
  place: ExitPlace,
  walk: ExitWalk,
): CheckEnd[] {
  const by = place.source.slice(node.pos, node.end);
  const step = (part: typeof node.test, before: ShellState) => {
    if (part === undefined) return undecided();
    const { value, state: after } = calculate(part, before);
    return value === null ? undecided() : { value, after };
  };
  if (place.posix) return undecided();
  return counted(ended(0, step(node.initialize, state).after, by), {
    test: ({ state: before }) => {
      const { value, after } = step(node.test, before);
      return [ended(value === 0 ? 1 : 0, after, by)];
    },
    goesOn: ({ status }) => status === 0,
    body: (outcome) =>
      walk.list(node.body, outcome.state, place).map((end) => {
        const goes = end.kind === "next" || (end.kind === "continue" && end.levels <= 1);
        return goes ? { ...end, state: step(node.update, end.state).after } : end;
      }),
  });
}

type Rounds = {
  readonly test: (outcome: CheckEnd) => CheckEnd[];
  readonly goesOn: (outcome: CheckEnd) => boolean;
  readonly body: (outcome: CheckEnd) => CheckEnd[];
};

/** The condition must be known in each round: what the machine decides may never come true. */
function counted(start: CheckEnd, { test, goesOn, body }: Rounds): CheckEnd[] {
  const ends: CheckEnd[] = [];
  let live: CheckEnd[] = [start];
  for (let at = 0; at <= MAX_ROUNDS && live.length > 0; at += 1) {
    const rounds = live.map((outcome) => {
      const tests = test(outcome);
      const going = tests.filter(goesOn);
      if (tests.some(({ kind }) => kind !== "next") || (going.length > 0 && going.length < tests.length)) undecided();
      if (going.length === 0) {
        ends.push(...merged(tests.map(({ state }) => ({ ...ended(outcome.status, state, ""), by: outcome.by }))));
        return [];
      }
      const after = round(going.flatMap(body));
      ends.push(...after.ends);
      return after.goes;
    });
    live = merged(rounds.flat());
  }
  return live.length > 0 ? undecided() : merged(ends);
}

const SAFE_FILES = /^\/dev\/(null|stdout|stderr)$/;

/**
 * Redirections: what expanding them does, and whether they can fail. Where one fails, the command does not run. True where all of
 * them are sure to succeed.
 */
export function redirect(redirects: readonly Redirection[], expansion: Expansion): boolean {
  return redirects.map((one) => isSafe(one, expansion)).every(Boolean);
}

function isSafe(one: Redirection, expansion: Expansion): boolean {
  if (one.type === "HereDoc") {
    const { body } = one;
    if (body.parts !== undefined)
      expandText({ type: "Word", text: "", value: "", pos: body.pos, end: body.end, parts: body.parts }, expansion);
    return true;
  }
  const { target, descriptor } = one;
  if (target === undefined) return false;
  const text = expandText(target, expansion);
  if (one.type === "HereString") return descriptor === undefined;
  if (descriptor?.type === "FileDescriptorVariable" || (descriptor?.value ?? 0) > 2 || text === null) return false;
  return isPlain(target) && isSafeTarget(one.operator, text);
}

const isPlain = ({ parts }: Word): boolean => parts === undefined;

function isSafeTarget(operator: string, text: string): boolean {
  if (operator === ">&") return /^[12]$/.test(text) || text === "/dev/null";
  if (operator === "<") return text === "/dev/null";
  return SAFE_FILES.test(text) && /^(>|>>|>\||&>|&>>)$/.test(operator);
}
