// The HTTP face (design: faces): listening, time limits, and what is said to a client that does not speak HTTP well.
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { OrchError } from "../domain/errors.ts";
import { type AppDeps, createApp } from "./app.ts";
import { PROBLEM_TYPE, type ProblemCode, problem, problemText } from "./problem.ts";

type Limits = {
  /** For the headers, and for the whole request, to arrive. An answer may take longer. */
  readonly headers_ms: number;
  readonly request_ms: number;
  readonly connections: number;
  readonly failed_logins: AppDeps["failed_logins"];
  /** How long answers under way may still take when the server stops. */
  readonly stop_ms: number;
};

const LIMITS: Limits = {
  headers_ms: 10_000,
  request_ms: 30_000,
  connections: 2_000,
  failed_logins: { failures: 10, window_ms: 60_000 },
  stop_ms: 5_000,
};

export type HttpServerDeps = Omit<AppDeps, "failed_logins" | "stopping" | "faces"> & {
  readonly host: string;
  readonly port: number;
  readonly faces?: AppDeps["faces"];
  readonly limits?: Partial<Limits>;
};

export type HttpServer = {
  /** Rejects with `config_invalid` when the address cannot be taken. */
  readonly start: () => Promise<{ readonly host: string; readonly port: number }>;
  /** Takes no more requests, ends every wait, and lets answers under way finish. */
  readonly stop: () => Promise<void>;
};

export function createHttpServer({ host, port, faces = [], limits, ...deps }: HttpServerDeps): HttpServer {
  const all: Limits = { ...LIMITS, ...limits };
  const stopping = new AbortController();
  const app = createApp({ ...deps, faces, failed_logins: all.failed_logins, stopping: stopping.signal });
  const server = createServer({
    headersTimeout: all.headers_ms,
    requestTimeout: all.request_ms,
    connectionsCheckingInterval: Math.min(1_000, all.headers_ms),
    // Refused by the Host check instead, with a problem document.
    requireHostHeader: false,
  });
  server.maxConnections = all.connections;
  answerBadRequests(server, deps.new_id);
  server.on("request", (request, response) => {
    if (stopping.signal.aborted) response.shouldKeepAlive = false;
    app(request, response);
  });
  return { start: () => listen(server, host, port), stop: () => close(server, stopping, all.stop_ms) };
}

function listen(server: Server, host: string, port: number): Promise<{ host: string; port: number }> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(notListening(host, port, error));
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      const { address, port: taken } = server.address() as AddressInfo;
      resolve({ host: address, port: taken });
    });
  });
}

const OBSTACLES: ReadonlyMap<string | undefined, string> = new Map([
  ["EADDRINUSE", "another program has this port; stop it, or set ORCH_PORT to one that is free"],
  ["EADDRNOTAVAIL", "this machine does not have that address; set ORCH_HOST to one that it has"],
  ["EACCES", "this user may not take that port; set ORCH_PORT to one above 1023"],
  ["ENOTFOUND", "that name has no address; set ORCH_HOST to one of this machine"],
]);

function notListening(host: string, port: number, error: NodeJS.ErrnoException): OrchError {
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

const BAD_REQUESTS: ReadonlyMap<string | undefined, readonly [ProblemCode, string]> = new Map([
  ["HPE_HEADER_OVERFLOW", ["headers_too_large", "All headers together may have 16 KiB."]],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["request_timeout", "The request took too long to arrive."]],
]);

/** What the parser refuses never reaches the app, yet is answered with a problem document like everything else. */
function answerBadRequests(server: Server, new_id: () => string): void {
  const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>();
  server.on("request", (request, response) => latest.set(request.socket, { request, response }));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const last = latest.get(socket);
    // While an earlier request is being answered, these bytes would be taken for its answer.
    const answering =
      last !== undefined && !last.response.writableFinished && (last.request.complete || last.response.headersSent);
    if (!socket.writable || answering || error.code === "ECONNRESET") return void socket.destroy();
    const [code, detail] = BAD_REQUESTS.get(error.code) ?? [
      "request_invalid",
      "The bytes are not a valid HTTP request.",
    ];
    socket.end(rawAnswer(problem(code, detail), new_id()), () => socket.destroy());
  });
}

function rawAnswer(found: ReturnType<typeof problem>, request_id: string): string {
  const body = problemText(found, request_id);
  const head = [
    `HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`,
    `Content-Type: ${PROBLEM_TYPE}; charset=utf-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${request_id}`,
    "Cache-Control: no-store",
    "Connection: close",
  ];
  return [...head, "", body].join("\r\n");
}
