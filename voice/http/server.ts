// Listens, with limits of time and number. A response may take long, because a speech waits for those before it.
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type VoiceServer = {
  /** Rejects when the address is not available. */
  readonly start: () => Promise<{ readonly host: string; readonly port: number }>;
  /** Accepts no further requests and lets open responses finish. */
  readonly stop: () => Promise<void>;
};

const CONNECTIONS = 500;
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
