// Serves HTTP: checks requests in order (request id, Host, Origin, life, rate, readiness, token, route) and listens, with limits of time
// and of connections. Each operation and each endpoint (metrics, health, docs) is a route.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import express, { type ErrorRequestHandler, type Express } from "express";
import { OrchError } from "../../domain/errors.ts";
import { MAX_DEPTH } from "../../domain/json.ts";
import type { Rate } from "../../domain/rate.ts";
import type { Log } from "../../log/log.ts";
import type { Clock, NewId } from "../../ports.ts";
import type { AnyOperation } from "../operations/operation.ts";
import {
  type AdmitSubmit,
  authenticate,
  type CallerOf,
  checkHost,
  checkOrigin,
  createAdmission,
  createCallerOf,
  createRefuseLogin,
  type HttpCaller,
  identify,
  limitRequests,
  logRequests,
  METRICS_TOKEN_ID,
  type RefuseLogin,
  type SharedTurns,
  sharedAdmission,
} from "./caller.ts";
import { type Console, type ConsoleSettings, createConsole } from "./console/console.ts";
import type { Call, Context, Handler, Reply, Token } from "./context.ts";
import { docsPage } from "./docs-page/docs-page.ts";
import { type EventStreamShape, openApiOf } from "./openapi.ts";
import { operationRoute, readBody, sharing } from "./operation-route.ts";
import {
  PROBLEM_TYPE,
  type Problem,
  type ProblemCode,
  problem,
  problemOf,
  problemText,
  sendProblem,
} from "./problem.ts";

const SHAPE = { name: "metrics", scope: "read" } as const;

type Source = { readonly text: () => Promise<string>; readonly content_type: string };

/** GET /metrics: what Prometheus reads. A token that may read may, and one of its own that may do nothing else. */
export const createMetricsEndpoint = ({ text, content_type }: Source): HttpEndpoint => ({
  path: "/metrics",
  methods: ["GET"],
  handle: async (_request, response, caller) => {
    const refusal = caller.token_id === METRICS_TOKEN_ID ? null : await caller.refusalOf(SHAPE);
    if (refusal !== null) return sendProblem(response, refusal.problem, refusal.headers);
    response.set("Content-Type", content_type).send(await text());
  },
});

/** Served beside the operations, with the same guards and token, at one path: /mcp, /metrics. */
export type HttpEndpoint = {
  readonly path: string;
  readonly methods: readonly ("GET" | "POST" | "DELETE")[];
  /** Another form of a problem than the document, where the endpoint's protocol has one. */
  readonly ownProblem?: Context["ownProblem"];
  /** Published where the answer to GET is a stream of events. */
  readonly stream?: EventStreamShape;
  /** `body` is the parsed JSON of a POST. */
  readonly handle: (request: Call, response: Reply, caller: HttpCaller, body: unknown) => Promise<void>;
};

/** For the other servers that share the database: with a secret of its own, and no token opens it (D-396). */
export type PeerEndpoint = {
  readonly path: string;
  /** The name under which they call this server. */
  readonly host: string;
  readonly handle: (refuse: RefuseLogin, stopping: AbortSignal) => Handler;
};

type Rates = {
  /** By token, or by address for a request without a token. */
  readonly requests: Rate;
  /** By token. */
  readonly submits: Rate;
  /** By address. */
  readonly failed_logins: Rate;
};

type ServedDeps = {
  readonly operations: readonly AnyOperation[];
  readonly tokens: readonly Token[];
  readonly public_host: string | null;
  readonly allowed_origins: readonly string[];
  readonly version: string;
  readonly ready: Ready;
  readonly log: Log;
  readonly clock: Clock;
  readonly new_id: NewId;
  /** Takes turns of the submits of a token that are counted on all servers; null where this server counts them. */
  readonly submitTurns?: SharedTurns | null;
  /** Null where there is no console. */
  readonly console?: ConsoleSettings | null;
  /** Null where the other servers read nothing of this one. */
  readonly peers?: PeerEndpoint | null;
  /** Another number after each change of what the operations read; null where pages share no answers. */
  readonly version_of_data?: (() => number) | null;
};

type AppDeps = ServedDeps & {
  readonly endpoints: readonly HttpEndpoint[];
  readonly rates: Rates;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
};

function createApp(deps: AppDeps): Express {
  const { log, stopping, rates, clock } = deps;
  const app = express();
  app.disable("x-powered-by").disable("etag");
  // When the answer to an error fails too, Express sends no stack.
  app.set("env", "production");
  app.enable("case sensitive routing").enable("strict routing").set("query parser", "simple");
  app.use(
    begin(deps),
    logRequests(log),
    checkHost([deps.public_host, deps.peers?.host ?? null]),
    checkOrigin(deps.allowed_origins),
  );
  serve(app, "/healthz", new Map([["GET", healthz]]));
  const refuseLogin = createRefuseLogin(rates.failed_logins, clock);
  if (deps.peers != null) serve(app, deps.peers.path, new Map([["GET", deps.peers.handle(refuseLogin, stopping)]]));
  const console = deps.console == null ? null : createConsole({ ...deps, ...deps.console, refuseLogin });
  app.use(identify(deps.tokens, console?.identify ?? NO_SESSION), limitRequests(rates.requests, clock));
  serve(app, "/readyz", new Map([["GET", readyz(deps.ready, log)]]));
  for (const [path, handler] of docsPage()) serve(app, path, new Map([["GET", handler]]));
  if (console !== null) servePages(app, console);
  app.use(authenticate(refuseLogin));
  for (const [path, handlers] of console?.guarded ?? []) serve(app, path, handlers);
  const document = openApiOf(deps.operations, streamsOf(deps.endpoints), deps.version);
  serve(app, "/openapi.json", new Map([["GET", constant("application/json", JSON.stringify(document))]]));
  const callerOf = createCallerOf(stopping, submitAdmission(deps));
  const shared = sharing(deps);
  for (const [path, operations] of Map.groupBy(deps.operations.toSorted(literalFirst), ({ path }) => path)) {
    serve(app, path, new Map(operations.map((found) => [found.method, operationRoute(found, callerOf, shared)])));
  }
  for (const endpoint of deps.endpoints)
    serve(app, endpoint.path, new Map(endpoint.methods.map((m) => [m, endpointRoute(endpoint, callerOf)])));
  app.use(notFound, answerError(log));
  return app;
}

function servePages(app: Express, { open, page }: Console): void {
  for (const [path, handlers] of open) serve(app, path, handlers);
  app.use(page);
}

const NO_SESSION = () => null;

const streamsOf = (endpoints: AppDeps["endpoints"]): EventStreamShape[] =>
  endpoints.flatMap(({ stream }) => stream ?? []);

function submitAdmission({ rates: { submits: rate }, clock, submitTurns = null }: AppDeps): AdmitSubmit {
  const a_minute = (rate.amount * 60_000) / rate.per_ms;
  const by = submitTurns === null ? "" : ", by all servers together";
  const limit = `At most ${a_minute} tasks a minute are taken from one token${by} (ORCH_SUBMITS_PER_MINUTE).`;
  const refused = { code: "rate_limited", limit } as const;
  return submitTurns === null ? createAdmission({ rate, ...refused }, clock) : sharedAdmission(submitTurns, refused);
}

/** `/v1/sops/{sop_id}` also matches `/v1/sops/import`. */
const literalFirst = (a: AnyOperation, b: AnyOperation): number =>
  Number(a.path.includes("{")) - Number(b.path.includes("{"));

/** An answer that stays the same while the server lives: a client that has it gets 304. */
function constant(type: string, text: string): Handler {
  const tag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  return ({ headers }, response) => {
    response.set({ ETag: tag, "Cache-Control": "private, no-cache" });
    // Not left to Express: fetch sends Cache-Control: no-cache with it, and would get all of it again.
    if (headers["if-none-match"]?.includes(tag) === true) return void response.status(304).end();
    response.type(type).send(text);
  };
}

const begin =
  ({ new_id, endpoints }: Pick<AppDeps, "new_id" | "endpoints">): Handler =>
  ({ path }, response, next) => {
    const request_id = new_id();
    const ownProblem = endpoints.find((endpoint) => endpoint.path === path)?.ownProblem ?? null;
    Object.assign(response.locals, {
      request_id,
      route: null,
      token: null,
      ownProblem,
      refused: null,
      chunks: [],
    } satisfies Context);
    response.set({ "X-Request-Id": request_id, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
    next();
  };

/** All methods of one path: HEAD is GET without the body, OPTIONS lists the methods, any other is refused. */
function serve(app: Express, path: string, handlers: ReadonlyMap<string, Handler>): void {
  const allow = [...handlers.keys(), ...(handlers.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const route: Handler = (request, response, next) => {
    response.locals.route = path;
    const handler = handlers.get(request.method === "HEAD" ? "GET" : request.method);
    if (handler !== undefined) return handler(request, response, next);
    if (request.method === "OPTIONS") return void response.set("Allow", allow).status(204).end();
    return sendProblem(response, problem("method_not_allowed", `Use one of ${allow}.`), { Allow: allow });
  };
  app.all(expressPath(path), route);
}

/** `/v1/tasks/{task_id}` in the syntax of Express. */
const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

// A JSON-RPC envelope adds a few levels to the input of an operation.
const ENVELOPE_DEPTH = MAX_DEPTH + 4;

function endpointRoute(endpoint: HttpEndpoint, callerOf: CallerOf): Handler {
  return async (request, response) => {
    const caller = callerOf(response);
    if (request.method !== "POST") return endpoint.handle(request, response, caller, undefined);
    const { chunks } = response.locals;
    const reading = await readBody(request, { max_depth: ENVELOPE_DEPTH, code: "input_invalid", chunks });
    return reading.ok
      ? endpoint.handle(request, response, caller, reading.value)
      : sendProblem(response, reading.problem);
  };
}

const notFound: Handler = (_request, response) =>
  sendProblem(response, problem("route_not_found", "See /openapi.json for what there is."));

function answerError(log: Log): ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, Context> {
  return (error: unknown, _request, response, _next) => {
    const found = problemOf(error);
    const { request_id, route } = response.locals;
    if (found.status >= 500) log.error({ request_id, route, err: error }, "a request failed");
    if (response.headersSent) response.destroy();
    else sendProblem(response, found);
  };
}

/** Those who ask for readiness wait a few seconds at most. */
const LONGEST_MS = 3_000;

/** Null when ready, else a sentence that says what is missing and reveals nothing. */
type Ready = () => Promise<string | null>;

/** /healthz: the process lives. /readyz: the database answers and recovery is done. Neither needs a token. */
const healthz: Handler = (_request, response) => {
  response.json({ status: "ok" });
};

function readyz(ready: Ready, log: Log): Handler {
  return async (_request, response) => {
    const silence = sleep(LONGEST_MS, "The database does not answer.", { ref: false });
    const missing = await Promise.race([ready(), silence]).catch((err: unknown) => {
      log.error({ request_id: response.locals.request_id, err }, "the readiness check failed");
      const fix = err instanceof OrchError ? err.fix : null;
      return `The readiness check failed${fix === null ? "" : `: ${fix}`}.`;
    });
    if (missing === null) response.json({ status: "ready" });
    else sendProblem(response, problem("not_ready", missing));
  };
}

// Listens for HTTP, with its limits of time and number of connections, and answers bytes that are not valid HTTP, which never
// reach the app.

type Limits = Rates & {
  /** Until the headers, and the whole request, must have arrived. An answer may take longer. */
  readonly headers_ms: number;
  readonly request_ms: number;
  /** Until a silent connection is closed: longer than any wait, and than a client needs to read. */
  readonly silence_ms: number;
  /** Until a connection without a request is closed. A busy server may close one on which a request is arriving. */
  readonly idle_ms: number;
  readonly connections: number;
  /** How long pending answers may still take when the server stops. */
  readonly stop_ms: number;
};

const LIMITS: Limits = {
  headers_ms: 10_000,
  request_ms: 30_000,
  silence_ms: 120_000,
  idle_ms: 15_000,
  connections: 2_000,
  requests: { amount: 1_000, per_ms: 10_000 },
  submits: { amount: 300, per_ms: 60_000 },
  failed_logins: { amount: 10, per_ms: 60_000 },
  stop_ms: 5_000,
};

export type HttpServerDeps = ServedDeps & {
  readonly host: string;
  readonly port: number;
  readonly endpoints?: readonly HttpEndpoint[];
  readonly limits?: Partial<Limits>;
};

type HttpServer = {
  /** Rejects with `config_invalid` when the address cannot be taken. */
  readonly start: () => Promise<{ readonly host: string; readonly port: number }>;
  /** Accepts no more requests, ends every wait, and lets pending answers finish. */
  readonly stop: () => Promise<void>;
};

export function createHttpServer({ host, port, endpoints = [], limits, ...deps }: HttpServerDeps): HttpServer {
  const all: Limits = { ...LIMITS, ...limits };
  const stopping = new AbortController();
  const app = createApp({ ...deps, endpoints, rates: all, stopping: stopping.signal });
  const server = createServer({
    headersTimeout: all.headers_ms,
    requestTimeout: all.request_ms,
    keepAliveTimeout: all.idle_ms,
    connectionsCheckingInterval: Math.min(1_000, all.headers_ms),
    // The Host check refuses it, with a problem document.
    requireHostHeader: false,
  });
  limitConnections(server, all.connections);
  answerHalfClosed(server);
  server.timeout = all.silence_ms;
  answerBadRequests(server, deps.new_id);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping.signal.aborted) response.shouldKeepAlive = false;
    // Node reads on by itself only in a body of which nothing was read: else the next request of the connection is never answered.
    response.once("finish", () => request.resume());
    if (hasPath(request, response, deps.new_id)) app(request, response);
  };
  // An unknown Expect is ignored: Node's own answer would be the only one without a request id.
  server.on("request", serve).on("checkExpectation", serve);
  return {
    start: () => listen(server, { host, port, backlog: all.connections }),
    stop: () => close(server, stopping, all.stop_ms),
  };
}

/** A client may shut its sending side after its request. Node knows the setting, and its types do not. */
const answerHalfClosed = (server: Server): object => Object.assign(server, { httpAllowHalfOpen: true });

type ListenAddress = { readonly host: string; readonly port: number; readonly backlog: number };

function listen(server: Server, address: ListenAddress): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(notListening(address, error));
    server.once("error", refuse);
    server.listen(address, () => {
      server.off("error", refuse);
      const bound = server.address() as AddressInfo;
      resolve({ host: bound.address, port: bound.port });
    });
  });
}

const OBSTACLES: ReadonlyMap<string | undefined, string> = new Map([
  ["EADDRINUSE", "another program has this port; stop it, or set ORCH_PORT to one that is free"],
  ["EADDRNOTAVAIL", "this machine does not have that address; set ORCH_HOST to one that it has"],
  ["EACCES", "this user may not take that port; set ORCH_PORT to one above 1023"],
  ["ENOTFOUND", "that name has no address; set ORCH_HOST to one of this machine"],
]);

function notListening({ host, port }: ListenAddress, error: NodeJS.ErrnoException): OrchError {
  const why = OBSTACLES.get(error.code) ?? error.message;
  return new OrchError("config_invalid", `cannot listen on ${host} port ${port} (${error.code}): ${why}`, {
    cause: error,
  });
}

async function close(server: Server, stopping: AbortController, stop_ms: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  stopping.abort();
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), stop_ms);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

const REASONS: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["headers_too_large", "All headers together may have 16 KiB."]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["request_timeout", "The request took too long to arrive."]],
]);

/** A request line whose method Node does not know; anything else that begins with one is no HTTP. */
const REQUEST_LINE = /^[!#$%&'*+.^_`|~\w-]{1,64} \/\S* HTTP\/1\.[01]\r\n/;

type Refused = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

function problemOfBytes({ code, rawPacket }: Refused): Problem {
  if (code === "HPE_INVALID_METHOD" && REQUEST_LINE.test(rawPacket?.toString("latin1") ?? ""))
    return problem("method_unknown", "This server knows GET, HEAD, POST, DELETE and OPTIONS.");
  return problem(...(REASONS.get(code) ?? (["request_invalid", "The bytes are not a valid HTTP request."] as const)));
}

/** Answers what the parser refuses. */
function answerBadRequests(server: Server, new_id: NewId): void {
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  server.on("request", (request, response) => latest.set(request.socket, { request, response }));
  server.on("clientError", (error: Refused, socket) => {
    const last = latest.get(socket);
    // Anywhere else the client would read these bytes as the answer to an earlier request, or as a second answer.
    const expected = last?.request.complete ? last.response.writableFinished : !last?.response.headersSent;
    if (!socket.writable || !expected || error.code === "ECONNRESET") return void socket.destroy();
    socket.end(rawAnswer(problemOfBytes(error), new_id()), () => socket.destroy());
  });
}

function rawAnswer(found: Problem, request_id: string): string {
  const body = problemText(found, request_id);
  const lines = Object.entries(headersOf(body, request_id)).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`, ...lines, "", body].join("\r\n");
}

const headersOf = (body: string, request_id: string) => ({
  "Content-Type": PROBLEM_TYPE,
  "Content-Length": Buffer.byteLength(body),
  "X-Request-Id": request_id,
  "Cache-Control": "no-store",
  Connection: "close",
});

/**
 * Checks that the target of a request is a path, and otherwise answers the request. Express would take the path out of
 * `http://any.host/path` for any host, and send a page of HTML when it finds no route.
 */
function hasPath(request: IncomingMessage, response: ServerResponse, new_id: NewId): boolean {
  if (request.url?.startsWith("/")) return true;
  const request_id = new_id();
  const found = problem("request_invalid", "The target of a request must be a path, as in GET /v1/tasks.");
  const body = problemText(found, request_id);
  response.writeHead(found.status, headersOf(body, request_id)).end(body);
  return false;
}

/** Connections that are closed still count for a moment. */
const CLOSING = 500;

/**
 * Limits the connections of a server. A new one takes the place of the oldest that has sent no whole request and waits for no
 * answer, so that half-sent requests and idle clients keep no caller out.
 */
function limitConnections(server: Server, most: number): void {
  /** With the request that each is about, the longest unchanged first. */
  const open = new Map<Socket, IncomingMessage | null>();
  server.maxConnections = most + CLOSING;
  server.on("connection", (socket: Socket) => {
    socket.once("close", () => open.delete(socket));
    if (open.size >= most && !closeOldest(open)) return void socket.destroy();
    open.set(socket, null);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    open.set(socket, request);
    response.once("close", () => {
      // It is the newest of those without a request. A pipelined one may have taken its place.
      if (open.get(socket) === request && open.delete(socket) && !socket.destroyed) open.set(socket, null);
    });
  });
}

/** False where every connection waits for an answer. */
function closeOldest(open: Map<Socket, IncomingMessage | null>): boolean {
  for (const [socket, request] of open) {
    if (request?.complete === true) continue;
    open.delete(socket);
    socket.destroy();
    return true;
  }
  return false;
}
