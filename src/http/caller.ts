// The caller of a request: the bearer token that it presents, and what operations and endpoints see of it. The value of a token
// is in the environment or in a file that only its owner can read; the server keeps digests. Every route but health needs one.
import { createHash, timingSafeEqual } from "node:crypto";
import { readOrCreateTokenFile, tokenPath } from "../config/token-file.ts";
import type { Rate } from "../domain/rate.ts";
import { readTraceparent } from "../domain/traceparent.ts";
import { type Caller, isSubmit, type OperationShape, type Scope } from "../operations/operation.ts";
import type { Clock } from "../ports.ts";
import { isWithKey } from "./console/sessions.ts";
import type { Call, Handler, Identity, Reply, Token } from "./context.ts";
import { type Admit, addressOf, createAdmission, type Refusal } from "./guards.ts";
import { problem, sendProblem } from "./problem.ts";

type TokenSource = {
  readonly token: string | null;
  readonly approver_token: string | null;
  readonly metrics_token?: string | null;
  readonly data_dir: string;
};

/** `path` is where the main token was read or created, null when the environment gave it; `secrets` are for redaction. */
type Tokens = {
  readonly tokens: readonly Token[];
  readonly path: string | null;
  readonly secrets: readonly string[];
};

/** Rejects with `config_invalid` when the token file may be read by others or holds no token. */
export const METRICS_TOKEN_ID = "metrics";

export async function readTokens({ metrics_token = null, ...source }: TokenSource): Promise<Tokens> {
  const { tokens, path, secrets } = await readCallers(source);
  if (metrics_token === null) return { tokens, path, secrets };
  return {
    tokens: [...tokens, tokenOf(METRICS_TOKEN_ID, metrics_token, [])],
    path,
    secrets: [...secrets, metrics_token],
  };
}

async function readCallers({ token, approver_token, data_dir }: TokenSource): Promise<Tokens> {
  const path = token === null ? tokenPath(data_dir) : null;
  const main = token ?? (await readOrCreateTokenFile(data_dir));
  if (approver_token === null) {
    return { tokens: [tokenOf("supervisor", main, ["read", "submit", "teach", "approve"])], path, secrets: [main] };
  }
  const tokens = [
    tokenOf("supervisor", main, ["read", "submit", "teach"]),
    tokenOf("approver", approver_token, ["read", "approve"]),
  ];
  return { tokens, path, secrets: [main, approver_token] };
}

/** Compares with every token, so that the time taken reveals nothing. */
export function findToken(tokens: readonly Token[], presented: string): Token | null {
  const digest = digestOf(presented);
  return tokens.filter((token) => timingSafeEqual(token.digest, digest))[0] ?? null;
}

export const digestOf = (value: string): Buffer => createHash("sha256").update(value, "utf8").digest();

const tokenOf = (token_id: string, value: string, scopes: readonly Scope[]): Token => ({
  token_id,
  digest: digestOf(value),
  scopes: new Set(scopes),
});

/** Refuses nothing yet. It costs one digest, less than reading the headers, and so precedes every limit. */
export function identify(tokens: readonly Token[], sessionOf: (request: Call) => Identity | null): Handler {
  return (request, response, next) => {
    const { authorization } = request.headers;
    const presented = /^Bearer +([\w.~+/=-]{1,512})$/i.exec(authorization ?? "")?.[1];
    const session = authorization === undefined ? sessionOf(request) : null;
    response.locals.token = presented === undefined ? session : findToken(tokens, presented);
    next();
  };
}

/** Answers a login that failed, or a request without the right token: one limit for both. */
export type RefuseLogin = (request: Call, response: Reply, detail: string) => void;

export function createRefuseLogin(failures: Rate, clock: Clock): RefuseLogin {
  const limit = "There were too many requests to this server without the right token.";
  const admit = createAdmission({ rate: failures, code: "too_many_failures", limit }, clock);
  return (request, response, detail) => {
    const refusal = admit(addressOf(request));
    if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
    sendProblem(response, problem("unauthorized", detail));
  };
}

/** A page whose session has ended asks on, and must not use up the turns of the login that follows: no key can be guessed (D-338). */
export const authenticate =
  (refuseLogin: RefuseLogin): Handler =>
  (request, response, next) => {
    if (response.locals.token !== null) return next();
    if (isWithKey(request)) return sendProblem(response, problem("session_ended", "Log in to the console."));
    refuseLogin(request, response, "Send Authorization: Bearer <token>.");
  };

export type HttpCaller = Caller & {
  /** Why the caller may not call the operation now; null when it may. Each call of this function takes a turn. */
  readonly refusalOf: (operation: Pick<OperationShape, "name" | "scope" | "or_scope">) => Promise<Refusal | null>;
};

export type AdmitSubmit = (key: string) => ReturnType<Admit> | Promise<ReturnType<Admit>>;

/** The connection has closed, or the client has shut its sending side: it gets its answer, and waits for nothing any more. */
export function endWaitOf(response: Reply, gone: AbortController): void {
  const { socket } = response.req;
  const end = () => gone.abort();
  socket.once("end", end);
  response.once("close", () => {
    socket.off("end", end);
    // No abort after the answer: no wait is left, and an abort creates an error with a stack.
    if (!response.writableFinished) end();
  });
  if (socket.readableEnded) end();
}

/** `scope`: that of what is called. */
export type CallerOf = (response: Reply, scope?: Scope) => HttpCaller;

/** The signal ends waits: when the connection closes, and when the server stops. */
export const createCallerOf =
  (stopping: AbortSignal, admitSubmit: AdmitSubmit): CallerOf =>
  (response, needed) => {
    const { token } = response.locals;
    const traceparent = readTraceparent(response.req.headers["traceparent"]);
    if (token === null) throw new Error("a route was reached without authentication");
    const { scopes, ended, approves_as, name } = token;
    const token_id = needed === "approve" ? (approves_as ?? token.token_id) : token.token_id;
    const gone = new AbortController();
    endWaitOf(response, gone);
    return {
      token_id,
      ...(name !== undefined && { at_console: { name } }),
      ...(traceparent !== null && { traceparent }),
      signal: AbortSignal.any([gone.signal, stopping, ...(ended === undefined ? [] : [ended])]),
      refusalOf: async (operation) => {
        const { name: asked, scope, or_scope } = operation;
        if (!scopes.has(scope) && (or_scope === undefined || !scopes.has(or_scope))) {
          const either = or_scope === undefined ? scope : `${scope} or ${or_scope}`;
          const detail = `${asked} needs a token with the scope ${either}.`;
          return { problem: problem("forbidden", detail, { needs_scope: scope }), headers: {} };
        }
        return isSubmit(operation) ? admitSubmit(token_id) : null;
      },
    };
  };
