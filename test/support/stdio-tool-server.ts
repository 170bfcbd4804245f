// A tool server that speaks over stdio, reached over HTTP: each session has a process of its own, and messages pass as they are.
import { randomUUID } from "node:crypto";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { type Received, startRawServer } from "./tool-server.ts";

export type StdioServer = Awaited<ReturnType<typeof startStdioServer>>;

export async function startStdioServer(command: string, args: readonly string[]) {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const children: StdioClientTransport[] = [];

  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const child = new StdioClientTransport({ command, args: [...args], stderr: "ignore" });
    const outside: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, outside),
    });
    outside.onmessage = (message) => void child.send(message);
    child.onmessage = (message) => void outside.send(message);
    children.push(child);
    await child.start();
    await outside.start();
    return outside;
  };

  const sessionOf = async ({ headers, body }: Received) =>
    sessions.get(String(headers["mcp-session-id"])) ?? (body?.method === "initialize" ? open() : undefined);

  const server = await startRawServer(async (received, response, request) => {
    const session = await sessionOf(received);
    if (session === undefined) return response.writeHead(404).end();
    return session.handleRequest(request, response, received.body);
  });
  return {
    url: server.url,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(children.map((child) => child.close()));
      await server[Symbol.asyncDispose]();
    },
  };
}
