// Each failure of a model server in agent mode is a fault with a stable code. No socket stays open, and the fault
// quotes nothing from the server.
import { describe, expect, test } from "vitest";
import type { AgentMessage, OfferedTool } from "../../../src/features/agents/agent-message.ts";
import { createOllamaAgentModel } from "../../../src/features/agents/model/ollama-agent-model.ts";
import { readReply } from "../../../src/features/agents/model/read-reply.ts";
import { drips, stopsMidStream, streams } from "../../simulators/ollama/ollama.ts";
import { calls, isCut, isSilent, refuses, says, startScriptedModel, type Turn } from "../../support/agent-model.ts";
import { agentModel } from "../../support/served-models.ts";

const read = async (...given: Parameters<typeof readReply>) => readReply(...given);

const LIMIT_MS = 400;

const tools: OfferedTool[] = [{ name: "shell", description: "Runs a command.", parameters: { type: "object" } }];
const question = { messages: [{ role: "user", text: "go" }] satisfies AgentMessage[], tools };
const never = new AbortController().signal;

const modelOn = (base_url: string, timeout_ms = 10_000, redact?: () => string) =>
  createOllamaAgentModel({ read, model: agentModel(base_url, 1_024), timeout_ms, ...(redact && { redact }) });

const slow: [string, Turn][] = [
  ["is silent before the headers", isSilent],
  ["is silent in the middle of the stream", stopsMidStream],
  ["drips slowly for ever", drips(20)],
];

test.each(slow)("a server that %s causes a timeout fault", async (_title, turn) => {
  await using scripted = await startScriptedModel([turn]);
  const reply = await modelOn(scripted.base_url, LIMIT_MS).reply(question, never);
  expect(reply).toEqual({ is: "fault", fault: "timeout", latency_ms: expect.any(Number) });
  await expect.poll(scripted.openSockets).toBe(0);
});

const parsing = "error parsing tool call: raw='{hunter2', err=invalid character";
const call = { message: { content: "", tool_calls: [{ function: { name: "shell", arguments: {} } }] }, done: false };
const lines = (...chunks: object[]) => streams(chunks.map((chunk) => `${JSON.stringify(chunk)}\n`).join(""));

const broken: [string, Turn, string | RegExp][] = [
  ["does not know the model", refuses(404, { error: "model 'hunter2' not found" }), "http_status: 404"],
  [
    "has a model without tools",
    refuses(400, { error: "library/hunter2 does not support tools" }),
    /^no_tools: agent:8b can do: completion, tools$/,
  ],
  ["has too little room", refuses(400, { error: "the input length exceeds the context length" }), /^truncated: /],
  ["cannot parse a call of its model", refuses(500, { error: parsing }), /^bad_call: /],
  ["cannot parse a later call of its model", lines(call, { error: parsing }), /^bad_call: /],
  ["ends the stream behind a call", lines(call), /^truncated: /],
  ["cuts the answer by its length", isCut(says("I will")), /^truncated: /],
  ["cuts the answer behind a call", isCut(calls(["shell", { command: "rm -r" }])), /^truncated: /],
  ["says in the middle that it succeeded", lines({ ...call, status: "success" }), /^truncated: /],
];

test.each(broken)("a server that %s is a fault", async (_title, turn, fault) => {
  await using scripted = await startScriptedModel([turn]);
  const reply = await modelOn(scripted.base_url).reply(question, never);
  const expected = typeof fault === "string" ? fault : expect.stringMatching(fault);
  expect(reply).toEqual({ is: "fault", fault: expected, latency_ms: expect.any(Number) });
  expect(JSON.stringify(reply)).not.toContain("hunter2");
  await expect.poll(scripted.openSockets).toBe(0);
  expect(scripted.asked).toHaveLength(1);
});

test("an error response without an end is a fault with its status", async () => {
  await using scripted = await startScriptedModel([
    (response) => {
      response.writeHead(500);
      response.write("hunter2");
    },
  ]);
  const reply = await modelOn(scripted.base_url, LIMIT_MS).reply(question, never);
  expect(reply).toMatchObject({ is: "fault", fault: "http_status: 500" });
  await expect.poll(scripted.openSockets).toBe(0);
});

test("a redaction that fails is a fault, and nothing is sent", async () => {
  await using scripted = await startScriptedModel([says("Done.")]);
  const redact = () => {
    throw new Error("hunter2");
  };
  const model = modelOn(scripted.base_url, 5_000, redact);
  expect(await model.reply(question, never)).toMatchObject({ is: "fault", fault: "unreachable: Error" });
  expect(scripted.asked).toEqual([]);
});

describe("the caller's abort", () => {
  test.each(slow)("ends a call to a server that %s", async (_title, turn) => {
    await using scripted = await startScriptedModel([turn]);
    const cancel = new AbortController();
    const reply = modelOn(scripted.base_url, 60_000).reply(question, cancel.signal);
    await expect.poll(() => scripted.asked.length).toBe(1);
    cancel.abort(new Error("hunter2"));
    expect(await reply).toEqual({ is: "fault", fault: "aborted", latency_ms: expect.any(Number) });
    await expect.poll(scripted.openSockets).toBe(0);
  });

  test("sends nothing when it comes before the call", async () => {
    await using scripted = await startScriptedModel([says("Done.")]);
    const reply = await modelOn(scripted.base_url).reply(question, AbortSignal.abort());
    expect(reply).toMatchObject({ is: "fault", fault: "aborted" });
    expect(scripted.asked).toEqual([]);
  });
});
