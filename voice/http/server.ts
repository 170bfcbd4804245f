// Listens, with limits of time and number. A response may take long, because a speech waits for those before it. A new connection
// takes the place of one that is idle, so that idle ones keep out neither a caller nor a health check.
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export type VoiceServer = {
  /** Rejects when the address is not available. */
  readonly start: () => Promise<{ readonly host: string; readonly port: number }>;
  /** Accepts no further requests and lets open responses finish. */
  readonly stop: () => Promise<void>;
};

/** More than any number of callers that is let wait: those above VOICE_WAITING_LIMIT are answered at once, and not reset. */
const CONNECTIONS = 5_000;
/** Connections without a request under way; one that has just been opened is about to send its request. */
const IDLE = 200;
const JUST_OPENED_MS = 2_000;
/** So many at once are a flood: then the longest is closed, however new it is. */
const FLOOD = 2_000;
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
};
/** For open responses when the server stops: longer than the provider usually takes. */
const STOP_MS = 15_000;

export function createHttpServer(listener: RequestListener, address: { host: string; port: number }): VoiceServer {
  const server = createServer(LIMITS, listener);
  const under_way = new Set<ServerResponse>();
  server.on("request", (_request, response) => {
    under_way.add(response);
    response.once("close", () => under_way.delete(response));
  });
  server.maxConnections = CONNECTIONS;
  // A client may shut its sending side after its request. Node knows the setting, and its types do not.
  Object.assign(server, { httpAllowHalfOpen: true });
  keepFewIdle(server);
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once("error", (error: NodeJS.ErrnoException) => reject(notListening(address, error)));
        server.listen(address, () => {
          server.removeAllListeners("error");
          const { address, port } = server.address() as AddressInfo;
          resolve({ host: address, port });
        });
      }),
    stop: async () => {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const idle = setInterval(() => {
        if (![...under_way].some(({ req }) => req.complete)) server.closeAllConnections();
        else server.closeIdleConnections();
      }, 50);
      const late = setTimeout(() => server.closeAllConnections(), STOP_MS);
      await closed;
      clearInterval(idle);
      clearTimeout(late);
    },
  };
}

/** Closes the connection that has been idle longest when there are too many of them. */
function keepFewIdle(server: Server): void {
  /** Since when, the longest first. */
  const idle = new Map<Socket, number>();
  const rests = (socket: Socket) => {
    if (socket.destroyed) return;
    idle.set(socket, performance.now());
    const [longest] = idle;
    if (idle.size <= IDLE || longest === undefined) return;
    if (idle.size <= FLOOD && performance.now() - longest[1] < JUST_OPENED_MS) return;
    idle.delete(longest[0]);
    longest[0].destroy();
  };
  server.on("connection", (socket: Socket) => {
    rests(socket);
    socket.once("close", () => idle.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    idle.delete(socket);
    response.once("close", () => rests(socket));
  });
}

const OBSTACLES: ReadonlyMap<string | undefined, string> = new Map([
  ["EADDRINUSE", "another program uses this port; stop it, or set VOICE_PORT to a free one"],
  ["EADDRNOTAVAIL", "this machine does not have that address; set VOICE_HOST to one that it has"],
  ["EACCES", "this user may not open that port; set VOICE_PORT to one above 1023"],
  ["ENOTFOUND", "that name has no address; set VOICE_HOST to one of this machine"],
]);

function notListening({ host, port }: { host: string; port: number }, error: NodeJS.ErrnoException): Error {
  const why = OBSTACLES.get(error.code) ?? error.message;
  return new Error(`cannot listen on ${host} port ${port} (${error.code}): ${why}`, { cause: error });
}
