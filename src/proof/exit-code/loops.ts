// Loops. Rounds that the text counts are followed one by one; a list that it does not show may have any length.
import { calculate } from "./arithmetic.ts";
import { type Expansion, expandFields } from "./expand.ts";
import {
  type CheckEnd,
  type CommandNode,
  type ExitPlace,
  type ExitWalk,
  ended,
  type KnownText,
  merged,
  type ShellState,
  undecided,
  withVariable,
} from "./state.ts";

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

export function runFor(node: Loop<"For">, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
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

export function runWhile(node: Loop<"While">, state: ShellState, place: ExitPlace, walk: ExitWalk): CheckEnd[] {
  const goal = node.kind === "while" ? 0 : 1;
  const by = place.source.slice(node.pos, node.end);
  return counted(ended(0, state, by), {
    test: (outcome) => walk.list(node.clause, outcome.state, { ...place, lenient: true }),
    goesOn: ({ status }) => status === goal,
    body: (outcome) => walk.list(node.body, outcome.state, place),
  });
}

export function runArithmeticFor(
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
