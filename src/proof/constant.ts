// Finds the exit code of a check where its text alone decides it: such a check proves nothing. Follows every way through the text,
// with the variables of the contract as the only ones that it knows. A program of the machine may end either way.
import type { Command, CompoundList, ParsedScript, Redirection, Statement, SyntaxNode, Word, WordPart } from "unbash";
import { readPipes } from "./pipes.ts";
import { contains, programName, treeOf } from "./syntax.ts";

/** `exit_code` 1 is every code but 0. `why` completes "check step 1 cannot fail: ...". */
type ConstantExit = { readonly exit_code: Status; readonly why: string };

type Status = 0 | 1;

/** One way in which a part ends, with the commands that give its status. */
type End = {
  readonly way: "next" | "exit" | "return" | "break" | "continue";
  readonly status: Status;
  readonly by: readonly string[];
};

type Node = Statement["command"];

type Known = {
  readonly source: string;
  /** `set -e` is somewhere in the text. */
  readonly strict: boolean;
  readonly pipefail: boolean;
  readonly functions: Map<string, Extract<Node, { type: "Function" }>["body"]>;
  readonly count: { steps: number };
  /** Values of variables that the text never sets. */
  readonly values: ReadonlyMap<string, string>;
  /** Something looks at the status, so that `set -e` does not. */
  readonly lenient: boolean;
  readonly calls: number;
  readonly loops: number;
};

/** The text does not show how this ends: nothing is constant. */
class Undecided extends Error {}

function undecided(): never {
  throw new Undecided();
}

const MAX_SHOWN = 60;
/** The same for every task of a procedure. */
const OF_THE_TARGET = /^ORCH_TARGET_/;
/** Always set, to another text in another task. */
const OF_THE_TASK = /^ORCH_(PAYLOAD|TASK_ID)$/;
/** In the place of a text that another task chooses: it is not empty, and may be equal to anything. */
const ANY_TEXT = "\u{F8FF}";

/**
 * Such a check is refused when steps are taught. What cannot be followed to its end is not constant. `env` holds the variables of
 * the contract. Never throws.
 */
export function constantExit(text: string, env: Readonly<Record<string, string>>): ConstantExit | null {
  // The parser keeps some line continuations that bash removes first.
  const sources = text.includes("\\\n") ? [text, text.replaceAll("\\\n", "")] : [text];
  const seen = sources.map((source) => exitOf(source, env));
  const [exit = null] = seen;
  return exit !== null && seen.every((one) => one?.exit_code === exit.exit_code) ? exit : null;
}

function exitOf(source: string, env: Readonly<Record<string, string>>): ConstantExit | null {
  const tree = treeOf(source);
  if (tree === null || contains(tree, isBeyond)) return null;
  try {
    const ends = inList(tree.commands, knownOf(source, tree, env));
    const [first] = ends;
    if (first === undefined || ends.some(({ status }) => status !== first.status)) return null;
    return { exit_code: first.status, why: sentence(ends, first.status) };
  } catch {
    // Undecided, or nested too deeply for this process.
    return null;
  }
}

/** What these run or change is beyond the text, or ends this very shell. */
const BEYOND =
  /^(eval|source|\.|exec|alias|unalias|enable|shopt|readonly|unset|kill|pkill|killall|skill|trap|builtin|ulimit|coproc|suspend|logout|reboot|shutdown|poweroff|halt)$/;
const STEERING = /^(PATH|IFS|POSIXLY_CORRECT|BASH\w*|ENV|LD_\w+|GLOBIGNORE|EXECIGNORE)$/;
const PLAIN_SET = /^set( -[ex]+| -[ex]*o (pipefail|errexit|xtrace))+$/;

function isBeyond(node: SyntaxNode): boolean {
  if (node.type === "Assignment") return STEERING.test(node.name);
  if (node.type !== "Command" || node.name === undefined) return false;
  const name = programName(node);
  const words = [node.name, ...node.args].map((word) => word.text).join(" ");
  if (name === "set") return !PLAIN_SET.test(words);
  if (name === "command") return !/^command -[vV] /.test(words);
  return name === null || BEYOND.test(name);
}

function knownOf(source: string, tree: ParsedScript, env: Readonly<Record<string, string>>): Known {
  const own = Object.entries(env).filter(([name]) => OF_THE_TARGET.test(name) || OF_THE_TASK.test(name));
  const values = own.filter(([name]) => timesSet(source, name) === 0);
  return {
    source,
    strict: contains(tree, (node) => node.type === "Command" && /^set .*(-\w*e|errexit)/.test(textOf(node, source))),
    pipefail: !readPipes(source, { strict: false }).last_part_decides,
    functions: new Map(),
    count: { steps: 0 },
    values: new Map(values.map(([name, value]) => [name, OF_THE_TASK.test(name) ? ANY_TEXT : value])),
    lenient: false,
    calls: 0,
    loops: 0,
  };
}

/** Each mention of a variable that does not read it, perhaps more. */
const timesSet = (source: string, name: string): number =>
  source.match(new RegExp(`(?<![$\\w{#])${name}\\b`, "g"))?.length ?? 0;

const textOf = ({ pos, end }: { readonly pos: number; readonly end: number }, source: string): string =>
  source.slice(pos, end);

function sentence(ends: readonly End[], status: Status): string {
  const commands = [...new Set(ends.flatMap(({ by }) => by))].filter((by) => by.trim() !== "").slice(0, MAX_BY);
  const code = status === 0 ? "0" : "never 0";
  if (commands.length === 0) return "it runs nothing that could fail";
  const [only = ""] = commands;
  if (commands.length === 1) return `its exit code is that of ${shown(only)}, which is ${code} on any machine`;
  return `its exit code is ${code} on any machine: it ends with ${commands.map(shown).join(" or with ")}`;
}

const MAX_BY = 4;

function shown(command: string): string {
  const line = command.trim().replace(/\s+/g, " ");
  return `\`${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).toWellFormed()}...` : line}\``;
}

const next = (status: Status, by: string): End => ({ way: "next", status, by: [by] });
const either = (by: string): End[] => [next(0, by), next(1, by)];
const goesOn = ({ way }: End): boolean => way === "next";

/** One end of each way and status. */
function merged(ends: readonly End[]): End[] {
  const table = new Map<string, End>();
  for (const end of ends) {
    const key = `${end.way} ${end.status}`;
    table.set(key, { ...end, by: [...new Set([...(table.get(key)?.by ?? []), ...end.by])] });
  }
  return [...table.values()];
}

function inList(statements: readonly Statement[], known: Known): End[] {
  let live: readonly End[] = [next(0, "")];
  const left: End[] = [];
  for (const { command, background, pos, end } of statements) {
    const by = known.source.slice(pos, end);
    const ends = background === true ? [next(0, by)] : inNode(command, known);
    left.push(...ends.filter((one) => !goesOn(one)));
    live = merged(ends.filter(goesOn));
    if (live.length === 0) break;
  }
  return merged([...left, ...live]);
}

const inBody = ({ commands }: CompoundList, known: Known): End[] => inList(commands, known);

const MAX_STEPS = 4_000;

function inNode(node: Node, known: Known): End[] {
  known.count.steps += 1;
  if (known.count.steps > MAX_STEPS) undecided();
  const by = textOf(node, known.source);
  switch (node.type) {
    case "Command":
      return strictly(inCommand(node, known), known);
    case "Pipeline":
      return strictly(inPipeline(node, known), known);
    case "AndOr":
      return inAndOr(node, known);
    case "BraceGroup":
      return inBody(node.body, known);
    case "Subshell":
      return strictly(ownShell(inBody(node.body, { ...known, loops: 0 })), known);
    case "Redirected": {
      const ends = inNode(node.command, known);
      return isSafe(node.redirects, known) ? ends : merged([...ends, next(1, by)]);
    }
    case "Function":
      if (known.calls + known.loops > 0 || known.functions.has(node.name.value)) undecided();
      known.functions.set(node.name.value, node.body);
      return [next(0, by)];
    case "If":
      return inIf(node, known);
    case "Case":
      return inCase(node, known);
    case "For":
      return inFor(node, known);
    case "TestCommand":
      return strictly(inTest(node, known), known);
    case "ArithmeticCommand":
      return strictly(either(by), known);
    default:
      // A loop without a bound may never end.
      return undecided();
  }
}

/** Where `set -e` counts, what fails may end the shell. */
const strictly = (ends: End[], { strict, lenient }: Known): End[] =>
  strict && !lenient
    ? ends.flatMap((end) => (goesOn(end) && end.status === 1 ? [end, { ...end, way: "exit" as const }] : [end]))
    : ends;

const ownShell = (ends: readonly End[]): End[] => merged(ends.map((end) => ({ ...end, way: "next" as const })));

type Of<T extends Node["type"]> = Extract<Node, { type: T }>;

function inAndOr({ commands, operators }: Of<"AndOr">, known: Known): End[] {
  const left: End[] = [];
  let live: readonly End[] = [next(0, "")];
  for (const [at, command] of commands.entries()) {
    const operator = operators[at - 1];
    const inner = { ...known, lenient: known.lenient || at < commands.length - 1 };
    const runs = ({ status }: End) => operator === undefined || (status === 0) === (operator === "&&");
    const after = live.flatMap((end) => (runs(end) ? inNode(command, inner) : [end]));
    left.push(...after.filter((end) => !goesOn(end)));
    live = merged(after.filter(goesOn));
  }
  return merged([...left, ...live]);
}

/** Each part runs in a shell of its own. With pipefail, one that writes may be ended by a reader that is gone. */
function inPipeline(node: Of<"Pipeline">, known: Known): End[] {
  const by = textOf(node, known.source);
  const isTurned = node.prefixes.filter(({ type }) => type === "Negation").length % 2 === 1;
  const inner = isTurned ? { ...known, lenient: true } : known;
  const [only, ...readers] = node.commands;
  const last = readers.at(-1);
  let ends = only === undefined ? undecided() : inNode(only, inner);
  if (last !== undefined) {
    const own = ownShell(inNode(last, { ...inner, loops: 0 }));
    ends = (known.pipefail ? merged([...own, next(1, by)]) : own).map((end) => ({ ...end, by: [by] }));
  }
  return isTurned ? ends.map((end) => (goesOn(end) ? next(end.status === 0 ? 1 : 0, by) : end)) : ends;
}

function inIf(node: Of<"If">, known: Known): End[] {
  const ends: End[] = [];
  let isOpen = true;
  for (const { clause, then } of [node, ...node.elif]) {
    const tried = inBody(clause, { ...known, lenient: true });
    ends.push(...tried.filter((end) => !goesOn(end)));
    if (tried.some((end) => goesOn(end) && end.status === 0)) ends.push(...inBody(then, known));
    isOpen = tried.some((end) => goesOn(end) && end.status === 1);
    if (!isOpen) break;
  }
  if (!isOpen) return merged(ends);
  const otherwise = node.else === undefined ? [next(0, textOf(node, known.source))] : inBody(node.else, known);
  return merged([...ends, ...otherwise]);
}

function inCase(node: Of<"Case">, known: Known): End[] {
  expanded(node.word, known);
  const ends: End[] = [];
  let isOpen = true;
  for (const { pattern, body, terminator } of node.items) {
    if (terminator !== undefined && terminator !== ";;") undecided();
    ends.push(...inBody(body, known));
    isOpen = !pattern.some(({ text }) => text === "*");
    if (!isOpen) break;
  }
  return merged(isOpen ? [...ends, next(0, textOf(node, known.source))] : ends);
}

/** The rounds of a list that is written out, one by one; another list may have any length. */
function inFor({ wordlist, name, body, pos, end }: Of<"For">, known: Known): End[] {
  const by = known.source.slice(pos, end);
  const words = (wordlist ?? []).map((word) => expanded(word, known));
  const isWrittenOut = wordlist !== undefined && words.every(({ is_one, text }) => is_one && text !== null);
  const isOwn = timesSet(known.source, name.value) === 1;
  const round = (text: string | null): End[] => {
    const values = new Map(known.values);
    values.delete(name.value);
    if (isOwn && text !== null) values.set(name.value, text);
    return inBody(body, { ...known, values, loops: known.loops + 1 });
  };
  const left: End[] = [];
  let live: End[] = [next(0, by)];
  for (const { text } of isWrittenOut ? words : [{ text: null }]) {
    const ends = round(text);
    left.push(...ends.filter(({ way }) => way === "exit" || way === "return"));
    left.push(...ends.filter(({ way }) => way === "break").map((one) => ({ ...one, way: "next" as const })));
    const after = ends.filter(({ way }) => way === "next" || way === "continue");
    live = merged([...(isWrittenOut ? [] : live), ...after.map((one) => ({ ...one, way: "next" as const }))]);
    if (live.length === 0) break;
  }
  return merged([...left, ...live]);
}

function inTest({ expression, pos, end }: Of<"TestCommand">, known: Known): End[] {
  const by = known.source.slice(pos, end);
  if (expression.type !== "TestUnary") return either(by);
  return byTruth(tested([expression.operator, expanded(expression.operand, known).text]), by);
}

const byTruth = (truth: boolean | null, by: string): End[] => (truth === null ? either(by) : [next(truth ? 0 : 1, by)]);

const MAX_CALLS = 16;

function inCommand(node: Command, known: Known): End[] {
  const by = textOf(node, known.source);
  for (const part of node.prefix)
    if (part.type === "Assignment" && part.value.type === "Word") expanded(part.value, known);
  const words = node.args.map((arg) => expanded(arg.type === "Word" ? arg : arg.value, known));
  const ends = node.name === undefined ? assigned(node, by) : started(node, { words, by }, known);
  return isSafe(node.redirects, known) ? ends : merged([...ends, next(1, by)]);
}

/** The status of a substitution is that of the assignment. */
const assigned = (node: Command, by: string): End[] =>
  contains(node, ({ type }) => type === "CommandExpansion") ? either(by) : [next(0, by)];

type Line = { readonly words: readonly Expanded[]; readonly by: string };

function started(node: Command, { words, by }: Line, known: Known): End[] {
  const name = node.name?.text ?? "";
  const body = known.functions.get(name);
  if (body !== undefined) return called(body, known);
  const texts = words.map(({ text }) => text);
  const isExact = words.every(({ is_one }) => is_one);
  switch (name) {
    case ":":
    case "true":
      return [next(0, by)];
    case "false":
      return [next(1, by)];
    case "echo":
      return [next(0, by)];
    case "printf":
      return isPlainFormat(texts[0] ?? null) ? [next(0, by)] : either(by);
    case "sleep":
      return texts.length > 0 && texts.every((text) => /^\d+(\.\d+)?[smhd]?$/.test(text ?? ""))
        ? [next(0, by)]
        : either(by);
    case "test":
      return byTruth(isExact ? tested(texts) : null, by);
    case "[":
      return byTruth(isExact && texts.at(-1) === "]" ? tested(texts.slice(0, -1)) : null, by);
    case "exit":
      return left("exit", texts, by);
    case "return":
      return known.calls === 0 ? undecided() : left("return", texts, by);
    case "break":
    case "continue":
      return known.loops === 0 || texts.length > 0 ? undecided() : [{ way: name, status: 0, by: [by] }];
    case "export":
    case "declare":
    case "local":
      return name === "local" && known.calls === 0 ? either(by) : declared(node, by);
    case "set":
      return [next(0, by)];
    default:
      return either(by);
  }
}

const isPlainFormat = (format: string | null): boolean =>
  format !== null && /^([^%\\-]|%[%sbq]|\\[ntr\\"'])([^%\\]|%[%sbq]|\\[ntr\\"'])*$/.test(format);

/** Of a plain name: what the command in its value answered is lost. */
const declared = ({ args }: Command, by: string): End[] =>
  args.every((arg) => /^[A-Za-z_]\w*(=|$)/.test(arg.text)) ? [next(0, by)] : either(by);

function left(way: "exit" | "return", texts: readonly (string | null)[], by: string): End[] {
  const [code = null, ...more] = texts;
  const end = (status: Status): End => ({ way, status, by: [by] });
  if (code === null || more.length > 0 || !/^\d{1,9}$/.test(code)) return [end(0), end(1)];
  return [end(Number(code) % 256 === 0 ? 0 : 1)];
}

function called(body: Of<"Function">["body"], known: Known): End[] {
  if (known.calls >= MAX_CALLS) undecided();
  const inner = { ...known, calls: known.calls + 1, loops: 0 };
  const ends = body.type === "CompoundList" ? inBody(body, inner) : inNode(body, inner);
  return merged(ends.map((end) => (end.way === "return" ? { ...end, way: "next" as const } : end)));
}

/** The words after `test`, by their number: true, false, or null where the machine decides. */
function tested(words: readonly (string | null)[]): boolean | null {
  const [first = null, second = null, third = null] = words;
  if (words.length === 0) return false;
  if (words.length === 1) return first === null ? null : first !== "";
  if (words.length === 3 && second !== null && COMPARES.test(second)) return compared(first, second, third);
  if (first === "!") {
    const truth = tested(words.slice(1));
    return truth === null ? null : !truth;
  }
  if (words.length !== 2 || second === null) return null;
  if (first === "-n") return second !== "";
  return first === "-z" ? second === "" : null;
}

const COMPARES = /^(=|==|!=|-eq|-ne|-lt|-le|-gt|-ge)$/;

function compared(left: string | null, operator: string, right: string | null): boolean | null {
  if (left === null || right === null || left.includes(ANY_TEXT) || right.includes(ANY_TEXT)) return null;
  if (!operator.startsWith("-")) return (left === right) === (operator !== "!=");
  if (![left, right].every((text) => /^[-+]?\d{1,15}$/.test(text))) return null;
  const difference = Number(left) - Number(right);
  const isEqual = /^-(eq|le|ge)$/.test(operator);
  if (difference === 0) return isEqual;
  if (operator === "-ne") return true;
  return operator !== "-eq" && difference > 0 === operator.startsWith("-g");
}

/** `text` is null where the text of the check does not show it. `is_one` is false where it may become any number of words. */
type Expanded = { readonly text: string | null; readonly is_one: boolean };

function expanded(
  word: Word | Extract<Command["args"][number], { type: "Assignment" }>["value"],
  known: Known,
): Expanded {
  if (word.type !== "Word") return { text: null, is_one: false };
  if (/^~|[:=]~/.test(word.text)) return { text: null, is_one: true };
  if (word.parts === undefined) return { text: word.value, is_one: true };
  const parts = word.parts.map((part) => partOf(part, known, false));
  return {
    text: parts.reduce<string | null>((all, { text }) => (all === null || text === null ? null : all + text), ""),
    is_one: parts.every(({ is_one }) => is_one),
  };
}

/** What may end the shell with an error is not followed. */
function partOf(part: WordPart, known: Known, quoted: boolean): Expanded {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { text: part.value, is_one: true };
    case "DoubleQuoted":
    case "LocaleString": {
      const parts = part.parts.map((child) => partOf(child, known, true));
      return {
        text: parts.reduce<string | null>((all, { text }) => (all === null || text === null ? null : all + text), ""),
        is_one: !/\$\{?[@*]|\[[@*]\]/.test(part.text),
      };
    }
    case "SimpleExpansion":
      return variable(part.text.slice(1), known, quoted);
    case "ParameterExpansion":
      if (part.operation === undefined && part.prefix === undefined && part.index === undefined)
        return variable(part.parameter, known, quoted);
      return isHarmless(part) ? { text: null, is_one: quoted } : undecided();
    case "CommandExpansion":
    case "Glob":
    case "BraceExpansion":
      return { text: null, is_one: quoted };
    case "ProcessSubstitution":
      return { text: null, is_one: true };
    default:
      return undecided();
  }
}

const isHarmless = ({ prefix, operation }: Extract<WordPart, { type: "ParameterExpansion" }>): boolean =>
  prefix === "#" ||
  operation?.type === "Remove" ||
  operation?.type === "Replace" ||
  (operation?.type === "Default" && /[-+]$/.test(operation.operator));

function variable(name: string, { values }: Known, quoted: boolean): Expanded {
  const text = values.get(name) ?? null;
  return { text, is_one: quoted || (text !== null && /^[^\s*?[\]\\]+$/.test(text) && text !== ANY_TEXT) };
}

const SAFE_FILES = /^\/dev\/(null|stdout|stderr)$/;

/** Whether the redirections are sure to succeed: where one fails, the command does not run. */
const isSafe = (redirects: readonly Redirection[], known: Known): boolean =>
  redirects.every((one) => {
    if (one.type === "HereDoc" || one.target === undefined) return one.type === "HereDoc";
    const { text } = expanded(one.target, known);
    if (one.type === "HereString") return true;
    const { operator, descriptor } = one;
    if (descriptor?.type === "FileDescriptorVariable" || (descriptor?.value ?? 0) > 2 || text === null) return false;
    if (operator === ">&") return /^[12]$/.test(text) || text === "/dev/null";
    return operator === "<" ? text === "/dev/null" : SAFE_FILES.test(text) && /^(>|>>|>\||&>|&>>)$/.test(operator);
  });
