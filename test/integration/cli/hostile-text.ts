// A text that would do harm in a terminal or a shell, in the place of every text that a schema leaves free.
import type { z } from "zod";

export const HOSTILE = "x\u001b]0;owned\u0007\u202e;touch pwned";

type Path = readonly (string | number)[];

function stringsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => stringsIn(inner, [...path, name]));
}

function withText(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return HOSTILE;
  const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
  copy[name] = withText(copy[name], rest);
  return copy;
}

/** Replaces every string by the text where the schema accepts it. */
export const poisoned = (schema: z.ZodType, sample: unknown): unknown =>
  stringsIn(sample).reduce((whole, path) => {
    const tried = withText(whole, path);
    return schema.safeParse(tried).success ? tried : whole;
  }, sample);
