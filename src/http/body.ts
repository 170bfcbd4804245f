// Reads a JSON body: bounded in size and depth, UTF-8, and no media type that a browser sends without a preflight.
import type { FieldIssue } from "../domain/errors.ts";
import { halfCharacter, structuralIssue, textIssue } from "../domain/json.ts";
import { jsonTextIssue } from "../domain/json-text.ts";
import { parseJson } from "../domain/json-values.ts";
import type { Call } from "./context.ts";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

const MAX_BYTES = 1024 * 1024;

export type RequestReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: Problem };

type Reading = {
  readonly max_depth: number;
  /** The code for a body of the wrong structure. */
  readonly code: ProblemCode;
  /** Takes what is read. */
  readonly chunks?: Buffer[];
};

/** An empty body reads as `{}`. */
export async function readBody(request: Call, { max_depth, code, chunks = [] }: Reading): Promise<RequestReading> {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? 0);
  if (headers["transfer-encoding"] === undefined && length === 0) return { ok: true, value: {} };
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== "application/json") {
    return refuse("media_type_unsupported", "Send Content-Type: application/json.");
  }
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    return refuse("media_type_unsupported", "The only Content-Encoding is identity: send the body as it is.");
  }
  const bytes = length > MAX_BYTES ? "too many" : await readBytes(request, chunks);
  if (bytes === "too many") return refuse("body_too_large", "A body may have 1 MiB.");
  if (bytes === "cut off") return refuse("body_invalid", "The body ended early.");
  const text = decode(bytes);
  if (text === null) return NOT_JSON;
  const fault = jsonTextIssue(text, max_depth);
  if (fault !== null) return refuseField(code, fault);
  const value = parseJson(text);
  if (value === undefined) return NOT_JSON;
  const issue = structuralIssue(value, max_depth) ?? textIssue(value, halfCharacter);
  return issue === null ? { ok: true, value } : refuseField(code, issue);
}

const refuse = (code: ProblemCode, detail: string): RequestReading => ({ ok: false, problem: problem(code, detail) });

const NOT_JSON = refuse("body_invalid", "The body is not JSON in UTF-8.");

const refuseField = (code: ProblemCode, issue: FieldIssue): RequestReading => ({
  ok: false,
  problem: problem(code, "The structure of the body is not accepted.", { issues: [issue] }),
});

/** Stops reading at the limit: a client that sends without end is answered at once. */
async function readBytes(request: Call, chunks: Buffer[]): Promise<Buffer | "too many" | "cut off"> {
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      chunks.push(chunk);
      if (size > MAX_BYTES) return "too many";
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
