// Lists the answers of a changing tool that leave its outcome unknown. The tool has acted each time.
import { http, result, rpc, type ToolAnswer } from "./tool-server.ts";

export const toolSays = (words: string): ToolAnswer =>
  result({ isError: true, content: [{ type: "text", text: words }] });

/** By the name of the tool. */
export const LOSING_ANSWERS: Readonly<Record<string, ToolAnswer>> = {
  http_500: http(500),
  http_502: http(502, "<h1>Bad Gateway</h1>"),
  http_503_gateway: http(503, "upstream connect error"),
  http_504: http(504),
  http_520: http(520),
  http_429: http(429, "slow down"),
  http_408: http(408),
  rpc_internal: rpc(-32_603, "Internal error"),
  rpc_server: rpc(-32_000, "Server error"),
  rpc_timeout: rpc(-32_001, "Request timed out"),
  rpc_gateway: rpc(-32_050, "the outcome is not known"),
  rpc_positive: rpc(1, "unexpected"),
  rpc_answer_schema: rpc(-32_602, "Output validation error: 'id' is a required property"),
  rpc_in_500: rpc(-32_603, "Internal error", 500),
  tool_timeout: toolSays("timed out after 2.0s"),
  tool_proxy: toolSays("Request timed out"),
  tool_reset: toolSays("read ECONNRESET"),
  cut: (_id, response) => response.destroy(),
  half: (_id, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "99" });
    response.write("{");
    setTimeout(() => response.destroy(), 50);
  },
};
