// Which revision a request speaks, by its header and its body.
import { describe, expect, test } from "vitest";
import { revisionOf } from "../../../../src/api/mcp/message.ts";

const KEY = "io.modelcontextprotocol/protocolVersion";
const claiming = (version: unknown) => ({ method: "tools/list", params: { _meta: { [KEY]: version } } });

describe("a request", () => {
  test.each([
    [null, { method: "initialize", params: {} }],
    [null, { method: "tools/list" }],
    ["2025-11-25", { method: "tools/call", params: { _meta: { progressToken: 1 } } }],
    ["", []],
  ])("with the header %j and the body %j is of an earlier revision", (header, body) => {
    expect(revisionOf(header, body)).toBe("2025");
  });

  test.each([
    ["2026-07-28", { method: "tools/list" }],
    [" 2026-07-28", null],
    ["2999-01-01", {}],
    [null, claiming("2026-07-28")],
    ["2025-11-25", claiming("2025-11-25")],
    [null, claiming(undefined)],
    [null, claiming(7)],
  ])("with the header %j and the body %j is of 2026-07-28", (header, body) => {
    expect(revisionOf(header, body)).toBe("2026");
  });
});
