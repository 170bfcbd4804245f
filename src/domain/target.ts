// The target of a task, and the key of its SOP [2.key.format] [2.key.signature].
import { z } from "zod";

const AttributeName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, "attribute names are lower case letters, digits and underscores, a letter first")
  .max(64);

const AttributeValue = z
  .string()
  .max(1024)
  .refine((value) => !value.includes("\0"), "must not contain NUL");

export const Target = z
  .record(AttributeName, AttributeValue)
  .refine((target) => Object.keys(target).length <= 32, "at most 32 attributes");
export type Target = z.infer<typeof Target>;

// These characters, which could give two targets the same signature, are escaped as %XX. `%` is one of them (D-004).
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches control characters on purpose
const SPECIAL = /[%;|\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu;

/** The attributes as `key=value`, sorted by name and joined by `;`. The empty target has the empty signature. */
export function targetSignature(target: Target): string {
  return Object.keys(target)
    .sort()
    .map((key) => `${key}=${(target[key] ?? "").replace(SPECIAL, encodeURIComponent)}`)
    .join(";");
}

/** `<intent>|<signature>`. Keys match exactly [2.key.exact]. */
export const sopKey = (intent: string, signature: string): string => `${intent}|${signature}`;
