// Compound commands. A loop that the text does not bound has no known end: the time limit may decide it.
import { calculate } from "./arithmetic.ts";
import { evaluatedTest, matchesWord, type Truth } from "./conditions.ts";
import { type Expansion, expandText } from "./expand.ts";
import { runArithmeticFor, runFor, runWhile } from "./loops.ts";
import { redirect } from "./redirections.ts";
import {
  type CheckEnd,
  type CommandNode,
  type ExitPlace,
  type ExitStatus,
  type ExitWalk,
  either,
  ended,
  merged,
  type ShellState,
  undecided,
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
