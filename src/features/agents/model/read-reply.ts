// Reads what a model wrote: its text, its reasoning, and calls that its server did not find there (D-142). A call is JSON with a
// name and arguments: in <tool_call> tags, in a fence, or on lines of its own. All other text is kept. It is a judgement of texts
// that others wrote (D-241): a hostile one takes a second for each million characters.
import { z } from "zod";
import { type Json, JsonValue, MAX_DEPTH } from "../../../domain/json.ts";
import { canonicalJson, parseStrictJson } from "../../../domain/json-values.ts";
import type { AgentMessage, OfferedTool, WrittenCall } from "../agent-message.ts";

type Question = {
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly OfferedTool[];
  /** What tools have returned, also where the messages leave it out. */
  readonly data?: readonly string[];
};

export type TextRead = {
  readonly text: string;
  readonly thinking: string | null;
  readonly calls: readonly WrittenCall[];
  /** How many calls are not made, because they are quotations or examples. */
  readonly quoted?: number;
};

type Offered = ReadonlySet<string>;
/** `json` is what they are read from. */
type Calls = { readonly calls: readonly WrittenCall[]; readonly end: number; readonly json: string };

/** Every position where reasoning, a call, or the output that a model makes up after its calls may begin. */
const LANDMARK = /<\/?think(?:ing)?>|<tool_call>|<tool_response>|```|^[ \t]*(?=[{[])/gm;
const THOUGHT_END = /<\/think(?:ing)?>/g;

/** Calls of the offered tools only. */
export function readReply(written: string, beside: Question): TextRead {
  const offered = new Set(beside.tools.map(({ name }) => name));
  const own = ownCallsBeside(beside, offered);
  const thoughts: string[] = [];
  let [text, from, quoted, in_fence] = ["", 0, 0, false];
  let calls: WrittenCall[] = [];
  for (let mark = matchAt(LANDMARK, written, 0); mark !== null; ) {
    const { index: at, 0: word } = mark;
    let end = at + word.length;
    if (word.startsWith("<think")) {
      const closed = matchAt(THOUGHT_END, written, end);
      const to = closed?.index ?? written.length;
      text += written.slice(from, at);
      thoughts.push(written.slice(end, to));
      from = end = to + (closed?.[0].length ?? 0);
    } else if (word.startsWith("</think")) {
      text += written.slice(from, at);
      // The template of some models opens the reasoning before the text begins.
      if (thoughts.length === 0) {
        thoughts.push(written.slice(0, at));
        [text, calls, quoted] = ["", [], 0];
      }
      from = end;
    } else if (word === "<tool_response>") {
      if (calls.length > 0) break;
    } else if (!in_fence || formatOf(word) !== LINES) {
      const read = callsAt(written, at, formatOf(word), offered);
      const made = isWarnedOf(written, at, word) ? [] : own(read);
      quoted += read.calls.length - made.length;
      if (made.length > 0) {
        text += written.slice(from, at);
        calls.push(...made);
        from = read.end;
      } else if (word === "```") in_fence = !in_fence;
      end = Math.max(end, read.end);
    }
    mark = matchAt(LANDMARK, written, Math.max(end, at + 1));
  }
  text += written.slice(from);
  const thinking = thoughts.map((thought) => thought.trim()).filter((thought) => thought !== "");
  return {
    text: text.trim(),
    thinking: thinking.length === 0 ? null : thinking.join("\n\n"),
    calls,
    ...(quoted > 0 && { quoted }),
  };
}

/** Matches from a position on (flag `g`), or at it (flag `y`). */
function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const TAG = { open: /<tool_call>\s{0,8}/y, close: /(?:\s{0,8}<\/tool_call>)?/y };
const FENCE = { open: /```(?:json)?[ \t]{0,8}\r?\n\s{0,64}(?=[{[])/y, close: /\s{0,64}(?:```|$)/y };
const LINES = { open: /[ \t]*/y, close: /[ \t]{0,64}[;,]?[ \t]{0,64}(?![^\r\n])/y };
const formatOf = (word: string) => (word === "<tool_call>" ? TAG : word === "```" ? FENCE : LINES);
const SEPARATION = /[\s,;]{0,64}(?=[{[])/y;

/** Consecutive JSON values at a landmark while they are calls, with what closes them. None where it is not closed. */
function callsAt(written: string, at: number, format: typeof TAG, offered: Offered): Calls {
  const open = matchAt(format.open, written, at);
  if (open === null) return { calls: [], end: at, json: "" };
  const calls: WrittenCall[] = [];
  const start = at + open[0].length;
  let end = start;
  for (let from = start; ; ) {
    const read = jsonAt(written, from);
    const found = callsOf(read.value, offered);
    if (found === null) {
      if (calls.length === 0) return { calls, end: read.end, json: "" };
      break;
    }
    calls.push(...found);
    end = read.end;
    const separation = matchAt(SEPARATION, written, end);
    if (separation === null) break;
    from = end + separation[0].length;
  }
  const close = matchAt(format.close, written, end);
  const json = written.slice(start, end);
  return close === null ? { calls: [], end, json } : { calls, end: end + close[0].length, json };
}

const WARNINGS: readonly RegExp[] = [
  /\b(?:do not|don['’]?t|never|must not|should not|cannot)\s+(?:ever\s+|actually\s+)?(?:be\s+)?(?:run|execute|call|ma[dk]e|use|send|try)/i,
  /\bnever\W*$/i,
  /\bexamples?(?:\s+(?:call|of)\b[^.!?]{0,60})?\W*$/i,
  /^\W*(?:for\s+)?example(?:\s+call)?\s*[:,]/i,
];

/** Whether the line directly before JSON says that it is not to be run. */
function isWarnedOf(written: string, at: number, word: string): boolean {
  if (word === "<tool_call>") return false;
  const before = written.slice(Math.max(0, at - 400), at).trimEnd();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return !/^\s*[{[]/.test(line) && WARNINGS.some((warning) => warning.test(line));
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]|[\s\d,:.+\-truefalsnE]+/sy;

/**
 * Every character is read once: a caller goes on at `end`. `value` is undefined where it is not JSON, has a field twice, or is cut
 * off. Raw line breaks and tabs in strings are accepted: models that write a script into an argument forget to escape them.
 */
function jsonAt(text: string, start: number): { readonly value: Json | undefined; readonly end: number } {
  let [json, end, depth] = ["", start, 0];
  for (let token = matchAt(TOKEN, text, end); token !== null && depth <= MAX_DEPTH; token = matchAt(TOKEN, text, end)) {
    const [part] = token;
    end += part.length;
    json += part.startsWith('"') ? part.replace(/\\.|[\n\r\t]/gs, breaksEscaped) : part;
    depth += part === "{" || part === "[" ? 1 : part === "}" || part === "]" ? -1 : 0;
    if (depth <= 0) return { value: parseStrictJson(json) as Json | undefined, end };
  }
  return { value: undefined, end };
}

/** A backslash before a line break is a literal backslash. */
const breaksEscaped = (one: string): string => (/[\n\r\t]/.test(one) ? JSON.stringify(one).slice(1, -1) : one);

const NAMES = ["name", "tool", "tool_name", "action", "function"];
const ARGUMENTS = ["arguments", "parameters", "args", "input", "tool_input", "action_input"];
/** Models also write down the tools that they were offered. */
const Schema = z.looseObject({ type: z.literal("object"), properties: z.looseObject({}) });

/** The calls in a JSON value; null when any part of it is not a call. */
function callsOf(value: Json | undefined, offered: Offered): WrittenCall[] | null {
  const calls = [value].flat().map((one) => {
    const fields = new Map(Object.entries(one ?? {}));
    const [name, given] = [NAMES, ARGUMENTS].map((keys) => fields.get(keys.find((key) => fields.has(key)) ?? ""));
    if (typeof name !== "string" || !offered.has(name) || given === undefined) return null;
    return Schema.safeParse(given).success ? null : { name, arguments: argumentsOf(given) };
  });
  return calls.length === 0 || calls.includes(null) ? null : calls.filter((call) => call !== null);
}

/** The arguments as JSON. Text that contains JSON is parsed; a value that cannot be kept as JSON becomes text. */
export function argumentsOf(written: unknown): Json {
  const parsed = (text: string): unknown => (text.trim() === "" ? {} : (parseStrictJson(text) ?? text));
  const value = typeof written === "string" ? parsed(written) : (written ?? {});
  const json = JsonValue.safeParse(value);
  return json.success ? json.data : JSON.stringify(value);
}

/**
 * Hostile text takes a second or more for each million characters, in the thread that judges. Any more is only compared word for
 * word, the oldest first.
 */
const MAX_PARSED = 1_000_000;

/** Those of the calls that no output and no description of a tool has, word for word or with its fields in another format. */
function ownCallsBeside({ messages, tools, data = [] }: Question, offered: Offered) {
  const texts = [
    ...tools.flatMap(({ description, parameters }) => [description, JSON.stringify(parameters)]),
    ...messages.filter(({ role }) => role === "tool").map(({ text }) => text),
    ...data.toReversed(),
  ];
  let said: readonly string[] | undefined;
  let keys: ReadonlySet<string> | undefined;
  return ({ calls, json }: Calls): readonly WrittenCall[] => {
    if (calls.length === 0) return calls;
    said ??= texts.map(squeezed);
    if (said.some((text) => text.includes(squeezed(json)))) return [];
    keys ??= new Set(callsWithin(texts.join("\n").slice(0, MAX_PARSED), offered).map(keyOf));
    return calls.filter((call) => keys?.has(keyOf(call)) === false);
  };
}

/** Without differences in escaping: a quotation may be escaped once, twice, or as in a data document. */
const squeezed = (text: string): string =>
  text
    .replace(/(?<!\\)\\+u003c/gi, "<")
    .replace(/(?<!\\)\\+u005b/gi, "[")
    .replace(/\\+[nrt]|[\s\\]+/g, "");

const keyOf = ({ name, arguments: given }: WrittenCall): string =>
  `${name} ${squeezed(canonicalJson(given)).replaceAll('"', "")}`;

/** Text is JSON in JSON at most this often: a tool's result quotes a document that quotes a call. */
const ESCAPES = 3;
const OBJECT = /\{\s{0,64}"/g;
const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** What may be a call in any format: arguments beside the name of a tool in an object, soon after it, or in tags. */
function callsWithin(said: string, offered: Offered): WrittenCall[] {
  const calls: WrittenCall[] = [];
  let text = said;
  for (let level = 0; level <= ESCAPES; level += 1) {
    calls.push(...taggedCalls(text));
    for (let mark = matchAt(OBJECT, text, 0); mark !== null; ) {
      const { value, end } = jsonAt(text, mark.index);
      const before = text.slice(Math.max(0, mark.index - 64), mark.index);
      if (value !== undefined) {
        for (const name of offered) if (before.includes(name)) calls.push({ name, arguments: value });
        for (const call of callsOfAny(value, offered)) calls.push(call);
      }
      mark = matchAt(OBJECT, text, value === undefined ? mark.index + 1 : end);
    }
    const next = unescaped(text);
    if (next === text) break;
    text = next;
  }
  return calls;
}

function* callsOfAny(value: Json, offered: Offered): Generator<WrittenCall> {
  if (typeof value !== "object" || value === null) return;
  yield* callsOf(value, offered) ?? [];
  for (const held of Object.values(value)) yield* callsOfAny(held, offered);
}

/** <function=name><parameter=key>value</parameter></function> */
const taggedCalls = (text: string): WrittenCall[] =>
  text
    .split("<function=")
    .slice(1)
    .map((call) => {
      const [head = "", ...parameters] = call.split("<parameter=");
      const given = parameters.map((parameter) => /^([^<>\n]{1,128})>(.*?)<\/parameter>/s.exec(parameter) ?? []);
      const fields = given.map(([, key = "", value = ""]) => [key, value]);
      return { name: head.slice(0, head.indexOf(">")), arguments: argumentsOf(Object.fromEntries(fields)) };
    });

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_match, code: string | undefined, character: string) =>
    code === undefined ? (LETTERS[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );
