// Identifies the caller of a request, by its bearer token or its session of the console, and checks and logs requests. The value of a
// token is in the environment or in a file that only its owner can read; the server keeps digests. Every route but health needs one.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readOrCreateTokenFile, tokenPath } from "../../config/token-file.ts";
import { createBuckets, type Rate } from "../../domain/rate.ts";
import { readTraceparent } from "../../domain/trace-mark.ts";
import type { Log } from "../../log/log.ts";
import type { Clock } from "../../ports.ts";
import { type Caller, isSubmit, type OperationShape, type Scope } from "../operations/operation.ts";
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

/** True when the Host header has a local name such as localhost, which means the machine of the sender. */
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

// Keeps the sessions of the console and reads their cookie (D-338). A cookie alone is sent to every port of this host, and the
// key alone can be read by a script of the page: a request needs both. The server keeps digests, in memory.

export const SESSION_MS = 12 * 3_600_000;
const STEP_UP_MS = 10 * 60_000;
/** Of one token. Above this many, the one of that token that was unused for longest ends: who has another token keeps its own. */
const MAX_SESSIONS = 100;

/** The rights of a token, and the name that its human gave at the login. */
type Login = Pick<Identity, "token_id" | "scopes"> & { readonly name: string | null };

export type SessionView = {
  readonly name: string | null;
  readonly token_id: string;
  readonly scopes: readonly Scope[];
  /** Null while the right to approve is that of the token itself, or absent. */
  readonly approve_until: string | null;
  readonly expires_at: string;
};

type Session = Login & {
  readonly id: number;
  readonly key_digest: Buffer;
  readonly expires_at: number;
  readonly ended: AbortController;
  stepped_up: { readonly token_id: string; readonly until: number } | null;
};

export type ConsoleSessions = ReturnType<typeof createSessions>;

export function createSessions(clock: Clock) {
  /** By the digest of their cookie, the one used last at the end. */
  const sessions = new Map<string, Session>();
  let last_id = 0;

  const end = (cookie_digest: string): void => {
    sessions.get(cookie_digest)?.ended.abort();
    sessions.delete(cookie_digest);
  };

  /** Expired ones first. */
  const makeRoom = (token_id: string, now: number): void => {
    for (const [cookie_digest, { expires_at }] of sessions) if (expires_at <= now) end(cookie_digest);
    const own = [...sessions].filter(([, session]) => session.token_id === token_id);
    for (const [cookie_digest] of own.slice(0, Math.max(0, own.length + 1 - MAX_SESSIONS))) end(cookie_digest);
  };

  /** Null where the two are not of one session that lasts. */
  const found = (presented: Presented): readonly [cookie_digest: string, session: Session] | null => {
    const cookie_digest = digestOf(presented.cookie).toString("hex");
    const session = sessions.get(cookie_digest);
    if (session === undefined || !timingSafeEqual(session.key_digest, digestOf(presented.key))) return null;
    if (session.expires_at > clock().getTime()) return [cookie_digest, session];
    end(cookie_digest);
    return null;
  };

  return {
    /** Both parts have 256 random bits, and are nowhere else from then on. */
    open: (login: Login): Presented & { readonly session: SessionView } => {
      const now = clock().getTime();
      makeRoom(login.token_id, now);
      const [cookie, key] = [secret(), secret()];
      const ended = new AbortController();
      last_id += 1;
      const kept = { id: last_id, key_digest: digestOf(key), expires_at: now + SESSION_MS, ended, stepped_up: null };
      const session: Session = { ...login, ...kept };
      sessions.set(digestOf(cookie).toString("hex"), session);
      // Ends what still reads then. A session that is found too late has ended by the clock.
      setTimeout(() => ended.abort(), SESSION_MS).unref();
      return { cookie, key, session: viewOf(session, now) };
    },
    find: (presented: Presented): Identity | null => {
      const one = found(presented);
      if (one === null) return null;
      const [cookie_digest, session] = one;
      sessions.delete(cookie_digest);
      sessions.set(cookie_digest, session);
      return identityOf(session, clock().getTime());
    },
    show: (presented: Presented): SessionView | null => {
      const one = found(presented);
      return one === null ? null : viewOf(one[1], clock().getTime());
    },
    /** The session may approve for some minutes, as that token. */
    stepUp: (presented: Presented, token_id: string): void => {
      const one = found(presented);
      if (one !== null) one[1].stepped_up = { token_id, until: clock().getTime() + STEP_UP_MS };
    },
    close: (presented: Presented): void => {
      const one = found(presented);
      if (one !== null) end(one[0]);
    },
  };
}

type Presented = { readonly cookie: string; readonly key: string };

const secret = (): string => randomBytes(32).toString("base64url");

const approver = ({ stepped_up }: Session, now: number) =>
  stepped_up !== null && stepped_up.until > now ? stepped_up : null;

function identityOf(session: Session, now: number): Identity {
  const { id, token_id, scopes, name, ended } = session;
  const raised = approver(session, now);
  const known = { token_id, name, turns_of: `session ${id}`, ended: ended.signal };
  if (raised === null) return { ...known, scopes };
  return { ...known, scopes: new Set([...scopes, "approve" as const]), approves_as: raised.token_id };
}

function viewOf(session: Session, now: number): SessionView {
  const { name, token_id, expires_at } = session;
  const raised = approver(session, now);
  return {
    name,
    token_id,
    scopes: [...identityOf(session, now).scopes],
    approve_until: raised === null ? null : new Date(raised.until).toISOString(),
    expires_at: new Date(expires_at).toISOString(),
  };
}

const NAME = "__Host-orch";
const ATTRIBUTES = "HttpOnly; Secure; SameSite=Strict; Path=/";

const KEY_HEADER = "x-orch-key";

export const cookieOf = (value: string): string => `${NAME}=${value}; ${ATTRIBUTES}; Max-Age=${SESSION_MS / 1000}`;
export const NO_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/**
 * The cookie of a session. A cookie of this prefix is taken only with Secure, without Domain and for every path, so no other host
 * can set it; browsers take it on http://127.0.0.1 too. Null where a part is missing.
 */
export function presentedIn({ headers }: Pick<Call, "headers">): Presented | null {
  const key = headers[KEY_HEADER];
  const cookies = (headers.cookie ?? "").split(/;\s*/).filter((one) => one.startsWith(`${NAME}=`));
  const [cookie] = cookies;
  if (typeof key !== "string" || cookie === undefined || cookies.length > 1) return null;
  return { key, cookie: cookie.slice(NAME.length + 1) };
}

/** A request of the page, or of what pretends to be it. */
export const isWithKey = ({ headers }: Pick<Call, "headers">): boolean =>
  headers[KEY_HEADER] !== undefined && headers.authorization === undefined;

// Logs each request with method, route template, status, duration and token id, never with a body or a header.

/** No token, another host, too often: a stranger must not be able to fill the log. */
const STRANGERS = new Set([401, 421, 429]);

/** Health probes come every few seconds: they too are logged at `debug`. */
export function logRequests(log: Log): Handler {
  return (request, response, next) => {
    const started = performance.now();
    response.once("close", () => {
      const { request_id, route, token, refused } = response.locals;
      const answered = refused ?? response.statusCode;
      const quiet = route === "/healthz" || route === "/readyz" || STRANGERS.has(answered);
      const write = quiet ? log.debug : log.info;
      const duration_ms = Math.round(performance.now() - started);
      const token_id = token?.token_id ?? null;
      const status = response.headersSent ? answered : null;
      write({ request_id, method: request.method, route, status, duration_ms, token_id }, "request");
    });
    next();
  };
}
