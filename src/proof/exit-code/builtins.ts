// Follows the builtins of bash, `test` among them: how they end and what they change. Null for a word that is none of them.
import type { TestExpression, Word } from "unbash";
import { type Expansion, expandText } from "./expansion.ts";
import {
  type CheckEnd,
  type ExitPlace,
  type ExitStatus,
  type ExitWalk,
  either,
  ended,
  isOwn,
  type KnownText,
  type ShellState,
  undecided,
  withVariable,
} from "./state.ts";

export type Truth = boolean | null;

const not = (truth: Truth): Truth => (truth === null ? null : !truth);
const INTEGER = /^[ \t]*[-+]?\d{1,15}[ \t]*$/;

/** The words after `test`, by the number of words as POSIX has it. */
function tested(words: readonly KnownText[], state: ShellState): Truth {
  const [first = null, second = null, third = null] = words;
  switch (words.length) {
    case 0:
      return false;
    case 1:
      return first === null ? null : first !== "";
    case 2:
      return first === "!" ? not(tested(words.slice(1), state)) : unary(first, second, state);
    case 3: {
      const truth = binary(first, second, third);
      if (truth !== undefined) return truth;
      if (first === "!") return not(tested(words.slice(1), state));
      return first === "(" && third === ")" ? tested([second], state) : null;
    }
    case 4:
      return first === "!" ? not(tested(words.slice(1), state)) : null;
    default:
      return null;
  }
}

function unary(operator: KnownText, operand: KnownText, { vars }: ShellState): Truth {
  if (operator === "-v") return operand !== null && typeof vars.get(operand) === "string" ? true : null;
  if (operand === null) return null;
  if (operator === "-n") return operand !== "";
  return operator === "-z" ? operand === "" : null;
}

/** In the place of a text that another task chooses: there it may be equal to anything. */
export const ANY_TEXT = "\u{F8FF}";

const isOpen = (...texts: readonly KnownText[]): boolean => texts.some((text) => text?.includes(ANY_TEXT));

const COMPARED = /^(=|==|!=|-eq|-ne|-lt|-le|-gt|-ge)$/;
const OTHER = /^(<|>|-nt|-ot|-ef)$/;

/** Undefined where the word in the middle is no operator. */
function binary(left: KnownText, operator: KnownText, right: KnownText): Truth | undefined {
  if (operator === null || OTHER.test(operator)) return null;
  if (operator === "-a" || operator === "-o") return null;
  if (!COMPARED.test(operator)) return undefined;
  return left === null || right === null ? null : compared(left, operator, right);
}

function compared(left: string, operator: string, right: string): Truth {
  if (!operator.startsWith("-")) {
    const equal = left === right || (isOpen(left, right) ? null : false);
    return operator === "!=" ? not(equal) : equal;
  }
  if (!INTEGER.test(left) || !INTEGER.test(right)) return null;
  const [a, b] = [Number(left), Number(right)];
  const truths: Record<string, boolean> = {
    "-eq": a === b,
    "-ne": a !== b,
    "-lt": a < b,
    "-le": a <= b,
    "-gt": a > b,
    "-ge": a >= b,
  };
  return truths[operator] ?? null;
}

/**
 * `test`, `[` and `[[ ]]`: true, false, or null where the machine decides. `[[ ]]`. Every word is expanded, which can only add an
 * error that may end the shell.
 */
export function evaluatedTest(expression: TestExpression, expansion: Expansion): Truth {
  switch (expression.type) {
    case "TestGroup":
      return evaluatedTest(expression.expression, expansion);
    case "TestNot": {
      const truth = evaluatedTest(expression.operand, expansion);
      return expression.negations.length % 2 === 1 ? not(truth) : truth;
    }
    case "TestLogical":
      return logical(
        expression.operator,
        expression.operands.map((operand) => evaluatedTest(operand, expansion)),
      );
    case "TestUnary":
      return unary(expression.operator, expandText(expression.operand, expansion), expansion.state);
    case "TestBinary":
      return matched(expression, expansion);
  }
}

function logical(operator: "&&" | "||", truths: readonly Truth[]): Truth {
  const decisive = operator === "||";
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

type Binary = Extract<TestExpression, { type: "TestBinary" }>;

function matched({ left, operator, right }: Binary, expansion: Expansion): Truth {
  const text = expandText(left, expansion);
  if (!COMPARED.test(operator)) {
    expandText(right, expansion);
    return null;
  }
  if (operator.startsWith("-")) {
    const other = expandText(right, expansion);
    // Bash calculates here: a leading zero is octal.
    const isPlain = (value: KnownText) => value !== null && /^-?(0|[1-9]\d{0,14})$/.test(value);
    return isPlain(text) && isPlain(other) ? compared(text ?? "", operator, other ?? "") : null;
  }
  const truth = matchesWord(text, right, expansion);
  return operator === "!=" ? not(truth) : truth;
}

/** More of them would take too long. */
const MAX_STARS = 3;

/** Unquoted `*` and `?` are patterns; other patterns are left alone. */
export function matchesWord(text: KnownText, pattern: Word, expansion: Expansion): Truth {
  const pieces = (pattern.parts ?? []).map((part): string | null => {
    if (part.type === "Glob") return part.kind === "star" ? "[\\s\\S]*" : part.kind === "question" ? "[\\s\\S]" : null;
    const known = expandText({ ...pattern, text: part.text, parts: [part] }, expansion);
    const isPattern = /^(Simple|Parameter|Command)Expansion$/.test(part.type) && /[*?[\]\\+@!(]/.test(known ?? "");
    return known === null || isPattern ? null : escaped(known);
  });
  if (pattern.parts === undefined) pieces.push(escaped(pattern.value));
  if (pieces.length === 1 && pieces[0] === "[\\s\\S]*") return true;
  if (text === null || pieces.includes(null) || pieces.filter((piece) => piece?.startsWith("[")).length > MAX_STARS)
    return null;
  return new RegExp(`^${pieces.join("")}$`, "u").test(text) || (isOpen(text, ...pieces) ? null : false);
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** `args` is null where their number is not known. */
export type BuiltinCall = {
  readonly name: string;
  readonly args: readonly KnownText[] | null;
  readonly by: string;
  readonly place: ExitPlace;
  readonly walk: ExitWalk;
};

type Builtin = (call: BuiltinCall, state: ShellState) => CheckEnd[];

const always =
  (status: ExitStatus): Builtin =>
  ({ by }, state) => [ended(status, state, by)];

const refuse: Builtin = () => undecided();
const open: Builtin = ({ by }, state) => either({ ...state, out: null }, by);

export function builtin(call: BuiltinCall, state: ShellState): CheckEnd[] | null {
  return TABLE.get(call.name)?.(call, state) ?? null;
}

/** The words, all of them known. */
const knownArgs = ({ args }: BuiltinCall): string[] => (args ?? undecided()).map((arg) => arg ?? undecided());

function print({ args, by, place, name }: BuiltinCall, state: ShellState): CheckEnd[] {
  const [format = null] = args ?? [];
  const isPlain =
    name === "echo" || (format !== null && /^([^%\\-]|%[%sbq]|\\[ntr\\"'])([^%\\]|%[%sbq]|\\[ntr\\"'])*$/.test(format));
  const words = args?.some((arg) => arg === null) === false ? args : null;
  const text = name === "echo" && words !== null && !/^-|\\/.test(words.join(" ")) ? `${words.join(" ")}\n` : null;
  const literal = name === "printf" && words?.length === 1 && isPlain && !/[%\\]/.test(format ?? "") ? format : text;
  const after = { ...state, wrote: true, out: state.out === null || literal === null ? null : state.out + literal };
  return place.frail || !isPlain ? either(after, by) : [ended(0, after, by)];
}

function test({ name, args, by, place }: BuiltinCall, state: ShellState): CheckEnd[] {
  if (args === null) return either(state, by);
  if (name === "[" && args.at(-1) !== "]") return args.at(-1) === null ? either(state, by) : [ended(1, state, by)];
  const words = name === "[" ? args.slice(0, -1) : args;
  const truth = place.posix && words.includes("==") ? null : tested(words, state);
  return truth === null ? either(state, by) : [ended(truth ? 0 : 1, state, by)];
}

/** `exit`, `return`: with no number, or with `$?`, the status is that of the command before. */
const leaves =
  (kind: "exit" | "return"): Builtin =>
  (call, state) => {
    const { args, by } = call;
    if (kind === "return" && call.place.calls === 0) return undecided();
    if (args === null || args.length > 1) return undecided();
    const [code] = args;
    const end = (status: ExitStatus): CheckEnd => ({ ...ended(status, state, by), kind });
    const isLast = code === undefined || /^\S+\s+("\$\?"|\$\?|\$\{\?\})$/.test(by);
    if (isLast) return [end(state.last)];
    if (code === null) return [end(0), end(1)];
    return /^\d{1,9}$/.test(code) ? [end(Number(code) % 256 === 0 ? 0 : 1)] : undecided();
  };

const jumps =
  (kind: "break" | "continue"): Builtin =>
  (call, state) => {
    const [levels = "1", ...rest] = knownArgs(call);
    if (rest.length > 0 || !/^[1-9]$/.test(levels)) return undecided();
    return [{ ...ended(0, state, call.by), kind, levels: Number(levels) }];
  };

function declare(call: BuiltinCall, state: ShellState): CheckEnd[] {
  let after = state;
  const isLocal = call.name === "local" || (/^(declare|typeset)$/.test(call.name) && call.place.calls > 0);
  if (call.name === "local" && call.place.calls === 0) return undecided();
  for (const arg of knownArgs(call)) {
    if (/^-[xg]+$/.test(arg)) continue;
    const [, name, value] = /^([A-Za-z_]\w*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    if (name === undefined || isOwn(name)) return undecided();
    if (isLocal) after = { ...after, locals: new Set([...after.locals, name]) };
    if (value !== undefined) after = withVariable(after, name, value.includes("\uFDD0") ? null : value);
    else if (isLocal) after = withVariable(after, name, null);
  }
  return [ended(0, after, call.by)];
}

function set(call: BuiltinCall, state: ShellState): CheckEnd[] {
  const args = knownArgs(call);
  let after = state;
  const put = (letter: string, on: boolean): void => {
    if (letter === "e" || letter === "errexit") after = { ...after, errexit: on };
    else if (letter === "u" || letter === "nounset") after = { ...after, nounset: on };
    else if (letter === "pipefail") after = { ...after, pipefail: on };
    else if (!/^(x|xtrace|v|verbose)$/.test(letter)) undecided();
  };
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--") return [ended(0, { ...after, positional: args.slice(at + 1) }, call.by)];
    if (!/^[-+][a-z]+$/.test(arg)) return undecided();
    const on = arg.startsWith("-");
    for (const letter of arg.slice(1)) {
      if (letter !== "o") put(letter, on);
      else {
        at += 1;
        put(args[at] ?? undecided(), on);
      }
    }
  }
  return args.length === 0 ? undecided() : [ended(0, after, call.by)];
}

function unset(call: BuiltinCall, state: ShellState): CheckEnd[] {
  let after = state;
  for (const name of knownArgs(call)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || after.functions.has(name)) return undecided();
    after = withVariable(after, name, null);
  }
  return [ended(0, after, call.by)];
}

/** What it reads is unknown; so is every name that it may set. */
function read(call: BuiltinCall, state: ShellState): CheckEnd[] {
  const names = ["REPLY", "MAPFILE", ...knownArgs(call).filter((arg) => /^[A-Za-z_]\w*$/.test(arg))];
  const after = names.reduce((known, name) => withVariable(known, name, null), state);
  return either(after, call.by);
}

const UNHEARD = /^(SIG)?(INT|TERM|HUP|QUIT|USR1|USR2|PIPE|ALRM|[1-9]\d?)$/;

function trap(call: BuiltinCall, state: ShellState): CheckEnd[] {
  const [text, ...signals] = knownArgs(call);
  if (text === undefined || signals.length === 0 || /^-[lp]/.test(text) || /^\d+$/.test(text)) return undecided();
  const ends = signals.some((signal) => /^(SIG)?(EXIT|0)$/i.test(signal));
  if (signals.some((signal) => !/^(EXIT|0)$/.test(signal) && !UNHEARD.test(signal))) return undecided();
  return [ended(0, ends ? { ...state, trap: text === "-" ? null : text } : state, call.by)];
}

function without(call: BuiltinCall, state: ShellState): CheckEnd[] {
  const { args } = call;
  const [name, ...rest] = args ?? undecided();
  if (typeof name !== "string") return undecided();
  if (name.startsWith("-")) return /^-[vV]$/.test(name) ? open(call, state) : undecided();
  const inner: BuiltinCall = { ...call, name, args: rest };
  return builtin(inner, state) ?? open(inner, state);
}

/** A shift or a job is of no interest, but the words that it leaves are not followed. */
const shift: Builtin = ({ by }, state) => either({ ...state, positional: null }, by);

const each = (names: string, run: Builtin): [string, Builtin][] => names.split(" ").map((name) => [name, run]);

const TABLE: ReadonlyMap<string, Builtin> = new Map([
  ...each(": true", always(0)),
  ...each("false", always(1)),
  ...each("echo printf", print),
  ...each("test [", test),
  ...each("exit", leaves("exit")),
  ...each("return", leaves("return")),
  ...each("break", jumps("break")),
  ...each("continue", jumps("continue")),
  ...each("export declare typeset local", declare),
  ...each("set", set),
  ...each("unset", unset),
  ...each("read mapfile readarray", read),
  ...each("trap", trap),
  ...each("command builtin", without),
  ...each("shift", shift),
  ...each("cd pushd popd dirs wait jobs type times umask hash pwd", open),
  // What they run or change is beyond the text, or ends this very shell.
  ...each(
    "eval source . exec alias unalias enable shopt readonly let getopts kill pkill killall skill bind complete compgen compopt caller coproc suspend logout disown ulimit fc history bg fg reboot shutdown poweroff halt",
    refuse,
  ),
]);
