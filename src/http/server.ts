// Listens for HTTP, with its limits of time and number of connections, and answers bytes that are not valid HTTP, which never
// reach the app.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { OrchError } from "../domain/errors.ts";
import type { NewId } from "../ports.ts";
import { createApp, type HttpEndpoint, type Rates, type ServedDeps } from "./app.ts";
import { PROBLEM_TYPE, type Problem, type ProblemCode, problem, problemText } from "./problem.ts";

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

export type HttpServer = {
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
 * Whether the target is a path; if not, the request has been answered. Express would take the path out of
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
