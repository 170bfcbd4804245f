// Turns errors into HTTP answers, in this one place: RFC 9457 problem documents. Two families of codes: those of the domain, and
// those of the wire, which only a client of HTTP can see.
import { type ErrorCode, OrchError } from "../domain/errors.ts";
import { MEND } from "../domain/quarantine.ts";
import type { ProblemFacts } from "../schema/problem-document.ts";
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
  contract_invalid: [400, "The contract is not valid"],
  input_invalid: [400, "The input is not valid"],
  task_exists: [409, "Another task has this id"],
  task_not_found: [404, "There is no such task"],
  task_not_waiting: [409, "The task does not wait for this"],
  task_ended: [409, "The task has ended"],
  task_not_ended: [409, "The task has not ended"],
  task_not_proved: [409, "The task has proved no procedure"],
  sop_not_found: [404, "There is no such SOP"],
  sop_conflict: [409, "The stored procedures do not allow this"],
  sop_steps_invalid: [422, "These steps cannot be taught"],
  schedule_exists: [409, "Another schedule has this name"],
  schedule_not_found: [404, "There is no such schedule"],
  schedule_limit: [409, "There are too many schedules"],
  server_not_found: [404, "There is no such server"],
  server_ambiguous: [409, "Several servers have this name"],
  freeze_not_found: [404, "There is no such freeze"],
  freeze_limit: [409, "There are too many freezes"],
  held_by_freeze: [409, "A freeze holds it"],
  approval_not_found: [404, "There is no such approval"],
  approval_not_pending: [409, "The approval has been decided"],
  approval_stale: [409, "Another version has come into use since the approval was asked for"],
  approval_ambiguous: [409, "The decision does not name its approval"],
  digest_mismatch: [409, "The digest is not that of the approval"],
  unauthorized: [401, "A valid token is needed"],
  forbidden: [403, "The token does not allow this"],
  config_invalid: [500, "The service is not configured"],
  journal_newer: [409, "A newer version has written it"],
  quarantined: [500, "The record cannot be read"],
  database_unusable: [503, "The database cannot be used"],
  release_skipped: [500, "A release in between was skipped"],
  fenced: [500, "Another process has taken over"],
  busy: [503, "The service is busy"],
  internal_error: [500, "Something unexpected happened"],
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
