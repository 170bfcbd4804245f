// The MCP endpoint of an HTTP server on a free port of loopback, over some operations or those of a real engine.

import { createMcpEndpoint } from "../../src/api/mcp/endpoint.ts";
import type { SopTools } from "../../src/api/mcp/sop-tools.ts";
import { createLog } from "../../src/log/log.ts";
import { createRedactor } from "../../src/redact/find-secrets.ts";
import { startHttp, TOKEN } from "./http-endpoint.ts";
import { connectMcp, overHttp } from "./mcp-client.ts";
import { someOperations } from "./some-operations.ts";

type Options = NonNullable<Parameters<typeof startHttp>[0]> & {
  readonly progress_ms?: number;
  readonly sop_tools?: SopTools | null;
};

export async function startMcp({
  operations = someOperations(),
  progress_ms = 50,
  sop_tools = null,
  ...options
}: Options = {}) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLog({ level: "debug", redact: createRedactor([TOKEN]), destination });
  const mcp = createMcpEndpoint({ operations, version: "0.0.0", log, progress_ms, sop_tools });
  const endpoint = await startHttp({ operations, log, endpoints: [mcp], ...options });
  return {
    ...endpoint,
    lines,
    /** One JSON-RPC message, as it is. */
    send: (message: unknown, headers: Record<string, string> = {}) => endpoint.post("/mcp", message, headers),
    /** A tool call without anything before it. */
    tool: (name: string, input: object = {}, headers: Record<string, string> = {}) =>
      endpoint.post("/mcp", toolCall(name, input), headers),
    connect: (token = TOKEN) => connectMcp(overHttp(endpoint.url, token)),
  };
}

export type RunningMcp = Awaited<ReturnType<typeof startMcp>>;

export const toolCall = (name: string, input: object = {}, id: number | string = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: input },
});

/** The messages of an event stream. */
export const eventsIn = (text: string): unknown[] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, data = "null"]) => JSON.parse(data));

/** One request of the protocol. */
export const rpc = (method: string, params?: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  ...(params !== undefined && { params }),
});
