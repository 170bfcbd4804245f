// JSON without the secrets that its texts may hold: what a skill says or keeps is stored and shown.
import type { Json } from "./json.ts";

export function redactedJson(redact: (text: string) => string, value: Json): Json {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactedJson(redact, item));
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [redact(key), redactedJson(redact, held)]));
}
