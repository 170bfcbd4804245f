// Which JSON is a tool call (spec section 1, agent backends): the shapes in which models write a name and its arguments.
import { z } from "zod";
import { type Json, JsonValue } from "../../domain/json.ts";
import type { OfferedTool } from "../agent-message.ts";

export type WrittenCall = { readonly name: string; readonly arguments: Json };

/** By name. */
export type Offered = ReadonlyMap<string, OfferedTool>;

/** For what a model calls: what it was offered, and whether a text only repeats what a tool has answered. */
export type CallReading = { readonly offered: Offered; readonly isQuoted: (text: string) => boolean };

/** What was found at a place of a text, and how far it was read, with calls or without. */
export type CallsRead = { readonly calls: readonly WrittenCall[]; readonly end: number };

const NAME_KEYS = ["name", "tool", "tool_name", "action", "function"];
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input", "tool_input", "action_input"];

const Fields = z.record(z.string(), z.unknown());
/** Models also write down the tools that they were offered. */
const Schema = z.looseObject({ type: z.literal("object"), properties: Fields });

/** The calls that a JSON value consists of, or null when any part of it is something else. */
export function callsOf(value: unknown, offered: Offered): WrittenCall[] | null {
  if (Array.isArray(value)) return allOf(value, offered);
  const fields = Fields.safeParse(value).data;
  if (fields === undefined) return null;
  if (Array.isArray(fields["tool_calls"])) return allOf(fields["tool_calls"], offered);
  if (typeof fields["function"] === "object") return allOf([fields["function"]], offered);
  const name = first(fields, NAME_KEYS);
  const written = first(fields, ARGUMENT_KEYS);
  if (typeof name !== "string" || !offered.has(name)) return null;
  if (written === undefined || Schema.safeParse(written).success) return null;
  return [{ name, arguments: argumentsOf(written) }];
}

/** Nested deeper than one list in another, it is no call. */
function allOf(values: readonly unknown[], offered: Offered): WrittenCall[] | null {
  const calls = values.map((value) => (Array.isArray(value) ? null : callsOf(value, offered)));
  return calls.length === 0 || calls.includes(null) ? null : calls.flatMap((call) => call ?? []);
}

const first = (fields: z.infer<typeof Fields>, keys: readonly string[]): unknown =>
  fields[keys.find((key) => Object.hasOwn(fields, key)) ?? ""];

/** An object, or what else was written: JSON in a text is taken out of it, and what may not be kept as JSON becomes text. */
export function argumentsOf(written: unknown): Json {
  const value = typeof written === "string" ? outOfText(written) : (written ?? {});
  const json = JsonValue.safeParse(value);
  return json.success ? json.data : JSON.stringify(value);
}

function outOfText(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
