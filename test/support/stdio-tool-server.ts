// Gives a tool server that speaks over stdio an address: each session has its own process, and messages pass as they are. Between the two
// it can be restarted, slow, or lose its answers.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type Received, startRawServer } from "./tool-server.ts";

export type StdioServer = Awaited<ReturnType<typeof startStdioServer>>;

/** How a call fares: its answer is passed on, comes late, or is lost after the tool has acted. */
export type CallFate = "passes" | "is_late" | "is_lost";

/** `fates`: of its calls, by the id of the message. */
type Session = {
  readonly outside: StreamableHTTPServerTransport;
  readonly fates: Map<unknown, CallFate>;
};

type Options = {
  readonly env?: Readonly<Record<string, string>>;
  /** Asked about each tools/call that the server gets. */
  readonly onCall?: (params: { readonly name: string; readonly arguments?: unknown }) => CallFate;
};

const LATE_MS = 1_500;

export async function startStdioServer(command: string, args: readonly string[], options: Options = {}) {
  const { env, onCall = () => "passes" } = options;
  const sessions = new Map<string, Session>();
  let children: StdioClientTransport[] = [];

  const open = async (): Promise<Session> => {
    const fates = new Map<unknown, CallFate>();
    const given = env === undefined ? {} : { env: { ...env } };
    const child = new StdioClientTransport({ command, args: [...args], stderr: "ignore", ...given });
    const outside: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { outside, fates }),
    });
    // A process that ends takes the connections of its session with it.
    child.onclose = () => void outside.close();
    outside.onmessage = (message) => void child.send(message);
    child.onmessage = async (message) => {
      const fate = fates.get("id" in message ? message.id : undefined);
      if (fate === "is_lost") return outside.close();
      if (fate === "is_late") await sleep(LATE_MS);
      return outside.send(message).catch(() => undefined);
    };
    children.push(child);
    await child.start();
    await outside.start();
    return { outside, fates };
  };

  const sessionOf = async ({ headers, body }: Received) =>
    sessions.get(String(headers["mcp-session-id"])) ?? (body?.method === "initialize" ? open() : undefined);

  const server = await startRawServer(async (received, response, request) => {
    const session = await sessionOf(received);
    // As the Python SDK answers after a restart.
    if (session === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      return response.end(
        '{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Session not found"}}',
      );
    }
    if (received.body?.method === "tools/call") session.fates.set(received.body.id, onCall(received.body.params));
    return session.outside.handleRequest(request, response, received.body);
  });

  const end = async () => {
    const ended = children;
    children = [];
    sessions.clear();
    await Promise.all(ended.map((child) => child.close()));
  };
  return {
    url: server.url,
    calls: server.calls,
    /** The next request meets a server that knows no session. */
    restart: end,
    [Symbol.asyncDispose]: async () => {
      await end();
      await server[Symbol.asyncDispose]();
    },
  };
}
