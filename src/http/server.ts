// The HTTP server: listening, and its limits of time and number.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { OrchError } from "../domain/errors.ts";
import { type AppDeps, createApp, type Rates } from "./app.ts";
import { answerBadRequests, hasPath } from "./bad-requests.ts";

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

export type HttpServerDeps = Omit<AppDeps, "rates" | "stopping" | "endpoints"> & {
  readonly host: string;
  readonly port: number;
  readonly endpoints?: AppDeps["endpoints"];
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
  server.maxConnections = all.connections;
  server.timeout = all.silence_ms;
  answerBadRequests(server, deps.new_id);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (stopping.signal.aborted) response.shouldKeepAlive = false;
    if (hasPath(request, response, deps.new_id)) app(request, response);
  };
  // An unknown Expect is ignored: Node's own answer would be the only one without a request id.
  server.on("request", serve).on("checkExpectation", serve);
  return {
    start: () => listen(server, { host, port, backlog: all.connections }),
    stop: () => close(server, stopping, all.stop_ms),
  };
}

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
