// Starts tool servers on loopback that answer as the test of a skill says: enough of MCP for the client of orch.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { wordsOf } from "../../../domain/errors.ts";
import { parseJson } from "../../../domain/json-values.ts";
import type { ImitatedServer, ImitatedTool, Opened } from "./skill-test.ts";

type RunningServers = AsyncDisposable & {
  /** The variables that name them to orch. */
  readonly env: Readonly<Record<string, string>>;
};

/** A call of a tool that changes something. */
export type ChangingCall = {
  /** As in "lamps.switch". */
  readonly tool: string;
  /** The tool says so; one that says nothing may change something too. */
  readonly is_declared: boolean;
};

/** What is done when a tool has changed something, before the caller hears of it. */
type OnEffect = (call: ChangingCall) => Promise<void>;

export async function startServers(
  { servers = {} }: Pick<Opened, "servers">,
  onEffect: OnEffect = async () => undefined,
): Promise<RunningServers> {
  const started = await Promise.all(Object.entries(servers).map(([name, tools]) => start(name, tools, onEffect)));
  return {
    env: Object.fromEntries(started.map(({ variable, url }) => [variable, url])),
    [Symbol.asyncDispose]: async () => {
      for (const { stop } of started) stop();
    },
  };
}

async function start(name: string, tools: ImitatedServer, onEffect: OnEffect) {
  const server = createServer(async (request, response) => {
    const { body, called } = await answer(tools, request, response);
    const tool = called === null ? undefined : tools[called];
    if (tool !== undefined && tool.effect !== "reads")
      await onEffect({ tool: `${name}.${called}`, is_declared: tool.effect === "changes" });
    if (body !== null) response.writeHead(200, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    variable: `MCP_${name.toUpperCase()}_URL`,
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const Request = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), arguments: z.unknown().optional() }).optional(),
});

type Request = z.infer<typeof Request>;

const WELCOME = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "imitated", version: "1" },
};

/** `called` is the name of the tool. */
type Answer = { readonly body: string | null; readonly called: string | null };

const NONE: Answer = { body: null, called: null };

async function answer(tools: ImitatedServer, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { data } = Request.safeParse(parseJson(Buffer.concat(chunks).toString()));
  if (request.method !== "POST" || data === undefined) {
    response.writeHead(405).end();
    return NONE;
  }
  if (data.id === undefined) {
    response.writeHead(202).end();
    return NONE;
  }
  const body = JSON.stringify({ jsonrpc: "2.0", id: data.id, ...(await resultOf(tools, data)) });
  return { body, called: calledIn(tools, data) };
}

const calledIn = (tools: ImitatedServer, { method, params: { name = "" } = {} }: Request): string | null =>
  method === "tools/call" && Object.hasOwn(tools, name) ? name : null;

async function resultOf(tools: ImitatedServer, { method, params = {} }: Request): Promise<object> {
  if (method === "initialize") return { result: WELCOME };
  if (method === "tools/list") return { result: { tools: Object.entries(tools).map(described) } };
  const { name = "", arguments: args = {} } = params;
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (method !== "tools/call") return { error: { code: -32_601, message: `there is no method ${method}` } };
  if (tool === undefined) return { error: { code: -32_602, message: `the test imitates no tool ${name}` } };
  return { result: await calling(tool, args) };
}

const described = ([name, { effect }]: [string, ImitatedTool]) => ({
  name,
  description: "",
  inputSchema: { type: "object" },
  ...(effect !== undefined && { annotations: { readOnlyHint: effect === "reads" } }),
});

async function calling({ run, structured }: ImitatedTool, args: unknown): Promise<object> {
  try {
    const value = await run(args as never);
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
    return { content: [{ type: "text", text }], ...(structured && { structuredContent: value }) };
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: wordsOf(error) }] };
  }
}
