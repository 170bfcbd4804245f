// Messages that cannot be acted on, and what JSON-RPC has to say of them.
import { describe, expect, test } from "vitest";
import type { Caller } from "../../../src/api/operations/operation.ts";
import { eachTime } from "../../support/held.ts";
import { rpc, startMcp, toolCall } from "../../support/mcp-endpoint.ts";
import { someOperations } from "../../support/some-operations.ts";

const start = eachTime(startMcp);

const BOTH = "application/json, text/event-stream";
const TAKEN_BACK = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };

describe("a message", () => {
  test.each([[{}], ["text"], [7], [null], [{ jsonrpc: "1.0", id: 1, method: "ping" }], [{ id: 1 }]])(
    "that is not JSON-RPC is refused as JSON: %j",
    async (message) => {
      const { send } = await start();
      const answer = await send(JSON.stringify(message));
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: -32600 }, id: null });
    },
  );

  test.each([
    ["calls", [toolCall("wait", {}, 1), toolCall("wait", {}, 2)]],
    ["a call and what takes it back", [toolCall("wait", {}, 1), TAKEN_BACK]],
    ["one call", [toolCall("wait")]],
    ["nothing", []],
  ])("in a batch of an earlier revision, of %s, is refused and runs nothing", async (_of, batch) => {
    const calls: Caller[] = [];
    const { send } = await start({ operations: someOperations((caller) => calls.push(caller)) });
    for (const accept of ["application/json", BOTH]) {
      const answer = await send(batch, { accept });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toEqual({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32600, message: expect.stringContaining("Send each message by itself") },
      });
    }
    expect(calls).toEqual([]);
  });

  test.each([
    ["tools/call", { name: "get_thing", arguments: ["x"] }, "params.arguments must be an object"],
    ["tools/call", { arguments: {} }, "params.name is required"],
    ["prompts/get", { name: "teach_sop", arguments: { task_id: 7 } }, "params.arguments.task_id must be a string"],
    ["resources/read", { uri: 7 }, "params.uri must be a string"],
    ["resources/read", undefined, "params is required"],
    ["tools/list", { cursor: 7 }, "params.cursor must be a string"],
    ["initialize", { protocolVersion: "2025-11-25" }, "params.capabilities is required"],
  ])("with method %s and wrong params %j names each field that is wrong", async (method, params, told) => {
    const { send } = await start();
    for (const accept of ["application/json", BOTH]) {
      const answer = await send(rpc(method, params), { accept });
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32602, message: expect.stringContaining(told) },
      });
    }
  });
});
