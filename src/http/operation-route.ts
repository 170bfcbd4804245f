// Makes the route of an operation: its fields from the path, the query or the body, the call, and the answer. Pages that read the
// same after an event share one answer.
import type { FieldIssue } from "../domain/errors.ts";
import { MAX_DEPTH, structuralIssue } from "../domain/json.ts";
import { type AnyOperation, type Caller, callOperation, inputCode, invalidInput } from "../operations/operation.ts";
import { type RequestReading, readBody } from "./body.ts";
import type { CallerOf } from "./caller.ts";
import { isWithKey } from "./console/sessions.ts";
import type { Call, Handler } from "./context.ts";
import { problemOf, sendProblem } from "./problem.ts";

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
