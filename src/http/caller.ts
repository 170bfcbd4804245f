// The caller of a request: the bearer token that it presents, and what operations and endpoints see of it. The value of a token
// is in the environment or in a file that only its owner can read; the server keeps digests. Every route but health needs one.
import { createHash, timingSafeEqual } from "node:crypto";
import { readOrCreateTokenFile, tokenPath } from "../config/token-file.ts";
import { createBuckets, type Rate } from "../domain/rate.ts";
import { readTraceparent } from "../domain/trace-mark.ts";
import { type Caller, isSubmit, type OperationShape, type Scope } from "../operations/operation.ts";
import type { Clock } from "../ports.ts";
import { isWithKey } from "./console/sessions.ts";
import type { Call, Handler, Identity, Reply, Token } from "./context.ts";
import { type Problem, type ProblemCode, problem, sendProblem } from "./problem.ts";

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

// The checks that every request passes before a route and before its caller is known: Host and Origin, which a browser may have
// been tricked into sending (DNS rebinding, a foreign page), and the rate of the caller.

const LOCAL_NAMES = ["localhost", "127.0.0.1", "[::1]"];

/** The name must equal one of the names of this service, with any port. */
export function checkHost(own_names: readonly (string | null)[]): Handler {
  const given = own_names.flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
  const names = new Set([...LOCAL_NAMES, ...given]);
  return (request, response, next) => {
    const name = hostName(request);
    if (name !== undefined && names.has(name)) return next();
    sendProblem(response, problem("host_refused", "The Host header must name this service; see ORCH_PUBLIC_HOST."));
  };
}

function hostName({ headersDistinct }: Call): string | undefined {
  const hosts = headersDistinct["host"] ?? [];
  if (hosts.length !== 1) return undefined;
  return /^(\[[0-9a-f:.]+\]|[^:]+)(?::\d{1,5})?$/.exec(hosts[0]?.toLowerCase() ?? "")?.[1];
}

/** Whether it was sent to this machine by a name that means the machine of the sender. */
export const isLocalHost = (request: Call): boolean => LOCAL_NAMES.includes(hostName(request) ?? "");

/**
 * A request without an Origin does not come from a page, unless Sec-Fetch-Site says so: a browser sends no Origin with an
 * image or a link. A request with an Origin must be in the list, also when its Host is right, or come from the page that is served here:
 * then the browser says so itself, and the Origin has host and port of the Host (D-338).
 */
export function checkOrigin(allowed_origins: readonly string[]): Handler {
  const origins = new Set(allowed_origins);
  return (request, response, next) => {
    const { origin, "sec-fetch-site": site = "none", host } = request.headers;
    const isOwn = site === "same-origin" && origin !== undefined && isOrigin(origin, host);
    if (origin === undefined ? OWN_SITES.has(site) : isOwn || origins.has(origin.toLowerCase())) return next();
    sendProblem(response, problem("origin_refused", "Pages of this origin may not call; see ORCH_ALLOWED_ORIGINS."));
  };
}

const isOrigin = (origin: string, host: string | undefined): boolean =>
  ["http:", "https:"].some((scheme) => origin.toLowerCase() === `${scheme}//${host?.toLowerCase()}`);

/** Sec-Fetch-Site of a request that a page of this service, or the user, has made. */
const OWN_SITES: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * A token has turns of its own; a request without one uses those of its address. On loopback all callers share one address,
 * and a step that calls without end, or guesses tokens, must not lock the supervisor out.
 */
export function limitRequests(rate: Rate, clock: Clock): Handler {
  const limit = `At most ${perSecond(rate)} requests a second are taken from one caller on each server (ORCH_REQUESTS_PER_SECOND).`;
  const admit = createAdmission({ rate, code: "rate_limited", limit }, clock);
  return (request, response, next) => {
    const { token } = response.locals;
    const refusal = admit(
      token === null ? `address ${addressOf(request)}` : (token.turns_of ?? `token ${token.token_id}`),
    );
    if (refusal === null) next();
    else sendProblem(response, refusal.problem, refusal.headers);
  };
}

const perSecond = ({ amount, per_ms }: Rate): number => (amount * 1000) / per_ms;

export const addressOf = ({ socket }: Call): string => socket.remoteAddress ?? "";

type Refusal = { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> };

/** Takes a turn for the key. Null when there was one, else an answer that says when to try again. */
type Admit = (key: string) => Refusal | null;

/** `limit` is a sentence that says what the limit is and where it is set. */
type Limit = { readonly code: ProblemCode; readonly limit: string };

export function createAdmission({ rate, ...limit }: Limit & { readonly rate: Rate }, clock: Clock): Admit {
  const takeTurn = createBuckets(rate, clock);
  return (key) => refusalAfter(takeTurn(key), limit);
}

export type SharedTurns = (key: string) => Promise<number | null>;

/** The same, where the turns are those of all servers. */
export const sharedAdmission =
  (takeTurn: SharedTurns, limit: Limit) =>
  async (key: string): Promise<Refusal | null> =>
    refusalAfter(await takeTurn(key), limit);

function refusalAfter(wait: number | null, { code, limit }: Limit): Refusal | null {
  if (wait === null) return null;
  return { problem: problem(code, `${limit} Try again in ${wait} s.`), headers: { "Retry-After": String(wait) } };
}
