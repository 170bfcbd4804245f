import { expect, test } from "vitest";
import { isForgottenSession } from "../../../src/mcp-client/exchange.ts";

const ID = 7;

const rpcError = (id: unknown, code: number, message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });

test.each<[string, number, string]>([
  ["as the protocol has it", 404, rpcError(null, -32_001, "Session not found")],
  ["by its status", 404, rpcError(null, -32_000, "gone")],
  ["by its status, with the id of the request", 404, rpcError(ID, -32_600, "Session not found")],
  ["by its status, with an id of its own", 404, rpcError("server-error", -32_600, "Session not found")],
  ["by its status, with a page", 404, "<h1>Not Found</h1>"],
  ["as many servers do", 400, rpcError(null, -32_000, "Bad Request: Server not initialized")],
  ["with an id of its own", 400, rpcError("server-error", -32_600, "Bad Request: No valid session ID provided")],
  ["with the id of another request", 400, rpcError(ID + 1, -32_600, "Session terminated")],
  ["in brief", 400, '{"error":"missing_session_id"}'],
  ["in words", 400, "Invalid session ID"],
  ["with nothing", 404, ""],
])("A session that is refused %s is forgotten", (_how, status, body) => {
  expect(isForgottenSession(status, body, { id: ID, has_session: true })).toBe(true);
});

test.each<[string, number, string]>([
  ["in a form of its own", 400, '{"error":{"message":"session not found"}}'],
  ["for other reasons", 400, rpcError(null, -32_000, "bad")],
  ["by a tool, with the id of the call", 400, rpcError(ID, -32_000, "session not found")],
  ["by a tool, with the id of the call as text", 400, rpcError(String(ID), -32_000, "session not found")],
  ["with another status", 500, "Invalid session ID"],
  ["with a word that holds another", 400, '{"error":"obsession"}'],
  ["with the result of the call", 404, JSON.stringify({ jsonrpc: "2.0", id: ID, result: { content: [] } })],
  ["with the result of the call and another status", 400, JSON.stringify({ jsonrpc: "2.0", id: ID, result: {} })],
  ["at length", 400, `Invalid session ID${" ".repeat(300)}`],
])("A call that is refused %s is not", (_how, status, body) => {
  expect(isForgottenSession(status, body, { id: ID, has_session: true })).toBe(false);
});

test.each([404, 400])("A request without a session has none that could be forgotten: HTTP %i", (status) => {
  const body = rpcError(null, -32_001, "Session not found");
  expect(isForgottenSession(status, body, { id: ID, has_session: false })).toBe(false);
});
