// What a tool call that verifies expects of its result (D-188). Without a schema, because the flow's script carries no library.
import { parseStrictJson } from "./json-text.ts";
import { canonicalJson, isRecord, type JsonFields, parseJson } from "./json-values.ts";

/** `path` is a JSON pointer (RFC 6901) into the result; the empty one is the result itself. One of the others is given. */
type Expectation = { readonly path: string; readonly equals?: unknown; readonly contains?: string | undefined };

const SHOWN = 500;

/** Why the answer of a tool is not what was expected; null when it is. `stdout` is the answer as JSON. */
export function unmet({ path, equals, contains }: Expectation, stdout: string): string | null {
  const found = at(resultIn(parseJson(stdout)), path);
  const place = path === "" ? "the result" : path;
  if (found === undefined) return `${place} is not in the answer`;
  const text = typeof found === "string" ? found : canonicalJson(found);
  if (contains !== undefined) {
    return text.includes(contains) ? null : `${place} does not contain ${shown(contains)}; it is ${shown(found)}`;
  }
  if (!isExact(found)) return `${place} holds a number with more digits than can be compared`;
  return canonicalJson(found) === canonicalJson(equals)
    ? null
    : `${place} is ${shown(found)}, and ${shown(equals)} was expected`;
}

/** Reading a number of JSON may change it: 9007199254740993 becomes 9007199254740992, and 1e400 becomes Infinity. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExact);
}

const shown = (value: unknown): string => {
  const text = canonicalJson(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN).toWellFormed()} (cut)`;
};

/** The structured content of an MCP result, else its text, parsed where it is JSON, else the result as it is. */
function resultIn(result: unknown): unknown {
  if (!isRecord(result)) return result;
  const { structuredContent, content } = result;
  if (structuredContent !== undefined) return structuredContent;
  if (!Array.isArray(content)) return result;
  const text = content.flatMap((part: unknown) => (isText(part) ? [part["text"]] : [])).join("\n");
  return parseStrictJson(text) ?? text;
}

const isText = (part: unknown): part is JsonFields => isRecord(part) && part["type"] === "text";

/** Undefined when nothing is there. Own properties only. */
function at(value: unknown, path: string): unknown {
  const names = path.split("/").slice(1);
  return names.reduce<unknown>((held, escaped) => {
    const name = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(held)) return /^(0|[1-9]\d*)$/.test(name) ? held[Number(name)] : undefined;
    return isRecord(held) && Object.hasOwn(held, name) ? held[name] : undefined;
  }, value);
}
