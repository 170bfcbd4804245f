// Answers that say two things, or say the deciding one in another type: what the tool did is not known. Promises 2.9.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToolServers } from "../../../src/mcp-client/tool-servers.ts";
import { check, contractBody, mcpCall } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { afterHandshake, rpcError, sendJson, startRawServer } from "../../support/tool-server.ts";

const CONTENT = '"content":[{"type":"text","text":"charged"}]';
const DONE = `{${CONTENT}}`;

/** What follows `"jsonrpc":"2.0"` in the message, and whether the server is in a session. */
const AMBIGUOUS: [string, string][] = [
  ["has isError twice, the last one false", `"id":ID,"result":{"isError":true,${CONTENT},"isError":false}`],
  ["has isError twice, the last one true", `"id":ID,"result":{"isError":false,${CONTENT},"isError":true}`],
  [
    "has isError twice, once written with an escape",
    `"id":ID,"result":{"isError":true,${CONTENT},"is\\u0045rror":false}`,
  ],
  ["has isError twice with the same value", `"id":ID,"result":{"isError":false,${CONTENT},"isError":false}`],
  ["has isError as text", `"id":ID,"result":{"isError":"true",${CONTENT}}`],
  ["has isError as a number", `"id":ID,"result":{"isError":1,${CONTENT}}`],
  ["has isError as a list", `"id":ID,"result":{"isError":[true],${CONTENT}}`],
  ["has isError as an object", `"id":ID,"result":{"isError":{},${CONTENT}}`],
  ["has resultType as a list", `"id":ID,"result":{"resultType":["input_required"],${CONTENT}}`],
  ["has content twice", `"id":ID,"result":{${CONTENT},"content":[]}`],
  ["has result twice", `"id":ID,"result":${DONE},"result":{"isError":true}`],
  [
    "has a field of its structured content twice",
    `"id":ID,"result":{${CONTENT},"structuredContent":{"paid":true,"paid":false}}`,
  ],
  ["has its id twice", `"id":ID,"result":${DONE},"id":ID`],
  ["has a result and an error", `"id":ID,"result":${DONE},"error":{"code":-32602,"message":"no"}`],
  ["has the code of its error twice", `"id":ID,"error":{"code":-32602,"message":"no","code":-32000}`],
];

const written = (response: ServerResponse, text: string, isStream: boolean): void => {
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  if (isStream) response.write(`data: ${text}\n\n`);
  else response.end(text);
};

/** Refuses the handshake in the place of a session, where it is not `in_session`. */
const startServer = (rest: string, { in_session, is_stream }: { in_session: boolean; is_stream: boolean }) => {
  const answer = ({ body }: { body: { id: unknown } }, response: ServerResponse) =>
    written(response, `{"jsonrpc":"2.0",${rest.replaceAll("ID", JSON.stringify(body.id))}}`, is_stream);
  return startRawServer(
    in_session
      ? afterHandshake((received, response) => answer(received, response))
      : (received, response) =>
          received.body?.method === "tools/call"
            ? answer(received, response)
            : sendJson(response, rpcError(received.body?.id ?? null, -32_601, "Method not found")),
  );
};

describe.each([
  ["in a session", { in_session: true, is_stream: false }],
  ["in a session, on a stream that stays open", { in_session: true, is_stream: true }],
  ["without a session", { in_session: false, is_stream: false }],
  ["without a session, on a stream that stays open", { in_session: false, is_stream: true }],
])("%s an answer", (_how, form) => {
  test.each(AMBIGUOUS)("that %s leaves unknown what the tool did", async (_what, rest) => {
    await using server = await startServer(rest, form);
    const servers = createToolServers({ servers: new Map([["pay", { url: server.url, token: null }]]), version: "1" });
    const bounds = { limit_ms: 20_000, signal: new AbortController().signal };
    const answer = await servers.call({ server: "pay", tool: "charge", arguments: {} }, bounds);
    await servers.close();
    expect(answer).toMatchObject({ ok: false, executed: "unknown", timed_out: false });
    expect(answer).toHaveProperty("stderr", expect.stringContaining("whether the tool took effect is not known"));
    expect(server.calls()).toHaveLength(1);
  });

  test.each([
    ["in the usual form", `"id":ID,"result":{"isError":false,${CONTENT}}`],
    ["with null for what does not apply", `"id":ID,"result":{"isError":null,${CONTENT}}`],
    ["with one name in two objects", `"id":ID,"result":{${CONTENT},"structuredContent":{"a":{"id":1},"b":{"id":1}}}`],
    [
      "with a name that only text repeats",
      `"id":ID,"result":{"content":[{"type":"text","text":"{\\"a\\":1,\\"a\\":2}"}]}`,
    ],
    ["with a large number", `"id":ID,"result":{${CONTENT},"structuredContent":{"id":12345678901234567890}}`],
  ])("%s is read as before", async (_what, rest) => {
    await using server = await startServer(rest, form);
    const servers = createToolServers({ servers: new Map([["pay", { url: server.url, token: null }]]), version: "1" });
    const bounds = { limit_ms: 20_000, signal: new AbortController().signal };
    expect(await servers.call({ server: "pay", tool: "charge", arguments: {} }, bounds)).toMatchObject({ ok: true });
    await servers.close();
  });
});

describe("a task whose call gets such an answer", () => {
  let engine: Engine;
  let pay: Awaited<ReturnType<typeof startServer>>;
  beforeAll(async () => {
    pay = await startServer(AMBIGUOUS[0]?.[1] ?? "", { in_session: true, is_stream: false });
    engine = await openEngine({ env: { MCP_PAY_URL: pay.url } });
  });
  afterAll(async () => {
    await engine[Symbol.asyncDispose]();
    await pay[Symbol.asyncDispose]();
  });

  test("asks what the call did, and makes it once", async () => {
    const target = { service: "pay" };
    await engine.plant("deploy", target, [mcpCall({ server: "pay", tool: "charge" }), check("test -d /")]);
    const constraints = { implicit_scope: ["pay"], require_approval_for: [], max_minutes: 1 };
    const contract = contractBody({ task_id: "pays", target, constraints, delegation_mode: "known_only" });
    const task = await engine.call("submit_task", { ...contract, success_criteria: [], wait_seconds: 30 });
    expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
    expect(task.outcome.message).toContain("twice");
    expect(pay.calls()).toHaveLength(1);
  });
});

test.each([404, 400])(
  "a result under HTTP %d leaves unknown what the tool did, and is not sent again",
  async (status) => {
    await using server = await startRawServer(
      afterHandshake(({ body }, response) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(`{"jsonrpc":"2.0","id":${body.id},"result":${DONE}}`);
      }),
    );
    const servers = createToolServers({ servers: new Map([["pay", { url: server.url, token: null }]]), version: "1" });
    const bounds = { limit_ms: 20_000, signal: new AbortController().signal };
    const answer = await servers.call({ server: "pay", tool: "charge", arguments: {} }, bounds);
    await servers.close();
    expect(answer).toMatchObject({ ok: false, executed: "unknown" });
    expect(server.calls()).toHaveLength(1);
  },
);
