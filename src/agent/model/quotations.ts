// Decides which calls in a model's text are its own (D-142). A call that occurs in the output or the description of a tool is
// data: it is compared as it was parsed, in any format, and word for word.
import { canonicalJson } from "../../domain/json-values.ts";
import type { AgentMessage, OfferedTool, WrittenCall } from "../agent-message.ts";
import { LANDMARK } from "./call-formats.ts";
import { type CallReading, callsOf, type Offered } from "./call-shapes.ts";
import { callsAt } from "./calls-at.ts";
import { jsonAt } from "./json-in-text.ts";
import { matchAt } from "./match-at.ts";

type Data = {
  readonly messages: readonly AgentMessage[];
  readonly tools: readonly OfferedTool[];
  /** What tools have returned, also where the messages leave it out. */
  readonly data?: readonly string[];
};

/** Reads the data only when there is a call to compare. */
export function ownCallsBeside({ messages, tools, data = [] }: Data): CallReading["own"] {
  const texts = [
    ...tools.flatMap(({ description, parameters }) => [description, JSON.stringify(parameters)]),
    ...messages.filter(({ role }) => role === "tool").map(({ text }) => text),
    ...data.toReversed(),
  ];
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  let squeezed_texts: readonly string[] | undefined;
  let quoted: ReadonlySet<string> | undefined;
  return (written, calls) => {
    squeezed_texts ??= texts.map(squeezed);
    const sought = squeezed(written);
    if (squeezed_texts.some((text) => text.includes(sought))) return [];
    quoted ??= new Set(parsedTexts(texts).flatMap((text) => keysIn(text, offered)));
    return calls.filter((call) => quoted?.has(keyOf(call)) === false);
  };
}

/**
 * Hostile text takes a second or more for each million characters, in the thread that judges (D-241). Any more is only compared
 * word for word, the oldest first.
 */
const MAX_PARSED = 1_000_000;

function parsedTexts(texts: readonly string[]): string[] {
  let room = MAX_PARSED;
  return texts.map((text) => {
    const parsed = text.slice(0, room);
    room -= parsed.length;
    return parsed;
  });
}

/** Removes differences in escaping: a quotation may be escaped once, twice, or as in a data document. */
const squeezed = (text: string): string =>
  text
    .replace(/(?<!\\)\\+u003c/gi, "<")
    .replace(/(?<!\\)\\+u005b/gi, "[")
    .replace(/\\+[nrt]|[\s\\]+/g, "");

const keyOf = ({ name, arguments: given }: WrittenCall): string => `${name} ${squeezed(canonicalJson(given))}`;

/** Text is JSON in JSON at most this often: a tool's result quotes a document that quotes a call. */
const ESCAPES = 3;

function keysIn(text: string, offered: Offered): string[] {
  const keys: string[] = [];
  let reading = text;
  for (let level = 0; level <= ESCAPES; level += 1) {
    for (const call of [...markedCallsIn(reading, offered), ...objectCallsIn(reading, offered)]) keys.push(keyOf(call));
    const next = unescaped(reading);
    if (next === reading) break;
    reading = next;
  }
  return keys;
}

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_match, code: string | undefined, character: string) =>
    code === undefined ? (LETTERS[character] ?? character) : String.fromCharCode(Number.parseInt(code, 16)),
  );

function* markedCallsIn(text: string, offered: Offered): Generator<WrittenCall> {
  for (let mark = matchAt(LANDMARK, text, 0); mark !== null; ) {
    const { calls, end } = callsAt(text, mark.index, { offered, own: (_written, all) => all }, false);
    yield* calls;
    mark = matchAt(LANDMARK, text, Math.max(end, mark.index + 1));
  }
}

const OBJECT = /\{\s{0,64}"/g;

/** Calls at any place in a line, and inside other JSON. */
function* objectCallsIn(text: string, offered: Offered): Generator<WrittenCall> {
  for (let mark = matchAt(OBJECT, text, 0); mark !== null; ) {
    const { value, end } = jsonAt(text, mark.index);
    yield* callsWithin(value, offered);
    mark = matchAt(OBJECT, text, value === undefined ? mark.index + 1 : end);
  }
}

function* callsWithin(value: unknown, offered: Offered): Generator<WrittenCall> {
  if (typeof value !== "object" || value === null) return;
  yield* callsOf(value, offered) ?? [];
  for (const held of Object.values(value)) yield* callsWithin(held, offered);
}
