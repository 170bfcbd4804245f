// Walks loops: a few rounds are followed one by one, and what still changes after them is not known.
import { type CompoundList, forEachChild, type SyntaxNode } from "unbash";
import { alternatives, joined, SOME, UNKNOWN, unknownFrom } from "../words/symbols.ts";
import { expandWords } from "./expand.ts";
import type { Node, Output, Walk } from "./machine.ts";
import { eitherList, merge, mergeVariables } from "./merge.ts";
import { entered, fork, type Lists, type State, without } from "./state.ts";

/** Twice when the first round changed something a second round would see; what then still changes is not known. */
export function loop(lists: readonly CompoundList[], state: State, walk: Walk): Output {
  const output: string[] = [""];
  const start = state.frame.positional;
  for (let round = 0; round < 2; round += 1) {
    const before = fork(state);
    for (const list of lists) output.push(...walk.list(list, state));
    const changed = changedNames(before, state);
    const moved =
      before.location.cwd !== state.location.cwd && before.location.cwd.join("\0") !== state.location.cwd.join("\0");
    const shifted = !isCovered(state.frame.positional, before.frame.positional);
    merge(state, before);
    if (round === 1) {
      const suffixes = suffixesOf(start);
      for (const name of changed) widen(name, state);
      if (moved) state.location.cwd = [...state.location.cwd, UNKNOWN];
      if (shifted && isCovered(state.frame.positional, suffixes)) {
        output.push(...walkShifted(lists, suffixes, state, walk));
        state.frame.positional = suffixes;
      } else if (shifted) state.frame.positional = [...state.frame.positional, [unknownFrom(start.flat())]];
    }
    if (changed.length === 0 && !moved && !shifted) break;
  }
  return alternatives(output);
}

/** Each word comes first in one of the rounds. */
function walkShifted(lists: readonly CompoundList[], suffixes: Lists, state: State, walk: Walk): Output {
  const positional = suffixes.filter(({ length }) => length > 0);
  const inner = fork(state, { frame: { positional } });
  const output = lists.flatMap((list) => walk.list(list, inner));
  merge(state, inner);
  return output;
}

const isCovered = (lists: Lists, by: Lists): boolean =>
  lists === by || lists.every((list) => by.some((other) => isSame(list, other)));

/** All that `shift` can leave of the lists. */
const suffixesOf = (lists: Lists): Lists => lists.flatMap((list) => [...list, ""].map((_, at) => list.slice(at)));

const changedNames = (before: State, { bindings: { vars, arrays } }: State): readonly string[] => [
  ...[...vars].flatMap(([name, values]) => (isSame(before.bindings.vars.get(name), values) ? [] : [name])),
  ...[...arrays].flatMap(([name, lists]) => (before.bindings.arrays.get(name) === lists ? [] : [name])),
];

const isSame = (first: readonly string[] | undefined, second: readonly string[]): boolean =>
  first === second || first?.join("\0") === second.join("\0");

/** What the rounds have put in, and any more of it. What was there before them is no finding: that nothing was put in is unlikely. */
function grown(lists: Lists): Lists {
  const least = Math.min(...lists.map(({ length }) => length));
  return eitherList(
    lists.filter(({ length }) => length > least),
    [[unknownFrom(lists.flat())]],
  );
}

function widen(name: string, state: State): void {
  const lists = state.bindings.arrays.get(name);
  if (lists !== undefined) state.bindings.arrays = entered(state.bindings.arrays, name, grown(lists));
  const values = state.bindings.vars.get(name);
  if (values === undefined) return;
  const numeric = values.every((text) => text === SOME || /^-?\d*$/.test(text));
  state.bindings.vars = entered(
    state.bindings.vars,
    name,
    alternatives([...values, numeric ? SOME : unknownFrom(values)]),
  );
}

const MAX_UNROLLED = 8;

const MAX_ROUNDS = 64;

/** Round after round, each with its own value; it may be left after any of them. */
function unrolled({ name, body }: EachLoop, values: readonly string[], state: State, walk: Walk): Output {
  let output: Output = [""];
  const { rounds } = state.frame;
  state.frame.rounds = rounds * values.length;
  const ends: State[] = [];
  for (const value of values) {
    state.bindings.vars = entered(state.bindings.vars, name.value, [value]);
    output = joined(output, walk.list(body, state));
    ends.push(fork(state));
  }
  if (leaves(body)) for (const end of ends.slice(0, -1)) mergeVariables(state, end);
  state.frame.rounds = rounds;
  return output;
}

function leaves(body: SyntaxNode): boolean {
  let found = false;
  const visit = (node: SyntaxNode): void => {
    found ||= node.type === "Command" && /^(break|continue|return|exit)$/.test(node.name?.text ?? "");
    if (!found) forEachChild(node, visit);
  };
  visit(body);
  return found;
}

type EachLoop = Extract<Node, { type: "For" | "Select" }>;

export function forEach(loopNode: EachLoop, state: State, walk: Walk): Output {
  const { wordlist, body } = loopNode;
  const name = loopNode.name.value;
  const lines = wordlist === undefined ? state.frame.positional : expandWords(wordlist, state, walk.machine);
  const values = alternatives(lines.flat());
  if (values.length === 0) return [""];
  if (state.bindings.references.has(name) || state.bindings.attributes.get(name)?.includes("n") === true) {
    state.bindings.references = without(state.bindings.references, name);
    state.bindings.vars = entered(state.bindings.vars, name, [UNKNOWN]);
    return loop([body], state, walk);
  }
  state.bindings.arrays = without(state.bindings.arrays, name);
  if (values.length <= MAX_UNROLLED && lines.length === 1 && state.frame.rounds * values.length <= MAX_ROUNDS)
    return unrolled(loopNode, values, state, walk);
  state.bindings.vars = entered(state.bindings.vars, name, values);
  return loop([body], state, walk);
}
