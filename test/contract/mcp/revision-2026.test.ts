// The revision 2026-07-28 on the wire: requests that name their revision, beside those of earlier revisions at the same address.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Caller, READ } from "../../../src/api/operations/operation.ts";
import { askEnveloped, enveloped, REVISION, sendEnveloped } from "../../support/mcp-2026.ts";
import { eventsIn, type RunningMcp, rpc, startMcp } from "../../support/mcp-endpoint.ts";
import { operation, someOperations } from "../../support/some-operations.ts";

let endpoint: RunningMcp;
const start = async (...options: Parameters<typeof startMcp>) => {
  endpoint = await startMcp(...options);
  return endpoint;
};
afterEach(() => endpoint.stop());

const asked = (message: ReturnType<typeof enveloped>, headers: Record<string, string> = {}) =>
  askEnveloped(endpoint, message, headers);

describe("a request that names its revision", () => {
  test("learns what the server is without initialize", async () => {
    await start();
    expect(await asked(enveloped("server/discover"))).toMatchObject({
      status: 200,
      result: {
        supportedVersions: [REVISION],
        capabilities: { tools: {}, resources: {}, prompts: {} },
        instructions: expect.stringContaining("submit_task"),
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "orch", version: "0.0.0" } },
      },
    });
  });

  test.each(["tools/list", "prompts/list", "resources/templates/list"])(
    "%s is answered as in the revisions before, and says how long it may be kept",
    async (method) => {
      const { send } = await start();
      const before = await (await send(rpc(method))).json();
      const { status, result } = await asked(enveloped(method));
      expect([status, { result }]).toMatchObject([200, { result: Object(before).result }]);
      expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
    },
  );

  test("calls a tool under its scope, and gets the fault of a wrong call as a result", async () => {
    await start();
    expect(
      await asked(enveloped("tools/call", { name: "orch__get_thing", arguments: { thing_id: "x" } })),
    ).toMatchObject({
      result: { resultType: "complete", structuredContent: { thing_id: "x", token_id: "supervisor" } },
    });
    expect(await asked(enveloped("tools/call", { name: "get_thing" }))).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining("thing_id is required") }] },
    });
  });

  test.each([
    ["tools/call", { name: "nothing" }, 200, -32602, "There is no tool nothing"],
    ["tools/call", { name: "get_thing", arguments: ["x"] }, 200, -32602, "params.arguments must be an object"],
    ["resources/read", { uri: "orch://ü" }, 200, -32602, "There is no resource"],
    ["initialize", {}, 404, -32601, "Method not found"],
    ["ping", {}, 404, -32601, "Method not found"],
    ["x", {}, 404, -32601, "Method not found"],
  ])("%s with %j is an error of the protocol", async (method, params, status, code, words) => {
    await start();
    const { error, ...answer } = await asked(enveloped(method, params));
    expect([answer.status, error.code]).toEqual([status, code]);
    expect(error.message).toContain(words);
  });

  test("is refused where its headers say something else, and calls nothing", async () => {
    const calls: Caller[] = [];
    await start({ operations: someOperations((caller) => calls.push(caller)) });
    const call = enveloped("tools/call", { name: "wait" });
    for (const headers of [{ "mcp-method": "tools/list" }, { "mcp-name": "get_thing" }])
      expect(await asked(call, headers)).toMatchObject({ status: 400, error: { code: -32020 } });
    const bare = await endpoint.send(rpc("server/discover", {}), { "mcp-protocol-version": REVISION });
    expect([bare.status, await bare.json()]).toMatchObject([400, { error: { code: -32602 } }]);
    expect(calls).toEqual([]);
  });

  test("is refused with the revisions that are served when it names another", async () => {
    await start();
    const meta = { "io.modelcontextprotocol/protocolVersion": "2999-01-01" };
    expect(await asked(enveloped("tools/list", {}, meta))).toMatchObject({
      status: 400,
      error: { code: -32022, data: { supported: [REVISION], requested: "2999-01-01" } },
    });
  });
});

const slow = operation({
  name: "slow",
  summary: "Takes a moment.",
  method: "GET",
  path: "/v1/slow",
  scope: "read",
  hints: READ,
  input: z.strictObject({ wait_seconds: z.number() }),
  output: z.strictObject({}),
  handle: () => sleep(60, {}),
});

describe("a waiting client", () => {
  test("gets progress as a stream when it can read one, and else the answer alone", async () => {
    await start({ progress_ms: 5, operations: [slow] });
    const call = enveloped("tools/call", { name: "slow", arguments: { wait_seconds: 1 } }, { progressToken: "p" });
    const streamed = await sendEnveloped(endpoint, call);
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    const params = expect.objectContaining({ progressToken: "p", total: 1 });
    const [first, ...others] = eventsIn(await streamed.text());
    expect(first).toMatchObject({ method: "notifications/progress", params });
    expect(others.at(-1)).toMatchObject({ id: 1, result: { structuredContent: {} } });
    expect(await asked(call, { accept: "application/json" })).toMatchObject({
      id: 1,
      result: { structuredContent: {} },
    });
  });
});
