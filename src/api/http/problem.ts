// Turns errors into HTTP answers, in this one place: RFC 9457 problem documents. Two families of codes: those of the domain, and
// those of the wire, which only a client of HTTP can see.
import { ERRORS, type ErrorCode, OrchError } from "../../domain/errors.ts";
import { MEND } from "../../domain/quarantine.ts";
import type { ProblemFacts } from "../../schema/problem-document.ts";
import type { Reply } from "./context.ts";

type WireCode =
  | "body_invalid"
  | "body_too_large"
  | "headers_too_large"
  | "host_refused"
  | "media_type_unsupported"
  | "method_not_allowed"
  | "method_unknown"
  | "not_ready"
  | "origin_refused"
  | "rate_limited"
  | "request_invalid"
  | "request_timeout"
  | "route_not_found"
  | "session_ended"
  | "tls_required"
  | "too_many_failures";

export type ProblemCode = ErrorCode | WireCode;

const MEANINGS: Readonly<Record<ProblemCode, readonly [status: number, title: string]>> = {
  ...ERRORS,
  body_invalid: [400, "The body cannot be read"],
  body_too_large: [413, "The body is too large"],
  headers_too_large: [431, "The headers are too large"],
  host_refused: [421, "This host is not served here"],
  media_type_unsupported: [415, "The form of the body is not supported"],
  method_not_allowed: [405, "The method is not allowed here"],
  method_unknown: [501, "The method is not known"],
  not_ready: [503, "The service is not ready"],
  origin_refused: [403, "The origin is not allowed"],
  rate_limited: [429, "Too many requests"],
  request_invalid: [400, "The request cannot be read"],
  request_timeout: [408, "The request did not arrive in time"],
  route_not_found: [404, "There is nothing here"],
  session_ended: [401, "The session has ended"],
  tls_required: [403, "The console needs TLS here"],
  too_many_failures: [429, "Too many failed logins"],
};

export type Problem = ProblemFacts & {
  readonly type: `urn:orch:error:${ProblemCode}`;
  readonly code: ProblemCode;
};

export const PROBLEM_TYPE = "application/problem+json";

export function problem(
  code: ProblemCode,
  detail: string,
  {
    issues = [],
    fix = null,
    current,
    needs_scope,
  }: Partial<Pick<OrchError, "issues" | "fix" | "current">> & Pick<ProblemFacts, "needs_scope"> = {},
): Problem {
  const [status, title] = MEANINGS[code];
  return {
    type: `urn:orch:error:${code}`,
    title,
    status,
    detail,
    code,
    ...(fix !== null && { fix }),
    ...(issues.length > 0 && { issues: [...issues] }),
    ...(current !== undefined && { current }),
    ...(needs_scope !== undefined && { needs_scope }),
  };
}

/** A fault of the service gets a general message: its own may name tables, files and addresses. */
export function problemOf(error: unknown): Problem {
  if (error instanceof OrchError) {
    const found = problem(error.code, error.message, error);
    if (found.status < 500 || error.code === "busy") return found;
    // The names of a record and of its fields are nothing that the caller may not read.
    return error.code === "quarantined"
      ? problem(error.code, error.message, { fix: MEND })
      : problem(error.code, OUR_FAULT);
  }
  // Express decodes the parts of a path.
  if (error instanceof URIError)
    return problem("request_invalid", "The path holds a percent sign that encodes nothing.");
  return problem("internal_error", OUR_FAULT);
}

const OUR_FAULT = "This is not the caller's doing. The log of the service has details under this request_id.";

export const problemText = (found: Problem, request_id: string): string => JSON.stringify({ ...found, request_id });

/** A database that works again is noticed within two seconds (D-225). */
const RETRY_SECONDS = 2;

/** What a body may be (RFC 9110, 15.5.16). */
const ACCEPTED_BODY = { Accept: "application/json", "Accept-Encoding": "identity" };

export function sendProblem(response: Reply, found: Problem, headers: Readonly<Record<string, string>> = {}): void {
  if (found.code === "unauthorized") response.set("WWW-Authenticate", "Bearer");
  if (found.code === "media_type_unsupported") response.set(ACCEPTED_BODY);
  if (found.status === 503) response.set("Retry-After", String(RETRY_SECONDS));
  const { request_id, ownProblem } = response.locals;
  response.set(headers);
  if (ownProblem === null)
    return void response.status(found.status).type(PROBLEM_TYPE).end(problemText(found, request_id));
  response.locals.refused = found.status;
  const refused = { found, request_id, headers: response.req.headers, body: sentBody(response) };
  void ownProblem(refused).then(({ status, body }) => {
    response.status(status);
    if (body === null) response.end();
    else response.type("application/json").end(JSON.stringify(body));
  });
}

/**
 * Gives the body of a request that is refused: what was read of it, then the rest as it arrives. A caller without a token gets an
 * answer before its body is read.
 */
async function* sentBody({ req, locals }: Reply): AsyncGenerator<Uint8Array> {
  if (locals.token === null) return;
  yield* locals.chunks;
  if (!req.readableEnded) yield* req.iterator({ destroyOnReturn: false });
}
