// One operation as a route: read, parse with the operation's own schema, call, and send what its output schema lets
// through. A caller that goes away ends its own wait and nothing else.
import type { FieldIssue } from "../domain/errors.ts";
import { MAX_DEPTH, structuralIssue } from "../domain/json.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { type Reading, readBody } from "./body.ts";
import { callerOf } from "./caller.ts";
import type { Call, Handler } from "./context.ts";
import { parseInput } from "./issues.ts";
import { type ProblemCode, problem, sendProblem } from "./problem.ts";
import type { Admit } from "./rate-limit.ts";

/** `/v1/tasks/{task_id}` as Express writes it. */
export const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

export function operationRoute(operation: AnyOperation, stopping: AbortSignal, admit: Admit): Handler {
  const { name, scope } = operation;
  return async (request, response) => {
    const caller = callerOf(response, stopping);
    if (!caller.may(scope)) {
      return sendProblem(response, problem("forbidden", `${name} needs a token with the scope ${scope}.`));
    }
    if (!admit(response, caller.token_id)) return;
    const reading = await readInput(operation, request);
    if (!reading.ok) return sendProblem(response, reading.problem);
    const output: unknown = operation.output.parse(await operation.handle(reading.value, caller));
    response.json(output);
  };
}

async function readInput(operation: AnyOperation, request: Call): Promise<Reading> {
  const code = codeOf(operation);
  const fields = operation.method === "GET" ? readQuery(request, code) : await readPost(request, code);
  if (!fields.ok) return fields;
  const joined = withPath(request, fields.value, code);
  if (!joined.ok) return joined;
  const parsed = parseInput(operation.input, joined.value);
  return parsed.ok ? parsed : refused(code, parsed.issues);
}

const codeOf = (operation: AnyOperation): ProblemCode => (isSubmit(operation) ? "contract_invalid" : "input_invalid");

export const isSubmit = ({ name }: AnyOperation): boolean => name === "submit_task";

function readQuery({ query }: Call, code: ProblemCode): Reading {
  const issue = structuralIssue(query);
  return issue === null ? { ok: true, value: query } : refused(code, [issue]);
}

// A field in the query of a POST would be dropped without a word.
async function readPost(request: Call, code: ProblemCode): Promise<Reading> {
  const strays = Object.keys(request.query ?? {});
  if (strays.length === 0) return readBody(request, { max_depth: MAX_DEPTH, code });
  return refused(
    code,
    strays.map((path) => ({ path, message: "is in the query; send it in the body" })),
  );
}

/** The path says which record is meant; a field that contradicts it is an error, not a choice. */
function withPath({ params }: Call, value: unknown, code: ProblemCode): Reading {
  const names = Object.keys(params);
  if (names.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: true, value };
  }
  const fields = new Map(Object.entries(value));
  const strays = names.filter((name) => fields.has(name) && fields.get(name) !== params[name]);
  if (strays.length === 0) return { ok: true, value: { ...value, ...params } };
  return refused(
    code,
    strays.map((path) => ({ path, message: "differs from the one in the path; leave it out" })),
  );
}

function refused(code: ProblemCode, issues: readonly FieldIssue[]): Reading {
  const first = issues.slice(0, 3).map(({ path, message }) => `${path === "" ? "the input" : path} ${message}`);
  const more = issues.length > first.length ? `; and ${issues.length - first.length} more` : "";
  return { ok: false, problem: problem(code, `${first.join("; ")}${more}.`, { issues }) };
}
