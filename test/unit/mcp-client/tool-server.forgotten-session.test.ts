import { expect, test } from "vitest";
import { isForgottenSession } from "../../../src/mcp-client/tool-server.ts";

const rpcError = (id: unknown, code: number, message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

test.each<[string, number, string]>([
  ["as the protocol has it", 404, rpcError(null, -32_001, "Session not found")],
  ["by its status", 404, rpcError(null, -32_000, "gone")],
  ["as many servers do", 400, rpcError(null, -32_000, "Bad Request: Server not initialized")],
  ["in brief", 400, '{"error":"missing_session_id"}'],
  ["in words", 400, "Invalid session ID"],
  ["with nothing", 404, ""],
])("A session that is refused %s is forgotten", (_how, status, body) => {
  expect(isForgottenSession(status, body)).toBe(true);
});

test.each<[string, number, string]>([
  ["in a form of its own", 400, '{"error":{"message":"session not found"}}'],
  ["for other reasons", 400, rpcError(null, -32_000, "bad")],
  ["by a tool, with the id of the call", 404, rpcError(7, -32_000, "session not found")],
  ["with another status", 500, "Invalid session ID"],
  ["at length", 400, `Invalid session ID${" ".repeat(300)}`],
])("A call that is refused %s is not", (_how, status, body) => {
  expect(isForgottenSession(status, body)).toBe(false);
});
