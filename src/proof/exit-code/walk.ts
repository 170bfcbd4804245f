// Follows a check along every path and collects how it can end. A program of the machine may end either way.
import { type ParsedScript, parse, type Statement } from "unbash";
import { readPipes } from "../pipes.ts";
import { runCompound } from "./compound.ts";
import { runSimple } from "./simple.ts";
import {
  type CheckEnd,
  type CommandNode,
  type ExitPlace,
  type ExitStatus,
  type ExitWalk,
  either,
  ended,
  initialState,
  merged,
  type ShellState,
  undecided,
} from "./state.ts";

const MAX_STEPS = 4_000;

type Env = Readonly<Record<string, string>>;

/** How the text can end, each way once. Throws `Undecided` where it cannot be followed. */
export function endings(text: string, env: Env): CheckEnd[] {
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
