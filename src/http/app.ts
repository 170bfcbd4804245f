// Checks requests in order: request id, Host, Origin, life, rate, readiness, token, route. Each operation and each endpoint
// (metrics, health, docs) is a route.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import express, { type ErrorRequestHandler, type Express } from "express";
import { OrchError } from "../domain/errors.ts";
import { MAX_DEPTH } from "../domain/json.ts";
import type { Rate } from "../domain/rate.ts";
import { type Log, logRequests } from "../log/log.ts";
import type { AnyOperation } from "../operations/operation.ts";
import type { Clock, NewId } from "../ports.ts";
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
  METRICS_TOKEN_ID,
  type RefuseLogin,
  type SharedTurns,
  sharedAdmission,
} from "./caller.ts";
import { type Console, type ConsoleSettings, createConsole } from "./console/console.ts";
import type { Call, Context, Handler, Reply, Token } from "./context.ts";
import { type EventStreamShape, openApiOf } from "./openapi.ts";
import { operationRoute, readBody, sharing } from "./operation-route.ts";
import { problem, problemOf, sendProblem } from "./problem.ts";

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

export type Rates = {
  /** By token, or by address for a request without a token. */
  readonly requests: Rate;
  /** By token. */
  readonly submits: Rate;
  /** By address. */
  readonly failed_logins: Rate;
};

export type ServedDeps = {
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

export type AppDeps = ServedDeps & {
  readonly endpoints: readonly HttpEndpoint[];
  readonly rates: Rates;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
};

export function createApp(deps: AppDeps): Express {
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

const own = (name: string): string => fileURLToPath(new URL(`./docs-page/${name}`, import.meta.url));

// The viewer draws its icons from data: addresses in its style sheet. Nothing else is loaded, and from nowhere else.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const FILES: readonly (readonly [path: string, file: string])[] = [
  ["/docs", own("page.html")],
  ["/docs/page.js", own("page.js")],
  ["/docs/swagger-ui-bundle.js", fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"))],
  ["/docs/swagger-ui.css", fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui.css"))],
];

/**
 * GET /docs: the OpenAPI document for a human, by a packaged viewer (D-206). Page and viewer are files that are the same on every
 * server, so they need no token; the document that they show does. Each path of the page with its handler.
 */
const docsPage = (): (readonly [path: string, handler: Handler])[] =>
  FILES.map(([path, file]) => [
    path,
    (_request, response, next) => {
      response.set({
        "Content-Security-Policy": POLICY,
        "Cache-Control": "no-cache",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
      });
      response.sendFile(file, { dotfiles: "allow" }, (error) => {
        if (error !== undefined && !response.headersSent) next(error);
      });
    },
  ]);
