// Reports what is wrong with an input, field by field, in words that a model can act on: what to send, not what zod expected.
import { z } from "zod";
import type { FieldIssue } from "../domain/errors.ts";

const MAX_ISSUES = 100;
const MAX_PATH = 256;

/** Parses and names every wrong field. Messages of the schema itself are kept. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
): { ok: true; value: z.output<S> } | { ok: false; issues: FieldIssue[] } {
  const parsed = schema.safeParse(input, { error: wordsFor });
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.flatMap(fieldIssues);
  if (issues.length <= MAX_ISSUES) return { ok: false, issues };
  const rest = { path: "", message: `${issues.length - MAX_ISSUES} more fields are wrong` };
  return { ok: false, issues: [...issues.slice(0, MAX_ISSUES), rest] };
}

function fieldIssues(issue: z.core.$ZodIssue): FieldIssue[] {
  if (issue.code === "unrecognized_keys") {
    // A schema may say what is wrong with a field that another form has.
    const message = issue.message.startsWith("Unrecognized key") ? "is not a known field" : issue.message;
    return issue.keys.map((key) => ({ path: dotted([...issue.path, key]), message }));
  }
  return [{ path: dotted(issue.path), message: issue.message }];
}

const dotted = (path: readonly PropertyKey[]): string => path.map(String).join(".").slice(0, MAX_PATH);

const NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
  record: "an object",
  null: "null",
};

/** Undefined keeps the message of zod. */
function wordsFor(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is required";
      return NAMES[issue.expected] === undefined ? undefined : `must be ${NAMES[issue.expected]}`;
    case "invalid_value":
      if (issue.input === undefined) return "is required";
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      if (issue.minimum === 1 && isMeasured(issue.origin)) return "must not be empty";
      return sized(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return sized(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_key":
      return `is not a valid name: ${messagesOf(issue.issues)}`;
    case "invalid_union":
      return wordsForUnion(issue);
    case "invalid_format":
      return issue.format === "regex" ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`;
    default:
      return undefined;
  }
}

function sized(origin: string, relation: string, bound: number | bigint): string {
  if (!isMeasured(origin)) return `must be ${relation} ${bound}`;
  return `must have ${relation} ${bound} ${origin === "string" ? "characters" : "items"}`;
}

const isMeasured = (origin: string): boolean => origin === "string" || origin === "array";

const messagesOf = (issues: readonly { readonly message?: string | undefined }[]): string =>
  [...new Set(issues.map(({ message }) => message ?? "is not valid"))].join("; ");

function wordsForUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if (issue.input === undefined) return "is required";
  const options: unknown = issue["options"];
  if (Array.isArray(options)) return `must be one of ${options.join(", ")}`;
  return `has none of the accepted forms: ${messagesOf((issue.errors ?? []).flat())}`;
}

/**
 * The fields of a query or of a command line, which are all text, as the numbers and booleans that their schema wants. A text that is none
 * stays text: the schema refuses it by name.
 */
export function readTextFields(schema: z.ZodType, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, field === undefined || typeof value !== "string" ? value : readText(typeOf(field), value)];
    }),
  );
}

/** Of a field that may be left out, that of its value. */
function typeOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod;
  return "innerType" in def ? typeOf(def.innerType as z.core.$ZodType) : def.type;
}

function readText(type: string, text: string): unknown {
  if (type === "number") return numberInText(text);
  return type === "boolean" && (text === "true" || text === "false") ? text === "true" : text;
}

/** As JSON writes a number, and with zeros before it. */
const NUMBER = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,9})?$/;

export const numberInText = (text: string): number | string => (NUMBER.test(text) ? Number(text) : text);
