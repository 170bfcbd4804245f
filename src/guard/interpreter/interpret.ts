// Interprets a command once: with its caps, its result, what is done where a cap or an error ends it early, and its commands
// whose words are written out.
import { type Command, parse, type Word } from "unbash";
import { scrub, UNKNOWN } from "../words/symbols.ts";
import {
  countText,
  createBudget,
  Exhausted,
  HIDDEN_WORK,
  isPlanOver,
  isPlanSpent,
  PLAN_OVER,
  PLAN_SPENT,
  workFor,
} from "./budget.ts";
import type { Run } from "./files-of-run.ts";
import { createMachine, strictly } from "./interpreter.ts";
import type { FilesUsed, Place, Programs, Report, Watcher } from "./machine.ts";
import { initialState } from "./start-state.ts";
import { type ShellContext, type State, UNSEALED, type World } from "./state.ts";
import { reportInvisible, reportLookAlikes } from "./unreadable.ts";
import { isTooLarge, worldAfter } from "./world.ts";

const MAX_SOURCE = 65_536;

const TOO_LONG = `the command is longer than ${MAX_SOURCE} bytes; put it into a file that the step runs`;

const TOO_LARGE = "the steps before this one write more text than can be followed; write less, or fewer files";

export type Interpretation = {
  readonly source: string;
  readonly context: ShellContext;
  readonly watchers: readonly Watcher[];
  readonly programs: Programs;
  readonly place?: Place;
};

/** Files that the program runs: those whose text is not known, and those whose text was known before it began. */
export type Interpreted = {
  readonly world: World;
  readonly wanted: ReadonlySet<string>;
  readonly held: ReadonlySet<string>;
  readonly uses: FilesUsed;
};

/**
 * Shows the whole program to every watcher. Where a cap or an error ends that early, each command whose words are written out
 * is judged by itself, so that nothing is hidden.
 */
export function interpret({ source, context, watchers, programs, place = { at: null } }: Interpretation): Interpreted {
  const report: Report = (...finding) => {
    for (const watcher of watchers) watcher.report(...finding);
  };
  const isTooLong = Buffer.byteLength(source, "utf8") > MAX_SOURCE;
  if (isTooLong || isPlanOver()) {
    if (isTooLong) report("ask", "cap.length", TOO_LONG);
    else report("block", "cap.count", PLAN_OVER);
    const uses = { applied: [], loads: [], uncovered: [], rewrites: [] };
    return { world: context.world ?? worldAfter(initialState(context), []), wanted: new Set(), held: new Set(), uses };
  }
  const state = initialState(context);
  const run: Run = {
    past: [...(context.world?.past ?? [])],
    running: [],
    scripts: new Map(),
    wanted: new Set(),
    held: new Set(),
    applied: new Set(),
    loads: [],
    uncovered: new Set(),
    writers: new Map(),
    place,
    files: state.io.files,
    on_disk: context.files,
    targets: context.targets,
  };
  const parts = { watchers, programs, report, certain: true, traps: [], run, origin: context.origin ?? null };
  const machine = createMachine({ ...parts, budget: createBudget(workFor(source)) });
  try {
    if (isPlanSpent()) throw new Exhausted("cap.count", PLAN_SPENT);
    if (context.world !== undefined && isTooLarge(context.world)) throw new Exhausted("cap.count", TOO_LARGE);
    countText();
    const text = scrub(source);
    reportLookAlikes(text, report);
    reportInvisible(text, report);
    machine.runText(text, state);
    machine.end();
  } catch (error) {
    const hidden = createMachine(strictly({ ...parts, budget: createBudget(HIDDEN_WORK) }));
    for (const command of literalCommands(scrub(source))) {
      if (!attempted(() => hidden.runNode(command, stateWithin(context)))) break;
    }
    if (!(error instanceof Exhausted)) throw error;
    report("ask", error.code, error.message);
  }
  const ran = [...run.wanted, ...run.held, ...run.applied];
  const uses = {
    applied: [...run.applied],
    loads: run.loads,
    uncovered: [...run.uncovered],
    rewrites: ran.filter((path) => [...run.writers.values()].some((one) => programs.mayWrite(path, one, state))),
  };
  return { world: worldAfter(state, run.past), wanted: run.wanted, held: run.held, uses };
}

/** Within the text, which may have assigned any variable and any word before. */
function stateWithin(context: ShellContext): State {
  const state = initialState(context);
  Object.assign(state.bindings, UNSEALED);
  state.frame.positional = [[UNKNOWN]];
  return state;
}

/** An error in one command is on record already, by that of the whole. False when the budget is spent. */
function attempted(walk: () => unknown): boolean {
  try {
    walk();
  } catch (error) {
    return !(error instanceof Exhausted);
  }
  return true;
}

const MAX_WORDS = 64;

const MAX_LENGTH = 2_048;

/**
 * The simple commands of a text whose words are written out, wherever they stand in it: no more than the parser is needed to see
 * them. None of a text that the parser cannot take in.
 */
function literalCommands(source: string): readonly Command[] {
  try {
    return [...commandsIn(parse(source))].filter(isLiteral);
  } catch {
    return [];
  }
}

/** Without recursion, because the text may be nested as deeply as it likes. */
function* commandsIn(root: object): Generator<Command> {
  const pending: object[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isCommand(node)) yield node;
    for (const child of Object.values(node)) if (typeof child === "object" && child !== null) pending.push(child);
  }
}

const isCommand = (node: object): node is Command => "type" in node && node.type === "Command";

function isLiteral({ pos, end, name, args, redirects }: Command): boolean {
  if (end - pos > MAX_LENGTH || args.length > MAX_WORDS || (name === undefined && redirects.length === 0)) return false;
  return [name, ...args, ...redirects.map(targetOf)].every(
    (part) => part === undefined || part.type !== "Word" || isPlain(part),
  );
}

const targetOf = (redirect: Command["redirects"][number]): Word | undefined =>
  "target" in redirect ? redirect.target : undefined;

const PLAIN = new Set(["Literal", "SingleQuoted", "DoubleQuoted", "SimpleExpansion", "Glob"]);

const isPlain = ({ parts = [] }: Word): boolean => parts.every(({ type }) => PLAIN.has(type));
