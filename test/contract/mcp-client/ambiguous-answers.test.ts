// Answers that say two things, or say the deciding one in another type: what the tool did is not known. Promises 2.9.
import { describe, expect, test } from "vitest";
import { check, contractBody, mcpCall } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import {
  callOnce,
  events,
  http,
  inSession,
  naive,
  startRawServer,
  type ToolAnswer,
} from "../../support/tool-server.ts";

const CONTENT = '"content":[{"type":"text","text":"charged"}]';
const DONE = `{${CONTENT}}`;

const json =
  (text: string, status = 200): ToolAnswer =>
  (id, response) =>
    http(status, text.replaceAll("ID", JSON.stringify(id)), { "content-type": "application/json" })(id, response);
const message = (rest: string): string => `{"jsonrpc":"2.0",${rest}}`;

describe.each([
  ["in a session", (text: string) => inSession(json(text))],
  ["in a session, on a stream that stays open", (text: string) => inSession(events(`data: ${text}\n\n`, "open"))],
  ["without a session", (text: string) => naive(json(text))],
  ["without a session, on a stream that stays open", (text: string) => naive(events(`data: ${text}\n\n`, "open"))],
])("%s an answer", (_how, answering) => {
  test.each([
    ["has isError twice, the last one false", `"id":ID,"result":{"isError":true,${CONTENT},"isError":false}`],
    ["has isError twice, the last one true", `"id":ID,"result":{"isError":false,${CONTENT},"isError":true}`],
    ["has isError twice, once with an escape", `"id":ID,"result":{"isError":true,${CONTENT},"is\\u0045rror":false}`],
    ["has isError twice with the same value", `"id":ID,"result":{"isError":false,${CONTENT},"isError":false}`],
    ["has isError as text", `"id":ID,"result":{"isError":"true",${CONTENT}}`],
    ["has isError as a number", `"id":ID,"result":{"isError":1,${CONTENT}}`],
    ["has isError as a list", `"id":ID,"result":{"isError":[true],${CONTENT}}`],
    ["has isError as an object", `"id":ID,"result":{"isError":{},${CONTENT}}`],
    ["has resultType as a list", `"id":ID,"result":{"resultType":["input_required"],${CONTENT}}`],
    ["has content twice", `"id":ID,"result":{${CONTENT},"content":[]}`],
    ["has result twice", `"id":ID,"result":${DONE},"result":{"isError":true}`],
    ["has a structured field twice", `"id":ID,"result":{${CONTENT},"structuredContent":{"paid":true,"paid":false}}`],
    ["has its id twice", `"id":ID,"result":${DONE},"id":ID`],
    ["has a result and an error", `"id":ID,"result":${DONE},"error":{"code":-32602,"message":"no"}`],
    ["has the code of its error twice", `"id":ID,"error":{"code":-32602,"message":"no","code":-32000}`],
  ])("that %s leaves unknown what the tool did", async (_what, rest) => {
    await using server = await startRawServer(answering(message(rest)));
    const answer = await callOnce(server.url);
    expect(answer).toMatchObject({ ok: false, executed: "unknown", timed_out: false });
    expect(answer).toHaveProperty("stderr", expect.stringContaining("whether the tool took effect is not known"));
    expect(server.calls()).toHaveLength(1);
  });

  test.each([
    ["in the usual form", `{"isError":false,${CONTENT}}`],
    ["with null for what does not apply", `{"isError":null,${CONTENT}}`],
    ["with one name in two objects", `{${CONTENT},"structuredContent":{"a":{"id":1},"b":{"id":1}}}`],
    ["with a name that only text repeats", '{"content":[{"type":"text","text":"{\\"a\\":1,\\"a\\":2}"}]}'],
    ["with a large number", `{${CONTENT},"structuredContent":{"id":12345678901234567890}}`],
  ])("%s is read as before", async (_what, value) => {
    await using server = await startRawServer(answering(message(`"id":ID,"result":${value}`)));
    expect(await callOnce(server.url)).toMatchObject({ ok: true });
  });
});

test("a task whose call gets such an answer asks what the call did, and makes it once", async () => {
  const twice = message(`"id":ID,"result":{"isError":true,${CONTENT},"isError":false}`);
  await using pay = await startRawServer(inSession(json(twice)));
  await using engine = await openEngine({ env: { MCP_PAY_URL: pay.url } });
  const target = { service: "pay" };
  await engine.plant("deploy", target, [mcpCall({ server: "pay", tool: "charge" }), check("test -d /")]);
  const constraints = { implicit_scope: ["pay"], require_approval_for: [], max_minutes: 1 };
  const contract = contractBody({ task_id: "pays", target, constraints, delegation_mode: "known_only" });
  const task = await engine.call("submit_task", { ...contract, success_criteria: [], wait_seconds: 30 });
  expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "step_outcome_unknown" } });
  expect(task.outcome.message).toContain("twice");
  expect(pay.calls()).toHaveLength(1);
});

test.each([404, 400])(
  "a result under HTTP %d leaves unknown what the tool did, and is not sent again",
  async (status) => {
    await using server = await startRawServer(inSession(json(message(`"id":ID,"result":${DONE}`), status)));
    expect(await callOnce(server.url)).toMatchObject({ ok: false, executed: "unknown" });
    expect(server.calls()).toHaveLength(1);
  },
);
