// Reads a JSON body: bounded in size and depth, UTF-8, and no media type that a browser sends without a preflight.
import type { FieldIssue } from "../domain/errors.ts";
import { structuralIssue } from "../domain/json.ts";
import { parseJson } from "../domain/json-values.ts";
import type { Call } from "./context.ts";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

const MAX_BYTES = 1024 * 1024;

export type RequestReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

/** An empty body reads as `{}`. `code` is the code for a body of the wrong structure. */
export async function readBody(
  request: Call,
  { max_depth, code }: { readonly max_depth: number; readonly code: ProblemCode },
): Promise<RequestReading> {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  if (headers["transfer-encoding"] === undefined && length === 0) return { ok: true, value: {} };
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/json") {
    return refuse("media_type_unsupported", "Send Content-Type: application/json.");
  }
  if ((headers["content-encoding"] ?? "identity") !== "identity") {
    return refuse("media_type_unsupported", "Send the body as it is, without a Content-Encoding.");
  }
  const bytes = length > MAX_BYTES ? "too many" : await readBytes(request);
  if (bytes === "too many") return refuse("body_too_large", "A body may have 1 MiB.");
  if (bytes === "cut off") return refuse("body_invalid", "The body ended early.");
  const text = decode(bytes);
  if (text === null) return NOT_JSON;
  const path = tooDeepAt(text, max_depth);
  // The same message as that of `structuralIssue`, which checks parsed values.
  if (path !== null)
    return refuseField(code, { path, message: `is nested deeper than ${max_depth} levels; flatten it` });
  const value = parseJson(text);
  if (value === undefined) return NOT_JSON;
  const issue = structuralIssue(value, max_depth) ?? illFormedText(value);
  return issue === null ? { ok: true, value } : refuseField(code, issue);
}

const refuse = (code: ProblemCode, detail: string): RequestReading => ({ ok: false, problem: problem(code, detail) });

const NOT_JSON = refuse("body_invalid", "The body is not JSON in UTF-8.");

const refuseField = (code: ProblemCode, issue: FieldIssue): RequestReading => ({
  ok: false,
  problem: problem(code, "The structure of the body is not accepted.", { issues: [issue] }),
});

/** Stops reading at the limit: a client that sends without end is answered at once. */
async function readBytes(request: Call): Promise<Buffer | "too many" | "cut off"> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_BYTES) return "too many";
      chunks.push(chunk);
    }
  } catch {
    return "cut off";
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * An escape in JSON may name half of a surrogate pair, which no encoding can hold: in the database and in the environment
 * of a command every half would become the same other character. The depth is bounded already.
 */
function illFormedText(value: unknown, path = ""): FieldIssue | null {
  if (typeof value === "string" && !value.isWellFormed()) {
    return { path: path.toWellFormed(), message: "holds half of a surrogate pair; send whole characters" };
  }
  if (typeof value !== "object" || value === null) return null;
  for (const [key, held] of Object.entries(value)) {
    const child = path === "" ? key : `${path}.${key}`;
    const issue = illFormedText(key, child) ?? illFormedText(held, child);
    if (issue !== null) return issue;
  }
  return null;
}

/**
 * The path at which JSON first nests deeper than `max_depth`, as in `payload.steps.0`, with keys as written in the text;
 * null when it does not. For a text that is not JSON the result is arbitrary: the parser refuses the text.
 */
export function tooDeepAt(text: string, max_depth: number): string | null {
  // The current position in each open array (its index) and object (its key).
  const path: (number | string)[] = [];
  let last = "";
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at + 1);
        last = text.slice(at + 1, end);
        at = end;
        break;
      }
      case ":":
        if (typeof path.at(-1) === "string") path[path.length - 1] = last;
        break;
      case ",": {
        const held = path.at(-1);
        if (typeof held === "number") path[path.length - 1] = held + 1;
        break;
      }
      case "[":
      case "{":
        if (path.length >= max_depth) return path.join(".");
        path.push(text[at] === "[" ? 0 : "");
        break;
      case "]":
      case "}":
        path.pop();
        break;
    }
  }
  return null;
}

/** Where the string that begins at `start` is closed: at a quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}
