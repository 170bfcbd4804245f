// Reads a call in the tags of Qwen's coder models (D-142): <function=name><parameter=key>value</parameter></function>.
// A value is text. It is read as JSON only when the tool's schema requires another type.

import type { Json } from "../../domain/json.ts";
import { parseStrictJson } from "../../domain/json-text.ts";
import type { OfferedTool } from "../agent-message.ts";
import { argumentsOf, type CallsRead, type Offered } from "./call-shapes.ts";
import { matchAt } from "./match-at.ts";

const OPEN = /(?:<tool_call>\s{0,8})?<function=(?<name>[\w.-]{1,128})>\s{0,8}/y;
const PARAMETER = /<parameter=(?<key>[^<>\n]{1,128})>/y;
const PARAMETER_END = "</parameter>";
const SPACE = /\s{0,64}/y;
const CLOSE = /<\/function>(?:\s{0,8}<\/tool_call>)?/y;

/** Null when no such call begins at `start`. */
export function functionTagsAt(text: string, start: number, offered: Offered): CallsRead | null {
  const open = matchAt(OPEN, text, start);
  const tool = offered.get(open?.groups?.["name"] ?? "");
  if (open === null || tool === undefined) return null;
  const given: [string, Json][] = [];
  let at = start + open[0].length;
  for (let tag = matchAt(PARAMETER, text, at); tag !== null; tag = matchAt(PARAMETER, text, at)) {
    const from = at + tag[0].length;
    const to = text.indexOf(PARAMETER_END, from);
    if (to === -1) return { calls: [], end: text.length };
    const key = tag.groups?.["key"] ?? "";
    given.push([key, valueIn(text.slice(from, to), tool, key)]);
    at = to + PARAMETER_END.length;
    at += matchAt(SPACE, text, at)?.[0].length ?? 0;
  }
  const close = matchAt(CLOSE, text, at);
  if (close === null) return { calls: [], end: at };
  const call = { name: tool.name, arguments: argumentsOf(Object.fromEntries(given)) };
  return { calls: [call], end: at + close[0].length };
}

/** The value of a parameter, without the line breaks next to its tags. */
function valueIn(between: string, { parameters }: OfferedTool, key: string): Json {
  const written = between.replace(/^\r?\n|\r?\n$/g, "");
  const type = fieldOf(fieldOf(fieldOf(parameters, "properties"), key), "type");
  if (type === undefined || [type].flat().includes("string")) return written;
  return (parseStrictJson(written) ?? written) as Json;
}

const fieldOf = (value: Json | undefined, key: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, key)
    ? value[key]
    : undefined;
