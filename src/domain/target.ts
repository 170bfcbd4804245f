// Defines the target of a contract: its attributes, their one spelling, and its signature [2.key.signature].
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
  .refine((target) => Object.keys(target).length <= 32, "at most 32 attributes")
  .meta({ maxProperties: 32 });
export type Target = z.infer<typeof Target>;

/** The spelling that is stored: composed letters, and a directory without `//`, `.`, `..` and a slash at its end. */
export const normalTarget = (target: Target): Target =>
  Object.fromEntries(Object.entries(target).map(([name, value]) => [name, normalValue(name, value.normalize("NFC"))]));

const normalValue = (name: string, value: string): string =>
  name === "compose_dir" && value.startsWith("/") ? normalPath(value) : value;

function normalPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const BLANK_ENDS = /^[\s\p{Cf}]|[\s\p{Cf}]$/u;

/** Why a caller may not use the value; null where it may. Stored targets may have such values. */
function valueFault(name: string, value: string): string | null {
  if (value === "") return "must not be empty; leave it out";
  if (BLANK_ENDS.test(value)) return "must not begin or end with a blank or an invisible character; remove it";
  if (name !== "compose_dir") return null;
  if (!value.startsWith("/")) return "must be an absolute path such as /srv/web; orch does not expand ~";
  return normalValue(name, value) === "/" ? "must not be the root directory; name the directory of the service" : null;
}

const value = (pattern: string) => ({ type: "string", maxLength: 1024, pattern });

/** Published of a target as callers send it. */
const GIVEN_PATTERNS = {
  patternProperties: {
    "^compose_dir$": { ...value("^\\/[^\\u0000]*[^\\s\\u0000/.][^\\u0000]*$"), not: { pattern: "\\s$" } },
  },
  additionalProperties: value("^[^\\s\\u0000]([^\\u0000]*[^\\s\\u0000])?$"),
};

export const GivenTarget = Target.superRefine((target, context) => {
  for (const [name, value] of Object.entries(target)) {
    const message = valueFault(name, value);
    if (message !== null) context.addIssue({ code: "custom", path: [name], message });
  }
})
  .overwrite(normalTarget)
  .meta(GIVEN_PATTERNS);

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

export const targetOfSignature = (signature: string): Target =>
  Object.fromEntries(
    signature.split(";").flatMap((attribute) => {
      const at = attribute.indexOf("=");
      return at < 0 ? [] : [[attribute.slice(0, at), decodeURIComponent(attribute.slice(at + 1))]];
    }),
  );
