// A supervisor agent's side of MCP: the official client, which holds every answer against the output schema of its tool.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { RequestOptions } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";

/** What a tool answered. */
// biome-ignore lint/suspicious/noExplicitAny: tests read deep into answers and check what they find
export type Found = any;

export type McpSupervisor = Awaited<ReturnType<typeof connectMcp>>;

export const overHttp = (url: string, token: string): StreamableHTTPClientTransport =>
  new StreamableHTTPClientTransport(new URL("/mcp", url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });

export async function connectMcp(transport: StreamableHTTPClientTransport | Transport) {
  const client = new Client({ name: "a supervisor", version: "0.0.0" });
  // The library's own transports miss its interface by an undefined.
  await client.connect(transport as Transport);
  // From here on the client validates what tools answer.
  const { tools } = await client.listTools();

  const ask = async (name: string, input: object = {}, options?: RequestOptions): Promise<CallToolResult> =>
    CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...input } }, undefined, options));

  return {
    client,
    tools,
    ask,
    /** The structured answer; rejects with what was said when the call was wrong. */
    call: async (name: string, input: object = {}, options?: RequestOptions): Promise<Found> => {
      const result = await ask(name, input, options);
      if (result.isError === true) throw new Error(`${name} was refused: ${textOf(result)}`);
      return result.structuredContent;
    },
    /** The fault of a call that was wrong. */
    fault: async (name: string, input: object = {}): Promise<Found> => {
      const result = await ask(name, input);
      if (result.isError !== true) throw new Error(`${name} was not refused: ${textOf(result)}`);
      return JSON.parse(textOf(result));
    },
    /** The JSON at an address. */
    read: async (uri: string): Promise<Found> => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "null");
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function textOf({ content }: CallToolResult): string {
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}
