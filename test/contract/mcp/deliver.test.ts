// One request to a server that answers in its own way: what the client hears, and what is known when it hears nothing.
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { type Delivery, deliver } from "../../../src/api/mcp/stdio.ts";
import { littleServer, type Reply } from "../../support/cli-server.ts";

const CALL: JSONRPCRequest = { jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "x" } };
const ANSWER = { jsonrpc: "2.0", id: 5, result: { content: [] } };
const event = (message: object) => `data: ${JSON.stringify(message)}\n\n`;

async function delivered(reply: Reply, over: Partial<Delivery> = {}) {
  await using server = await littleServer(() => reply);
  const heard: JSONRPCMessage[] = [];
  const hear = async (message: JSONRPCMessage) => void heard.push(message);
  const { signal } = new AbortController();
  const failure = await deliver(CALL, { url: server.url, token: "t", version: undefined, signal, hear, ...over });
  return { failure, heard, asked: server.asked.length };
}

describe("an answer", () => {
  test.each<[string, Reply]>([
    ["as JSON", { body: ANSWER }],
    ["as a stream", { type: "text/event-stream", body: event(ANSWER) }],
  ])(
    "%s is heard, and no failure follows when the client reads it long after the stream has ended",
    async (_as, reply) => {
      const read: JSONRPCMessage[] = [];
      const hear = (message: JSONRPCMessage) => sleep(400).then(() => void read.push(message));
      expect(await delivered(reply, { hear })).toMatchObject({ failure: null });
      expect(read).toEqual([ANSWER]);
    },
  );

  test.each([202, 204])("that is HTTP %s and nothing else is no answer", async (status) => {
    const reply = { status, body: "" };
    expect(await delivered(reply)).toMatchObject({ failure: { is: "refused", status, body: "" }, heard: [] });
  });

  test.each<[string, Reply]>([
    ["JSON", { body: { ...ANSWER, id: 6 } }],
    ["a stream", { type: "text/event-stream", body: event({ ...ANSWER, id: 6 }) }],
    ["JSON with nothing in it", { body: "" }],
    ["an empty batch", { body: [] }],
  ])("to something else, as %s, is not heard, and is no answer", async (_as, reply) => {
    expect(await delivered(reply)).toMatchObject({ failure: { is: "broken" }, heard: [] });
  });
});

test("a request that is taken back before it goes out is not sent", async () => {
  expect(await delivered({ body: ANSWER }, { signal: AbortSignal.abort() })).toEqual({
    failure: null,
    heard: [],
    asked: 0,
  });
});
