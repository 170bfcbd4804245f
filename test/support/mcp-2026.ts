// A client of MCP 2026-07-28, message by message: each names its revision and what the client can do.
import { messageHeaders } from "../../src/api/mcp/stdio.ts";
import type { Found } from "./mcp-client.ts";
import type { RunningMcp } from "./mcp-endpoint.ts";

export const REVISION = "2026-07-28";

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
};

export const declaring = (capabilities: object) => ({ "io.modelcontextprotocol/clientCapabilities": capabilities });

type Enveloped = ReturnType<typeof enveloped>;

export const enveloped = (method: string, params: object = {}, meta: object = {}) =>
  ({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: { ...ENVELOPE, ...meta } } }) as const;

export const sendEnveloped = (endpoint: RunningMcp, message: Enveloped, headers: Record<string, string> = {}) =>
  endpoint.send(message, {
    accept: "application/json, text/event-stream",
    ...messageHeaders(message, undefined),
    ...headers,
  });

/** The answer with its HTTP status. */
export async function askEnveloped(...given: Parameters<typeof sendEnveloped>): Promise<Found> {
  const answer = await sendEnveloped(...given);
  return { status: answer.status, ...JSON.parse(await answer.text()) };
}
