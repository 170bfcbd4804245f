// Lets requests out of an agent's network: an HTTP proxy that forwards requests and opens tunnels (CONNECT), each only after it
// was judged. It has no address on this machine: its sockets are accepted inside of the agent's network (D-255).
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { JudgeConnection } from "./judge-connection.ts";

export type ProxyServer = {
  /** Serves one connection to the proxy. */
  readonly serve: (socket: Socket) => void;
  /** Serves one connection to a port of this machine that the contract names. */
  readonly forward: (socket: Socket, port: number) => void;
};

const HOP_BY_HOP = /^(connection|proxy-.*|keep-alive|te|trailer|upgrade)$/;
const THIS_PROXY = "This is the way out of an agent's network, and no server of its own.";

export function createProxy(connectOut: ConnectOut): ProxyServer {
  const http = createServer();
  http.on("request", (asked, answer) => void forwardRequest(connectOut, asked, answer));
  http.on("connect", (asked, socket, head) => void openTunnel(connectOut, { asked, socket, head }));
  http.on("clientError", (_, socket) => socket.destroy());
  return {
    serve: (socket) => http.emit("connection", socket),
    forward: (socket, port) => void forwardPort(connectOut, socket, port),
  };
}

async function forwardPort(connectOut: ConnectOut, socket: Socket, port: number): Promise<void> {
  socket.on("error", () => socket.destroy());
  const made = await connectOut("localhost", port);
  // A program that speaks HTTP shows the reason; another one sees an end.
  if (!("socket" in made)) socket.end(response(made.status, made.sentence));
  else if (socket.destroyed) made.socket.destroy();
  else join(socket, made.socket);
}

type Tunnel = { readonly asked: IncomingMessage; readonly socket: Duplex; readonly head: Buffer };

async function openTunnel(connectOut: ConnectOut, { asked, socket, head }: Tunnel): Promise<void> {
  const inside = socket as Socket;
  inside.on("error", () => inside.destroy());
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(asked.url ?? "") ?? [];
  if (host === undefined) return void inside.end(response(400, THIS_PROXY));
  const made = await connectOut(host, Number(port));
  if (!("socket" in made)) return void inside.end(response(made.status, made.sentence));
  if (inside.destroyed) return void made.socket.destroy();
  inside.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  made.socket.write(head);
  join(inside, made.socket);
}

const REASONS = { 400: "Bad Request", 403: "Forbidden", 502: "Bad Gateway" } as const;

function response(status: keyof typeof REASONS, sentence: string): string {
  const body = `${sentence}\n`;
  const fields = [`HTTP/1.1 ${status} ${REASONS[status]}`, "content-type: text/plain; charset=utf-8"];
  return [...fields, `content-length: ${Buffer.byteLength(body)}`, "connection: close", "", body].join("\r\n");
}

async function forwardRequest(connectOut: ConnectOut, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const refuse = (status: number, sentence: string) => {
    answer.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
    answer.end(`${sentence}\n`);
  };
  const url = URL.canParse(asked.url ?? "") ? new URL(asked.url ?? "") : null;
  if (url?.protocol !== "http:") return refuse(400, THIS_PROXY);
  const made = await connectOut(url.hostname, Number(url.port || 80));
  if (!("socket" in made)) return refuse(made.status, made.sentence);
  const { socket } = made;
  const fields = Object.entries(asked.headers).filter(([name]) => !HOP_BY_HOP.test(name));
  const sent = request({
    createConnection: () => socket,
    method: asked.method,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(fields), host: url.host, connection: "close" },
  });
  sent.on("response", (given) => {
    const kept = Object.entries(given.headers).filter(([name]) => !HOP_BY_HOP.test(name));
    answer.writeHead(given.statusCode ?? 502, Object.fromEntries(kept));
    given.pipe(answer);
    given.on("error", () => answer.destroy());
  });
  sent.on("error", ({ message }) => {
    if (answer.headersSent) answer.destroy();
    else refuse(502, `The connection to ${url.host} broke: ${message}.`);
  });
  answer.on("close", () => socket.destroy());
  asked.pipe(sent);
}

/** A connection that was refused, for the log. */
export type RefusedConnection = { readonly host: string; readonly port: number; readonly sentence: string };

type Connected = { readonly socket: Socket } | { readonly status: 403 | 502; readonly sentence: string };

type ConnectOut = (host: string, port: number) => Promise<Connected>;

const CONNECT_MS = 10_000;
/** As a name may be long. */
const MAX_HOST = 253;

/**
 * Makes a judged connection for a command of an agent, or says in a sentence why there is none. The sentence is the command's
 * output, so a model reads it.
 */
export function createConnectOut(judge: JudgeConnection, onRefused: (refused: RefusedConnection) => void): ConnectOut {
  return async (host, port) => {
    const judged = await judge(host, port);
    if (!judged.ok) {
      const sentence = `orch refuses the connection to ${host.slice(0, MAX_HOST)}:${port}: ${judged.reason}.`;
      onRefused({ host: host.slice(0, MAX_HOST), port, sentence });
      return { status: 403, sentence };
    }
    let cause = "";
    for (const address of judged.addresses) {
      const made = await connectTo(address, port);
      if (typeof made !== "string") return { socket: made };
      cause = made;
    }
    return { status: 502, sentence: `orch could not connect to ${host}:${port} for this command: ${cause}.` };
  };
}

/** The message of the error, where there is no connection. */
function connectTo(address: string, port: number): Promise<Socket | string> {
  const { promise, resolve } = Promise.withResolvers<Socket | string>();
  const socket = connect({ host: address, port, timeout: CONNECT_MS, allowHalfOpen: true });
  const fail = (message: string) => {
    socket.destroy();
    resolve(message);
  };
  const onTimeout = () => fail(`there was no answer within ${CONNECT_MS / 1000} s`);
  const onError = (error: Error) => fail(error.message);
  socket.once("timeout", onTimeout);
  socket.once("error", onError);
  socket.once("connect", () => {
    socket.setTimeout(0);
    socket.off("timeout", onTimeout);
    socket.off("error", onError);
    resolve(socket);
  });
  return promise;
}

/** Both directions; the end of either side is passed on, and an error of either ends both. */
function join(a: Socket, b: Socket): void {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
}
