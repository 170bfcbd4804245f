// Interprets a command once: with its caps, its result, what is done where a cap or an error ends it early, and its commands
// whose words are written out.
import { type Command, parse, type Word } from "unbash";
import { SOME, scrub, UNKNOWN } from "../words/symbols.ts";
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
import {
  DEFAULT_IFS,
  EMPTY,
  PATH,
  type PastCommand,
  PLAIN_WORDS,
  type ShellContext,
  type State,
  UNSEALED,
  type World,
} from "./state.ts";
import { reportInvisible, reportLookAlikes } from "./unreadable.ts";

const MAX_SOURCE = 65_536;

const TOO_LONG = `the command is longer than ${MAX_SOURCE} bytes; put it into a file that the step runs`;

const TOO_LARGE = "the steps before this one write more text than can be followed; write less, or fewer files";

type Interpretation = {
  readonly source: string;
  readonly context: ShellContext;
  readonly watchers: readonly Watcher[];
  readonly programs: Programs;
  readonly place?: Place;
};

/** Files that the program runs: those whose text is not known, and those whose text was known before it began. */
type Interpreted = {
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

// Carries what outlives a shell process to the next one: files, links, containers, settings of git. The steps of a plan, and the
// calls of an agent's run, are processes of their own in one world, so each is judged with what the ones before it left there.

/** Characters of all texts and words in it. More is not followed any further, so that no plan fills the memory of who judges. */
const WORLD_MAX_LENGTH = 8_388_608;

const LENGTHS = new WeakMap<World, number>();

function isTooLarge(world: World): boolean {
  const length = LENGTHS.get(world) ?? lengthOf(world);
  LENGTHS.set(world, length);
  return length > WORLD_MAX_LENGTH;
}

const lengthOf = ({ files, others, gitAliases, past }: World): number =>
  [files, gitAliases, ...others.values()].reduce((sum, table) => sum + lengthOfTable(table), 0) +
  past.reduce((sum, { argv, stdin }) => sum + lengthOfAll(argv) + lengthOfAll(stdin ?? []), 0);

function lengthOfTable(table: ReadonlyMap<string, readonly string[]>): number {
  let length = 0;
  for (const [name, texts] of table) length += name.length + lengthOfAll(texts);
  return length;
}

const lengthOfAll = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

const OF_A_PROCESS = /^\/(dev|proc)\//;

/** The oldest are forgotten. */
const MAX_PAST = 4096;

/** `past` is of the text that has ended in this state. */
function worldAfter({ io, bindings: { gitAliases } }: State, past: readonly PastCommand[]): World {
  const { copies, links, containers, volumes, others } = io;
  const files = [...io.files.keys()].some((path) => OF_A_PROCESS.test(path))
    ? new Map([...io.files].filter(([path]) => !OF_A_PROCESS.test(path)))
    : io.files;
  return {
    files,
    copies,
    links,
    containers,
    volumes,
    others,
    gitAliases,
    past: past.slice(-MAX_PAST),
    isPayloadUnresolved: io.payload.isUnresolved,
  };
}

// Builds what is known when a command starts: the variables of its environment, and the world that the commands before it have
// left.

const userOf = ({ home }: ShellContext): string => home.slice(home.lastIndexOf("/") + 1);

type Variables = Pick<State["bindings"], "vars" | "exported">;

/** Tables are never changed in place, and one plan asks about many commands with the same variables. */
let latest: { readonly env: ShellContext["env"]; readonly home: string; readonly variables: Variables } | null = null;

function variablesOf(context: ShellContext): Variables {
  if (latest !== null && latest.env === context.env && latest.home === context.home) return latest.variables;
  const vars = new Map<string, readonly string[]>([
    ["IFS", [DEFAULT_IFS]],
    ["BASH", ["/bin/bash"]],
    ["SHELL", ["/bin/bash"]],
    ["PATH", [PATH]],
    ["HOME", [context.home]],
    ["USER", [userOf(context)]],
    ["LOGNAME", [userOf(context)]],
  ]);
  for (const name of PLAIN_WORDS) vars.set(name, [SOME]);
  for (const [name, value] of Object.entries(context.env)) vars.set(name, [value]);
  const variables = { vars, exported: new Set(vars.keys()) };
  latest = { env: context.env, home: context.home, variables };
  return variables;
}

/** An empty payload is in too many texts to be looked for. */
const payloadOf = ({ env: { ORCH_PAYLOAD = "" }, world }: ShellContext): State["io"]["payload"] => ({
  text: ORCH_PAYLOAD.length > 2 ? ORCH_PAYLOAD : "",
  isUnresolved: world?.isPayloadUnresolved ?? false,
});

/** What was written is newer than what was read before anything ran. */
const filesOf = ({ files, world }: ShellContext): State["io"]["files"] =>
  files === undefined
    ? (world?.files ?? EMPTY)
    : new Map([...[...files].map(([path, text]) => [path, [text]] as const), ...(world?.files ?? [])]);

export function initialState(context: ShellContext): State {
  const { vars, exported } = variablesOf(context);
  const { world } = context;
  const { copies = EMPTY, links = [], containers = EMPTY, volumes = EMPTY, others = EMPTY } = world ?? {};
  return {
    bindings: {
      vars,
      arrays: EMPTY,
      functions: EMPTY,
      aliases: EMPTY,
      references: EMPTY,
      attributes: EMPTY,
      gitAliases: world?.gitAliases ?? EMPTY,
      exported,
      inherited: null,
      sealed: true,
      configured: true,
    },
    io: {
      stdin: null,
      input: [],
      sources: [],
      reads: new Set(),
      files: filesOf(context),
      copies,
      links,
      containers,
      volumes,
      others,
      payload: payloadOf(context),
      checked: new Set(),
      readers: EMPTY,
    },
    location: { cwd: [context.cwd], start: [context.cwd], mounts: [], contained: false, here: true },
    shell: { name: "bash", last: "", posix: false, reading: null, recovering: false },
    frame: {
      positional: [[]],
      calls: [],
      found: EMPTY,
      locals: new Set(),
      concurrent: false,
      own: false,
      installed: false,
      file: null,
      scripts: [],
      depth: 0,
      launches: 0,
      rounds: 1,
      direct: false,
    },
  };
}
