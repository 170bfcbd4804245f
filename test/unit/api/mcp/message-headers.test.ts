// The headers of a request that the bridge carries from stdin.
import { describe, expect, test } from "vitest";
import { messageHeaders } from "../../../../src/api/mcp/stdio.ts";

const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const request = (method: string, params?: object) => ({
  jsonrpc: "2.0" as const,
  id: 1,
  method,
  params: { ...params },
});

describe("the headers of a request", () => {
  test("hold the revision that initialize has agreed on", () => {
    expect(messageHeaders(request("tools/list"), "2025-06-18")).toEqual({ "mcp-protocol-version": "2025-06-18" });
    expect(messageHeaders(request("initialize"), undefined)).toEqual({});
  });

  test("repeat what a request says that names its revision", () => {
    expect(messageHeaders(request("tools/list", { _meta }), "2025-06-18")).toEqual({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    });
    expect(messageHeaders(request("resources/read", { uri: "orch://tasks/t", _meta }), undefined)).toMatchObject({
      "mcp-name": "orch://tasks/t",
    });
    expect(messageHeaders(request("prompts/get", { name: 7, _meta }), undefined)).not.toHaveProperty("mcp-name");
  });

  test.each(["ü", " x", "x\r\ny: z", "", "=?base64?eA==?="])("carry the name %j in base64", (name) => {
    const { "mcp-name": sent = "" } = messageHeaders(request("tools/call", { name, _meta }), undefined);
    const [, base64 = "?"] = /^=\?base64\?(.*)\?=$/.exec(sent) ?? [];
    expect(Buffer.from(base64, "base64").toString()).toBe(name);
  });
});
