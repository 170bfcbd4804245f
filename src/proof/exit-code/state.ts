// Holds what is known at one point of a check, and how a part of it can end. A value that the text does not show is null.
import type { CompoundList, Function as FunctionNode, Script, Statement } from "unbash";

export type KnownText = string | null;

/** 1 is every exit code but 0. */
export type ExitStatus = 0 | 1;

export type ShellState = {
  /** A name that is missing has no known value: it may be set or unset. */
  readonly vars: ReadonlyMap<string, KnownText>;
  readonly functions: ReadonlyMap<string, FunctionNode["body"]>;
  readonly positional: readonly KnownText[] | null;
  /** Names that the function being called has declared as its own. */
  readonly locals: ReadonlySet<string>;
  readonly errexit: boolean;
  readonly nounset: boolean;
  readonly pipefail: boolean;
  /** The text that runs at the end of this shell. */
  readonly trap: string | null;
  /** What was written to standard output. */
  readonly out: KnownText;
  /** Whether the shell itself wrote to standard output: a closed pipe ends it there. */
  readonly wrote: boolean;
  /** `$?`. */
  readonly last: ExitStatus;
  /** A variable was set that decides which programs run, or how words are split. */
  readonly steered: boolean;
};

type EndKind = "next" | "exit" | "return" | "break" | "continue";

/** `by` holds the commands that gave the status. `levels`: how many loops are left. */
export type CheckEnd = {
  readonly kind: EndKind;
  readonly status: ExitStatus;
  readonly state: ShellState;
  readonly by: readonly string[];
  readonly levels: number;
};

/** `lenient`: a failing command does not end the shell here. `frail`: writing may fail here. */
export type ExitPlace = {
  readonly source: string;
  readonly lenient: boolean;
  readonly frail: boolean;
  readonly posix: boolean;
  readonly calls: number;
};

type Substitution = { readonly statuses: ReadonlySet<ExitStatus>; readonly out: KnownText };

export type CommandNode = Statement["command"];

/** What the parts of the walk ask of one another. */
export type ExitWalk = {
  readonly node: (node: CommandNode, state: ShellState, place: ExitPlace) => CheckEnd[];
  readonly list: (list: CompoundList, state: ShellState, place: ExitPlace) => CheckEnd[];
  /** As a shell of its own that knows what this one knows. */
  readonly substitute: (script: Script, state: ShellState, place: ExitPlace) => Substitution;
  /** As the text of another shell that sees the variables of the contract only. */
  readonly otherShell: (text: string, state: ShellState, place: ExitPlace) => ReadonlySet<ExitStatus>;
  readonly tick: () => void;
};

/** The text does not show how this ends: nothing is constant. */
class Undecided extends Error {}

export function undecided(): never {
  throw new Undecided();
}

export function initialState(env: Readonly<Record<string, string>>, pipefail = true): ShellState {
  return {
    vars: new Map(Object.entries(env)),
    functions: new Map(),
    positional: [],
    locals: new Set(),
    errexit: false,
    nounset: false,
    pipefail,
    trap: null,
    out: "",
    wrote: false,
    last: 0,
    steered: false,
  };
}

export const ended = (status: ExitStatus, state: ShellState, by: string): CheckEnd => ({
  kind: "next",
  status,
  state: state.last === status ? state : { ...state, last: status },
  by: [by],
  levels: 0,
});

export const either = (state: ShellState, by: string): CheckEnd[] => [ended(0, state, by), ended(1, state, by)];

const MAX_BY = 4;

/** One outcome of each kind and status. */
export function merged(outcomes: readonly CheckEnd[]): CheckEnd[] {
  const table = new Map<string, CheckEnd>();
  for (const outcome of outcomes) {
    const key = `${outcome.kind} ${outcome.status} ${outcome.levels}`;
    const held = table.get(key);
    table.set(key, held === undefined ? outcome : joined(held, outcome));
  }
  return [...table.values()];
}

const joined = (first: CheckEnd, second: CheckEnd): CheckEnd => ({
  ...first,
  state: mergedState(first.state, second.state),
  by: [...new Set([...first.by, ...second.by])].slice(0, MAX_BY),
});

/** Of two states after the same status. */
function mergedState(first: ShellState, second: ShellState): ShellState {
  if (first === second) return first;
  const same = (["errexit", "nounset", "pipefail", "trap"] as const).every((key) => first[key] === second[key]);
  if (!same || !isSameTable(first.functions, second.functions)) undecided();
  return {
    ...first,
    vars: mergedVariables(first.vars, second.vars),
    positional: first.positional?.join("\0") === second.positional?.join("\0") ? first.positional : null,
    locals: new Set([...first.locals, ...second.locals]),
    out: first.out === second.out ? first.out : null,
    wrote: first.wrote || second.wrote,
    steered: first.steered || second.steered,
  };
}

function mergedVariables(first: ShellState["vars"], second: ShellState["vars"]): ShellState["vars"] {
  if (first === second) return first;
  const names = [...first.keys()].filter((name) => second.has(name));
  return new Map(names.map((name) => [name, first.get(name) === second.get(name) ? (first.get(name) ?? null) : null]));
}

const isSameTable = <V>(first: ReadonlyMap<string, V>, second: ReadonlyMap<string, V>): boolean =>
  first === second || (first.size === second.size && [...first].every(([name, body]) => second.get(name) === body));

/** Bash gives them values of its own. */
const OWN =
  /^(BASH\w*|RANDOM|SRANDOM|SECONDS|EPOCH\w+|LINENO|PIPESTATUS|FUNCNAME|DIRSTACK|GROUPS|HISTCMD|COMP_\w+|OPTIND|OPTARG|_|ORCH_BEFORE)$/;

const READONLY = /^(UID|EUID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)$/;

const STEERING = /^(PATH|IFS|POSIXLY_CORRECT|BASH_ENV|ENV|LD_\w+|GLOBIGNORE|EXECIGNORE|BASH_COMPAT|TIMEFORMAT)$/;

export function withVariable(state: ShellState, name: string, value: KnownText): ShellState {
  if (READONLY.test(name)) undecided();
  const steered = state.steered || STEERING.test(name);
  return { ...state, steered, vars: new Map(state.vars).set(name, OWN.test(name) ? null : value) };
}

export const isOwn = (name: string): boolean => OWN.test(name);
