// Reads the tool calls at one position of a model's text, in any of the formats (D-142).
import type { WrittenCall } from "../agent-message.ts";
import { CALL_FORMATS } from "./call-formats.ts";
import { argumentsOf, type CallReading, type CallsRead, callsOf, type Offered } from "./call-shapes.ts";
import { functionTagsAt } from "./function-tags.ts";
import { jsonAt } from "./json-in-text.ts";
import { matchAt } from "./match-at.ts";

export function callsAt(written: string, at: number, { offered, own }: CallReading, in_fence: boolean): CallsRead {
  let end = at;
  for (const format of CALL_FORMATS) {
    const open = in_fence && format.outside_fences ? null : matchAt(format.open, written, at);
    if (open === null) continue;
    const name = open.groups?.["name"];
    const from = at + open[0].length;
    const read = name === undefined ? sequenceAt(written, from, offered) : argumentsAt(written, from, name, offered);
    const close = matchAt(format.close, written, read.end);
    end = Math.max(end, read.end);
    if (read.calls.length === 0 || (close === null && format.must_close)) continue;
    const isExample = format.must_close === true && isWarnedOf(written, at);
    const calls = isExample ? [] : own(written.slice(name === undefined ? from : at, end), read.calls);
    const quoted = read.calls.length - calls.length;
    return { calls, end: calls.length === 0 ? end : read.end + (close?.[0].length ?? 0), quoted };
  }
  const tags = functionTagsAt(written, at, offered);
  if (tags === null) return { calls: [], end };
  const calls = own(written.slice(at, tags.end), tags.calls);
  return { calls, end: tags.end, quoted: tags.calls.length - calls.length };
}

const MAX_LINE = 400;
const WARNINGS: readonly RegExp[] = [
  /\b(?:do not|don['’]?t|never|must not|should not|cannot)\s+(?:ever\s+|actually\s+)?(?:be\s+)?(?:run|execute|call|ma[dk]e|use|send|try)/i,
  /\bnever\W*$/i,
  /\bexamples?(?:\s+(?:call|of)\b[^.!?]{0,60})?\W*$/i,
  /^\W*(?:for\s+)?example(?:\s+call)?\s*[:,]/i,
];

/** Whether the line directly before a position says that what follows is not to be run. */
function isWarnedOf(written: string, at: number): boolean {
  const before = written.slice(Math.max(0, at - MAX_LINE), at).trimEnd();
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return !/^\s*[{[]/.test(line) && WARNINGS.some((warning) => warning.test(line));
}

function argumentsAt(written: string, at: number, name: string, offered: Offered): CallsRead {
  if (!offered.has(name)) return { calls: [], end: at };
  const { value, end } = jsonAt(written, at);
  return { calls: value === undefined ? [] : [{ name, arguments: argumentsOf(value) }], end };
}

const SEPARATION = /[\s,;]{0,64}(?=[{[])/y;

/** Reads consecutive JSON values while they are calls. */
function sequenceAt(written: string, start: number, offered: Offered): CallsRead {
  const calls: WrittenCall[] = [];
  let end = start;
  for (let at = start; ; ) {
    const read = jsonAt(written, at);
    const matches = callsOf(read.value, offered);
    if (matches === null) return { calls, end: calls.length === 0 ? read.end : end };
    calls.push(...matches);
    end = read.end;
    const separation = matchAt(SEPARATION, written, end);
    if (separation === null) return { calls, end };
    at = end + separation[0].length;
  }
}
