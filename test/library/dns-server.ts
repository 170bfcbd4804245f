// Imitates a tool server with the records of a DNS zone: set_record changes one, get_record only reads.
import { afterHandshake, rpcError, rpcResult, sendJson, startRawServer } from "../support/tool-server.ts";

const NAMED = { zone: { type: "string" }, name: { type: "string" }, type: { type: "string" } };
const TOOLS = [
  {
    name: "set_record",
    inputSchema: { type: "object", properties: { ...NAMED, content: { type: "string" } } },
    annotations: { readOnlyHint: false, idempotentHint: true },
  },
  { name: "get_record", inputSchema: { type: "object", properties: NAMED }, annotations: { readOnlyHint: true } },
];

export async function startDnsServer() {
  const records = new Map<string, string>();
  let lies = false;
  const answer = (name: string, { zone, name: record, type, content }: Readonly<Record<string, string>>) => {
    const key = `${record}.${zone} ${type}`;
    if (name === "set_record" && content !== undefined && !lies) records.set(key, content);
    const said = name === "set_record" ? { ok: true } : { content: records.get(key) ?? "192.0.2.1" };
    return { content: [{ type: "text", text: JSON.stringify(said) }], structuredContent: said };
  };
  const raw = await startRawServer(
    afterHandshake(({ body: { id, method, params } }, response) => {
      if (method === "tools/list") return sendJson(response, rpcResult(id, { tools: TOOLS }));
      if (method !== "tools/call") return sendJson(response, rpcError(id, -32_601, "Method not found"));
      return sendJson(response, rpcResult(id, answer(params.name, params.arguments)));
    }),
  );
  return {
    ...raw,
    lie: (): void => {
      lies = true;
    },
  };
}
