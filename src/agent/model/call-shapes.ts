// Decides which JSON is a tool call: the shapes in which models write a name and its arguments (D-142).
import { z } from "zod";
import { type Json, JsonValue } from "../../domain/json.ts";
import { parseStrictJson } from "../../domain/json-text.ts";
import type { OfferedTool, WrittenCall } from "../agent-message.ts";

/** The offered tools by name. */
export type Offered = ReadonlyMap<string, OfferedTool>;

/** `own` keeps those of the calls in a text that do not only repeat what a tool has said. */
export type CallReading = {
  readonly offered: Offered;
  readonly own: (written: string, calls: readonly WrittenCall[]) => readonly WrittenCall[];
};

/** The calls at a position of a text, possibly none, and the position where reading ended. */
export type CallsRead = {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
  /** How many calls are not made, because they are quotations or examples. */
  readonly quoted?: number;
};

const NAME_KEYS = ["name", "tool", "tool_name", "action", "function"];
const ARGUMENT_KEYS = ["arguments", "parameters", "args", "input", "tool_input", "action_input"];

const Fields = z.record(z.string(), z.unknown());
/** The schema of a tool: models also write down the tools that they were offered. */
const Schema = z.looseObject({ type: z.literal("object"), properties: Fields });

/** The calls in a JSON value; null when any part of it is not a call. */
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

/** A list inside a list of calls is not a call. */
function allOf(values: readonly unknown[], offered: Offered): WrittenCall[] | null {
  const calls = values.map((value) => (Array.isArray(value) ? null : callsOf(value, offered)));
  return calls.length === 0 || calls.includes(null) ? null : calls.flatMap((call) => call ?? []);
}

const first = (fields: z.infer<typeof Fields>, keys: readonly string[]): unknown =>
  fields[keys.find((key) => Object.hasOwn(fields, key)) ?? ""];

/** The arguments as JSON. Text that contains JSON is parsed; a value that cannot be kept as JSON becomes text. */
export function argumentsOf(written: unknown): Json {
  const value = typeof written === "string" ? outOfText(written) : (written ?? {});
  const json = JsonValue.safeParse(value);
  return json.success ? json.data : JSON.stringify(value);
}

const outOfText = (text: string): unknown => (text.trim() === "" ? {} : (parseStrictJson(text) ?? text));
