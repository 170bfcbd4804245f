// Limits the connections of a server. A new one takes the place of the oldest that has sent no whole request and waits for no answer, so
// that half-sent requests and idle clients keep no caller out.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Connections that are closed still count for a moment. */
const CLOSING = 500;

export function limitConnections(server: Server, most: number): void {
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
