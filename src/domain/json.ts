// JSON as it crosses a trust boundary: bounded in depth, free of keys that reach an object's prototype, without secrets, and
// with one digest for equal values.
import { createHash } from "node:crypto";
import { z } from "zod";
import type { FieldIssue } from "./errors.ts";
import { canonicalJson } from "./json-values.ts";

export const MAX_DEPTH = 32;
const RESERVED_KEYS = new Set(["__proto__", "constructor", "prototype"]);

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What is left of a value that has been written as JSON: a date is a text, and a method is gone. */
export type Recorded<T> = T extends Json
  ? T
  : T extends undefined | symbol | ((...given: never) => unknown)
    ? null
    : T extends { toJSON(): infer J }
      ? Recorded<J>
      : { -readonly [K in keyof T]: RecordedField<T[K]> };
/** An optional field stays optional: JSON leaves out what is undefined. */
type RecordedField<T> = T extends undefined ? undefined : Recorded<T>;

/** Walks without recursion, so that no nesting can exhaust the stack. Returns the first thing wrong, or null. */
export function structuralIssue(root: unknown, maxDepth = MAX_DEPTH): FieldIssue | null {
  const pending: { value: unknown; path: string; depth: number }[] = [{ value: root, path: "", depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, depth } = next;
    if (isFormless(value)) return { path, message: "has no form in JSON; write it as text" };
    if (typeof value !== "object" || value === null) continue;
    if (depth >= maxDepth) return { path, message: `is nested deeper than ${maxDepth} levels; flatten it` };
    for (const key of Object.keys(value)) {
      const child = path === "" ? key : `${path}.${key}`;
      if (RESERVED_KEYS.has(key)) return { path: child, message: "is a reserved key; rename it" };
      pending.push({ value: (value as Record<string, unknown>)[key], path: child, depth: depth + 1 });
    }
  }
  return null;
}

/** Why a text cannot be used; null where it can. */
type TextFault = (text: string) => string | null;

/** An escape in JSON may name half of a surrogate pair. No encoding holds it: in a database every half would become the same character. */
export const halfCharacter: TextFault = (text) =>
  text.isWellFormed() ? null : "holds half of a surrogate pair; send whole characters";

/** PostgreSQL stores no NUL. */
export const unstorable: TextFault = (text) => (text.includes("\0") ? "must not contain NUL" : halfCharacter(text));

/** Names the first text with the fault, or the name of a field that has it; null when there is none. The depth is bounded already. */
export function textIssue(value: unknown, faultOf: TextFault, path = ""): FieldIssue | null {
  if (typeof value === "string") {
    const message = faultOf(value);
    return message === null ? null : { path: path.replaceAll("\0", "\\0").toWellFormed(), message };
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, held] of Object.entries(value)) {
    const child = path === "" ? key : `${path}.${key}`;
    const issue = textIssue(key, faultOf, child) ?? textIssue(held, faultOf, child);
    if (issue !== null) return issue;
  }
  return null;
}

/** YAML has infinite numbers and bytes. */
const isFormless = (value: unknown): boolean =>
  (typeof value === "number" && !Number.isFinite(value)) || ArrayBuffer.isView(value);

/** Any JSON value that `structuralIssue` accepts. Not a `z.custom`: what holds one has no JSON Schema. */
export const JsonValue = (z.unknown() as z.ZodType<Json>).superRefine((value, context) => {
  const issue = structuralIssue(value);
  if (issue !== null) {
    context.addIssue({ code: "custom", path: issue.path === "" ? [] : issue.path.split("."), message: issue.message });
  } else if (value === undefined || typeof value === "function") {
    context.addIssue({ code: "custom", message: "must be a JSON value" });
  }
});

/** A JSON object whose values are never interpreted by orch. */
export const JsonObject = JsonValue.refine(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { message: "must be an object" },
).meta({ type: "object" }) as z.ZodType<{ [key: string]: Json }>;

export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

export const digestOf = (value: unknown): string => sha256(canonicalJson(value));

export function redactedJson(redact: (text: string) => string, value: Json): Json {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactedJson(redact, item));
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [redact(key), redactedJson(redact, held)]));
}
