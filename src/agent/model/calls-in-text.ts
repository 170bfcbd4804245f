// Reads tool calls that a model wrote into its text, because it was trained on a format that its server does not read
// (D-142). Only offered tools are called. Reasoning, quotations and incomplete JSON are not calls. All other text is
// kept.
import type { OfferedTool, WrittenCall } from "../agent-message.ts";
import { LANDMARK, MADE_UP, SEPARATOR, THOUGHT_END, THOUGHT_FORMATS } from "./call-formats.ts";
import type { CallReading, CallsRead } from "./call-shapes.ts";
import { callsAt } from "./calls-at.ts";
import { matchAt } from "./match-at.ts";

export type TextRead = {
  readonly text: string;
  readonly thinking: string | null;
  readonly calls: readonly WrittenCall[];
  readonly quoted?: number;
};

export function callsInText(
  written: string,
  tools: readonly OfferedTool[],
  own: CallReading["own"] = (_written, calls) => calls,
): TextRead {
  const offered = new Map(tools.map((tool) => [tool.name, tool]));
  let text = "";
  let calls: WrittenCall[] = [];
  let quoted = 0;
  const thoughts: string[] = [];
  for (const part of partsOf(written, { offered, own })) {
    if (part.is === "text") text += part.text;
    else if (part.is === "calls") calls.push(...part.calls);
    else if (part.is === "quoted") quoted += part.quoted;
    else if (part.is === "thought") thoughts.push(part.text);
    else if (thoughts.length === 0) {
      thoughts.push(part.before);
      text = "";
      calls = [];
      quoted = 0;
    }
  }
  const thinking = thoughts.map((thought) => thought.trim()).filter((thought) => thought !== "");
  return {
    text: text.trim(),
    thinking: thinking.length === 0 ? null : thinking.join("\n\n"),
    calls,
    ...(quoted > 0 && { quoted }),
  };
}

type Thought =
  | { readonly is: "thought"; readonly text: string; readonly end: number }
  /** The end of reasoning that the model's template opened. */
  | { readonly is: "thought_end"; readonly before: string; readonly end: number };

type Part =
  | Thought
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "quoted"; readonly quoted: number }
  | ({ readonly is: "calls" } & CallsRead);

function* partsOf(written: string, reading: CallReading): Generator<Part> {
  let from = 0;
  let in_fence = false;
  let called = false;
  for (let mark = matchAt(LANDMARK, written, 0); mark !== null; ) {
    const { index: at } = mark;
    if (called && matchAt(MADE_UP, written, at) !== null) break;
    const part = thoughtAt(written, at) ?? { is: "calls", ...callsAt(written, at, reading, in_fence) };
    if (part.is === "calls" && part.quoted !== undefined) yield { is: "quoted", quoted: part.quoted };
    if (part.is !== "calls" || part.calls.length > 0) {
      yield { is: "text", text: written.slice(from, at) };
      yield part;
      from = part.end;
      called ||= part.is === "calls";
    } else if (mark[0] === "```") in_fence = !in_fence;
    mark = matchAt(LANDMARK, written, Math.max(part.end, at + 1));
  }
  yield { is: "text", text: written.slice(from) };
}

function thoughtAt(written: string, at: number): Thought | null {
  for (const { open, close } of THOUGHT_FORMATS) {
    const opened = matchAt(open, written, at);
    if (opened === null) continue;
    const from = at + opened[0].length;
    const closed = matchAt(close, written, from);
    const to = closed?.index ?? written.length;
    return { is: "thought", text: written.slice(from, to), end: to + (closed?.[0].length ?? 0) };
  }
  const separator = matchAt(SEPARATOR, written, at);
  if (separator !== null) return { is: "thought", text: "", end: at + separator[0].length };
  const ended = matchAt(THOUGHT_END, written, at);
  return ended && { is: "thought_end", before: written.slice(0, at), end: at + ended[0].length };
}
