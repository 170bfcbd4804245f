// Makes the route of an operation: its fields from the path, the query or the body, the call, and the answer. Pages that read the
// same after an event share one answer.
import type { FieldIssue } from "../../domain/errors.ts";
import { halfCharacter, MAX_DEPTH, structuralIssue, textIssue } from "../../domain/json.ts";
import { jsonTextIssue, parseJson } from "../../domain/json-values.ts";
import { type AnyOperation, type Caller, callOperation, inputCode, invalidInput } from "../operations/operation.ts";
import { type CallerOf, isWithKey } from "./caller.ts";
import type { Call, Handler } from "./context.ts";
import { type Problem, type ProblemCode, problem, problemOf, sendProblem } from "./problem.ts";

type Shareable = {
  readonly version_of_data?: (() => number) | null;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
};

type Sharing = { readonly answers: SharedAnswers; readonly caller: Caller };

export const sharing = ({ version_of_data = null, stopping: signal }: Shareable): Sharing | null =>
  version_of_data === null
    ? null
    : { answers: createSharedAnswers(version_of_data), caller: { token_id: "console", signal } };

/** Who waits for something to happen waits alone. */
const mayShare = ({ method }: AnyOperation, request: Call): boolean =>
  method === "GET" && isWithKey(request) && !Object.hasOwn(Object(request.query), "wait_seconds");

/** Reads the fields, adds those of the path, and calls. A caller that disconnects ends its own wait only. */
export function operationRoute(operation: AnyOperation, callerOf: CallerOf, shared: Sharing | null): Handler {
  return async (request, response) => {
    const caller = callerOf(response, operation.scope);
    const refusal = await caller.refusalOf(operation);
    if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
    const reading = await readFields(operation, request);
    if (!reading.ok) return sendProblem(response, reading.problem);
    const answer = async (by: Caller) => JSON.stringify(await callOperation(operation, reading.value, by));
    const text =
      shared !== null && mayShare(operation, request)
        ? await shared.answers(request.originalUrl, () => answer(shared.caller))
        : await answer(caller);
    response.type("json").send(text);
  };
}

async function readFields(operation: AnyOperation, request: Call): Promise<RequestReading> {
  const fields = operation.method === "GET" ? readQuery(operation, request) : await readPost(operation, request);
  return fields.ok ? withPath(operation, request, fields.value) : fields;
}

function readQuery(operation: AnyOperation, { query }: Call): RequestReading {
  const issue = structuralIssue(query);
  return issue === null ? { ok: true, value: query } : refused(operation, [issue]);
}

// A field in the query of a POST would be dropped silently.
async function readPost(operation: AnyOperation, request: Call): Promise<RequestReading> {
  const strays = Object.keys(request.query ?? {});
  if (strays.length === 0) return readBody(request, { max_depth: MAX_DEPTH, code: inputCode(operation) });
  return refused(
    operation,
    strays.map((path) => ({ path, message: "is in the query; send it in the body" })),
  );
}

/** The path identifies the record; a field that contradicts it is an error. */
function withPath(operation: AnyOperation, { params }: Call, value: unknown): RequestReading {
  const names = Object.keys(params);
  if (names.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: true, value };
  }
  const fields = new Map(Object.entries(value));
  const strays = names.filter((name) => fields.has(name) && fields.get(name) !== params[name]);
  if (strays.length === 0) return { ok: true, value: { ...value, ...params } };
  return refused(
    operation,
    strays.map((path) => ({ path, message: "differs from the one in the path; leave it out" })),
  );
}

const refused = (operation: AnyOperation, issues: readonly FieldIssue[]): RequestReading => ({
  ok: false,
  problem: problemOf(invalidInput(operation, issues)),
});

type Shared = { readonly version: number; readonly until: number; readonly text: Promise<string> };

type SharedAnswers = (key: string, read: () => Promise<string>) => Promise<string>;

/** What is in an answer by the clock, such as the age of a lease, may be as old as this. */
const OPERATION_ROUTE_LONGEST_MS = 100;

/**
 * One answer for many pages: after an event all of them read the same at once, and each reading costs the server as much as the
 * first (D-361). Only pages get it, which read again when something changes. `version` is another number after each change: an
 * answer from before it is not given any more.
 */
export function createSharedAnswers(version: () => number, now = () => performance.now()): SharedAnswers {
  const known = new Map<string, Shared>();
  const isFresh = ({ version: of, until }: Shared): boolean => of === version() && now() < until;
  return (key, read) => {
    const before = known.get(key);
    if (before !== undefined && isFresh(before)) return before.text;
    for (const [old, shared] of known) if (!isFresh(shared)) known.delete(old);
    const text = read();
    known.set(key, { version: version(), until: now() + OPERATION_ROUTE_LONGEST_MS, text });
    return text;
  };
}

// Reads a JSON body: bounded in size and depth, UTF-8, and no media type that a browser sends without a preflight.

const MAX_BYTES = 1024 * 1024;

type RequestReading =
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
