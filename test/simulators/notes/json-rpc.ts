// The messages of MCP that a simulated notes server understands, written by hand so that thousands a second are no matter.
import { z } from "zod";
import type { Profile, Reply } from "./tool.ts";
import { type createToolCalls, NOTHING } from "./tool-calls.ts";

const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

export const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).default({}),
});
export type Message = z.infer<typeof Message>;

const Initialize = z.object({ protocolVersion: z.string() });
const CallParams = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) });

type Serving = {
  readonly profile: Profile;
  readonly calls: ReturnType<typeof createToolCalls>;
  readonly annotates: boolean;
};

export const failure = (id: Message["id"] | null, code: number, message: string) => ({
  jsonrpc: "2.0",
  id: id ?? null,
  error: { code, message },
});

/** The answer to a request, which has an id. */
export async function answerTo({ id, method, params }: Message, serving: Serving): Promise<object | typeof NOTHING> {
  const result = (value: object) => ({ jsonrpc: "2.0", id, result: value });
  switch (method) {
    case "initialize":
      return result(welcome(Initialize.safeParse(params).data?.protocolVersion));
    case "ping":
      return result({});
    case "tools/list":
      return result({ tools: listOf(serving) });
    case "tools/call": {
      const call = CallParams.safeParse(params);
      if (!call.success) return failure(id, -32_602, `MCP error -32602: ${call.error.message}`);
      const reply = await serving.calls.call({ tool: call.data.name, args: call.data.arguments });
      if (reply === NOTHING) return NOTHING;
      return reply.is === "rpc_error" ? failure(id, reply.code, reply.message) : result(contentOf(reply));
    }
    default:
      return failure(id, -32_601, "Method not found");
  }
}

const welcome = (wanted: string = "") => ({
  protocolVersion: REVISIONS.includes(wanted) ? wanted : REVISIONS[0],
  capabilities: { tools: {} },
  serverInfo: { name: "notes", version: "1" },
});

const listOf = ({ profile, annotates }: Serving): object[] =>
  [...profile.tools].map(([name, { description, schema, writes }]) => {
    const annotations = writes ? { readOnlyHint: false, destructiveHint: true } : { readOnlyHint: true };
    return { name, description, inputSchema: schema, ...(annotates ? { annotations } : {}) };
  });

const contentOf = ({ texts, is_error }: Extract<Reply, { is: "result" }>) => ({
  content: texts.map((text) => ({ type: "text", text })),
  ...(is_error ? { isError: true } : {}),
});
