// One operation as a route: read the fields, add those of the path, call. A caller that disconnects ends its own wait only.
import type { FieldIssue } from "../domain/errors.ts";
import { MAX_DEPTH, structuralIssue } from "../domain/json.ts";
import { type AnyOperation, callOperation, inputCode, invalidInput } from "../operations/operation.ts";
import { type RequestReading, readBody } from "./body.ts";
import type { CallerOf } from "./caller.ts";
import type { Call, Handler } from "./context.ts";
import { problemOf, sendProblem } from "./problem.ts";

/** `/v1/tasks/{task_id}` in the syntax of Express. */
export const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

export function operationRoute(operation: AnyOperation, callerOf: CallerOf): Handler {
  return async (request, response) => {
    const caller = callerOf(response);
    const refusal = caller.refusalOf(operation);
    if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
    const reading = await readFields(operation, request);
    if (!reading.ok) return sendProblem(response, reading.problem);
    response.json(await callOperation(operation, reading.value, caller));
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
