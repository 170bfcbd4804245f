// What is known at one point of a check, and how a part of it can end. A value that the text does not show is null.
import {
  type ArithmeticExpression,
  type CompoundList,
  type Function as FunctionNode,
  forEachChild,
  type Script,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";

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

// Expands the words of a command as far as the text shows them: fields with null for unknown text, and what expanding them does.

/** What an expansion does besides giving text. `aborts`: it may end the shell with an error. */
export type Expansion = {
  state: ShellState;
  aborts: boolean;
  substituted: ReadonlySet<ExitStatus> | null;
  readonly place: ExitPlace;
  readonly walk: ExitWalk;
};

/** `exact` is false where the number of fields is not known. */
type KnownFields = { readonly fields: readonly KnownText[]; readonly exact: boolean };

type Segment = { readonly text: KnownText; readonly split: boolean };

/** Text that is not split into fields: an assignment, a word of `[[ ]]`, a here-string. */
export function expandText(word: Word, expansion: Expansion): KnownText {
  if (word.parts === undefined) return literal(word);
  const segments = word.parts.map((part) => segmentOf(part, expansion));
  return segments.reduce<KnownText>(
    (text, part) => (text === null || part.text === null ? null : text + part.text),
    "",
  );
}

export function expandFields(word: Word, expansion: Expansion): KnownFields {
  if (word.parts === undefined) return { fields: [literal(word)], exact: true };
  if (word.text === '"$@"') return positional(expansion.state);
  const segments = word.parts.map((part) => segmentOf(part, expansion));
  if (segments.every(({ split }) => !split))
    return { fields: [segments.reduce<KnownText>(appended, "")], exact: isOneField(word.parts) };
  return splitFields(segments, expansion.state);
}

const appended = (text: KnownText, part: Segment): KnownText =>
  text === null || part.text === null ? null : text + part.text;

const positional = ({ positional: held }: ShellState): KnownFields =>
  held === null ? { fields: [null], exact: false } : { fields: held, exact: true };

/** A pattern or braces may become any number of fields, one at least. */
const isOneField = (parts: readonly WordPart[]): boolean =>
  parts.every(
    (part) =>
      !/^(Glob|BraceExpansion)$/.test(part.type) &&
      !(part.type === "DoubleQuoted" && /\$\{?[@*]|\[[@*]\]/.test(part.text)),
  );

/** A tilde is a home, which the text does not show. */
const literal = ({ text, value }: Word): KnownText => (/^~|[:=]~/.test(text) ? null : value);

const INEXACT: KnownFields = { fields: [null], exact: false };

function splitFields(segments: readonly Segment[], { steered }: ShellState): KnownFields {
  if (steered || segments.some(({ text, split }) => text === null || (split && /[*?[\]\\]/.test(text)))) return INEXACT;
  const fields: string[] = [];
  let open: string | null = null;
  for (const { text, split } of segments) {
    if (text === null) return INEXACT;
    if (!split) {
      open = (open ?? "") + text;
      continue;
    }
    for (const piece of text.split(/([ \t\n]+)/)) {
      if (/^[ \t\n]+$/.test(piece)) {
        if (open !== null) fields.push(open);
        open = null;
      } else if (piece !== "") open = (open ?? "") + piece;
    }
  }
  return { fields: open === null ? fields : [...fields, open], exact: true };
}

function segmentOf(part: WordPart, expansion: Expansion): Segment {
  switch (part.type) {
    case "Literal":
      return { text: /^~|[:=]~/.test(part.text) ? null : part.value, split: false };
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { text: part.value, split: false };
    case "DoubleQuoted":
    case "LocaleString":
      return { text: part.parts.map((child) => segmentOf(child, expansion)).reduce(appended, ""), split: false };
    case "SimpleExpansion":
    case "ParameterExpansion":
      return { text: parameter(part, expansion, (word) => expandText(word, expansion)), split: true };
    case "CommandExpansion":
      return { text: substituted(part.script, expansion), split: true };
    case "ArithmeticExpansion":
      return { text: calculated(part, expansion), split: true };
    case "Glob":
    case "BraceExpansion":
    case "ProcessSubstitution":
      return { text: null, split: false };
    case "ExtendedGlob":
      return undecided();
  }
}

type ExpandScript = Extract<WordPart, { type: "CommandExpansion" }>["script"];

function substituted(script: ExpandScript, expansion: Expansion): KnownText {
  if (script === undefined || script.errors !== undefined) return undecided();
  const { statuses, out } = expansion.walk.substitute(script, expansion.state, expansion.place);
  expansion.substituted = statuses;
  return out === null ? null : out.replace(/\n+$/, "");
}

/** Bash ends the shell where the text of a variable is no expression. */
function calculated(
  { expression }: Extract<WordPart, { type: "ArithmeticExpansion" }>,
  expansion: Expansion,
): KnownText {
  if (expression === undefined) return undecided();
  const { value, state } = calculate(expression, expansion.state);
  expansion.state = state;
  if (value === null) expansion.aborts = true;
  return value === null ? null : String(value);
}

type Simple = Extract<WordPart, { type: "SimpleExpansion" }>;
type Braced = Extract<WordPart, { type: "ParameterExpansion" }>;
type Held = { readonly state: ShellState; readonly aborts: boolean };
type Effects = { state: ShellState; aborts: boolean };

/** `$x` and `${x...}`. */
function parameter(part: Simple | Braced, effects: Effects, expand: (word: Word) => KnownText): KnownText {
  if (part.type === "SimpleExpansion") return plain(part.text.slice(1), effects);
  const { parameter: name, operation, prefix, index } = part;
  if (prefix === "!" || index !== undefined) {
    effects.aborts = true;
    return null;
  }
  if (prefix === "#") {
    const value = /^[A-Za-z_]/.test(name) ? plain(name, effects) : null;
    return value === null ? null : String([...value].length);
  }
  if (operation === undefined) return plain(name, effects);
  if (operation.type !== "Default") {
    // A transformation may run what the text of a variable holds.
    if (operation.type === "Transform" || operation.type === "Unknown") return undecided();
    if (operation.type === "Slice") effects.aborts = true;
    plain(name, effects);
    return null;
  }
  return defaulted({ name, operator: operation.operator, operand: operation.operand }, effects, expand);
}

type Default = { readonly name: string; readonly operator: string; readonly operand: Word };

function defaulted(
  { name, operator, operand }: Default,
  effects: Effects,
  expand: (word: Word) => KnownText,
): KnownText {
  const value = known(name, effects);
  const isAbsent = operator.startsWith(":") ? value === "" : false;
  const other = expand(operand);
  switch (operator.replace(":", "")) {
    case "-":
      return value === null ? null : isAbsent ? other : value;
    case "+":
      return value === null ? null : isAbsent ? "" : other;
    case "=":
      return value === null || isAbsent ? undecided() : value;
    default:
      if (value === null || isAbsent) effects.aborts = true;
      return isAbsent ? null : value;
  }
}

/** Under `set -u` a variable that may be unset may end the shell. */
function plain(name: string, effects: Effects): KnownText {
  const value = known(name, effects);
  if (value === null && effects.state.nounset && !/^[?#$!@*-]$/.test(name)) effects.aborts = true;
  return value;
}

function known(name: string, { state }: Held): KnownText {
  if (name === "?") return state.last === 0 ? "0" : null;
  if (name === "#") return state.positional === null ? null : String(state.positional.length);
  if (/^[1-9]$/.test(name)) {
    if (state.positional === null) return null;
    const held = state.positional[Number(name) - 1];
    return held === undefined ? (state.nounset ? null : "") : held;
  }
  return isOwn(name) ? null : (state.vars.get(name) ?? null);
}

// The value of an arithmetic expression over literals and known variables, null where the text does not show it.

type Calculation = { readonly value: number | null; readonly state: ShellState };

const UNKNOWN = Symbol("unknown");
const MAX_DEPTH = 100;

type Cell = { state: ShellState };

/** Where the value is unknown, so is every variable that the expression assigns. */
export function calculate(expression: ArithmeticExpression, state: ShellState): Calculation {
  const cell: Cell = { state };
  try {
    return { value: numberOf(expression, cell, 0), state: cell.state };
  } catch (error) {
    if (error !== UNKNOWN) throw error;
  }
  const forgotten = assignedNames(expression).reduce((known, name) => withVariable(known, name, null), state);
  return { value: null, state: forgotten };
}

function numberOf(expression: ArithmeticExpression, cell: Cell, depth: number): number {
  if (depth > MAX_DEPTH) throw UNKNOWN;
  const inner = (part: ArithmeticExpression): number => numberOf(part, cell, depth + 1);
  switch (expression.type) {
    case "ArithmeticGroup":
      return inner(expression.expression);
    case "ArithmeticTernary":
      return inner(expression.test) !== 0 ? inner(expression.consequent) : inner(expression.alternate);
    case "ArithmeticUnary":
      return unary(expression, inner, cell);
    case "ArithmeticBinary":
      return binary(expression, inner, cell);
    case "ArithmeticWord":
      return wordValue(expression.value, cell.state);
    default:
      throw UNKNOWN;
  }
}

type Inner = (part: ArithmeticExpression) => number;
type Unary = Extract<ArithmeticExpression, { type: "ArithmeticUnary" }>;
type Binary = Extract<ArithmeticExpression, { type: "ArithmeticBinary" }>;

function unary({ operator, operand, prefix }: Unary, inner: Inner, cell: Cell): number {
  const value = inner(operand);
  if (operator === "++" || operator === "--") {
    const next = value + (operator === "++" ? 1 : -1);
    assign(operand, next, cell);
    return prefix ? next : value;
  }
  if (operator === "-") return -value;
  if (operator === "+") return value;
  if (operator === "!") return value === 0 ? 1 : 0;
  throw UNKNOWN;
}

function binary({ operator, left, right }: Binary, inner: Inner, cell: Cell): number {
  if (operator === "&&") return inner(left) !== 0 && inner(right) !== 0 ? 1 : 0;
  if (operator === "||") return inner(left) !== 0 || inner(right) !== 0 ? 1 : 0;
  if (operator === "=") return assign(left, inner(right), cell);
  if (operator === ",") {
    inner(left);
    return inner(right);
  }
  const change = /^([-+*/%])=$/.exec(operator)?.[1];
  const value = bounded(operated(inner(left), change ?? operator, inner(right)));
  return change === undefined ? value : assign(left, value, cell);
}

function bounded(value: number): number {
  if (!Number.isSafeInteger(value)) throw UNKNOWN;
  return value;
}

function operated(left: number, operator: string, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return Math.trunc(left / right);
    case "%":
      return left % right;
    case "==":
      return left === right ? 1 : 0;
    case "!=":
      return left !== right ? 1 : 0;
    case "<":
      return left < right ? 1 : 0;
    case ">":
      return left > right ? 1 : 0;
    case "<=":
      return left <= right ? 1 : 0;
    case ">=":
      return left >= right ? 1 : 0;
    default:
      throw UNKNOWN;
  }
}

const NAME = /^(?:\$\{?)?([A-Za-z_]\w*)\}?$/;

function assign(target: ArithmeticExpression, value: number, cell: Cell): number {
  const name = target.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(target.value) ? target.value : null;
  if (name === null) throw UNKNOWN;
  cell.state = withVariable(cell.state, name, String(value));
  return value;
}

/** A number with a leading zero is octal: left alone. */
function wordValue(text: string, state: ShellState): number {
  if (/^(0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  const [, name] = NAME.exec(text) ?? [];
  if (name === undefined || isOwn(name)) throw UNKNOWN;
  const held = state.vars.get(name) ?? null;
  if (held === "") return 0;
  if (held === null || !/^-?(0|[1-9]\d{0,14})$/.test(held)) throw UNKNOWN;
  return Number(held);
}

function assignedNames(expression: ArithmeticExpression): readonly string[] {
  const names: string[] = [];
  const note = (target: ArithmeticExpression): void => {
    const [, name] = target.type === "ArithmeticWord" ? (/^([A-Za-z_]\w*)/.exec(target.value) ?? []) : [];
    if (name !== undefined) names.push(name);
  };
  const visit = (node: SyntaxNode): void => {
    if (node.type === "ArithmeticUnary" && /^(\+\+|--)$/.test(node.operator)) note(node.operand);
    if (node.type === "ArithmeticBinary" && /^([-+*/%&|^]|<<|>>)?=$/.test(node.operator)) note(node.left);
    forEachChild(node, visit);
  };
  visit(expression);
  return names;
}
