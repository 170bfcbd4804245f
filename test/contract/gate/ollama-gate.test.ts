// Each failure of a routing model ends in the fallback, within the time limit, and leaves no socket open.
import { describe, expect, test } from "vitest";
import { createOllamaGate } from "../../../src/gate/ollama-gate.ts";
import {
  answers,
  answersAfter,
  answersAndHangs,
  type Behaviour,
  drips,
  endsEarly,
  floods,
  refuses,
  resetsAtOnce,
  resetsMidStream,
  saysNothing,
  startOllama,
  stopsMidStream,
  streams,
} from "../../simulators/ollama/ollama.ts";
import { smallModel } from "../../support/served-models.ts";

const LIMIT_MS = 400;
/** For a busy machine. An unbounded call takes more than six seconds. */
const SLACK_MS = 4_500;

const gateOn = (base_url: string, timeout_ms = LIMIT_MS) =>
  createOllamaGate({ model: smallModel(base_url), timeout_ms });
const anError = { command: "curl -f http://x", output: "boom" };
const aCommand = { command: "systemctl restart db", categories: ["restart", "delete"] };

const brokenServers: [string, Behaviour, string | RegExp][] = [
  ["is silent before the headers", saysNothing, "timeout"],
  ["is silent in the middle of the stream", stopsMidStream, "timeout"],
  ["drips slowly for ever", drips(20), "timeout"],
  ["answers too late", answersAfter(LIMIT_MS + 300, { error_type: "transient" }), "timeout"],
  ["resets the connection at once", resetsAtOnce, /^unreachable/],
  ["resets the connection in the middle of the stream", resetsMidStream, /^unreachable/],
  ["ends the stream early", endsEarly, /^truncated/],
  ["floods the client", floods, /^truncated: longer than/],
  ["sends one endless line", streams(`{"message":{"content":"${"x".repeat(600_000)}`), /^truncated: longer than/],
  ["fails with a text", refuses(500, "password=hunter2"), "http_status: 500"],
  [
    "fails with JSON",
    refuses(404, '{"error":"no model hunter2"}', { "content-type": "application/json" }),
    "http_status: 404",
  ],
  ["fails without a body", refuses(503, ""), "http_status: 503"],
  ["has nothing to say", refuses(204, ""), /^truncated/],
  ["answers with a web page", streams("<html>hunter2</html>"), "not_json"],
  [
    "gives two contents in one chunk",
    streams(
      '{"message":{"content":"{}","content":"{\\"requires_approval\\":false}"},"done":true,"done_reason":"stop"}\n',
    ),
    "wrong_shape: a field is there twice",
  ],
];

describe.each(brokenServers)("a model server that %s", (_title, behaviour, reason) => {
  test("causes the fallbacks within the limit, and no socket stays open [8.routing_timeout] [4.gate.error_fallback] [4.gate.approval_fallback] [7.8]", async () => {
    await using fake = await startOllama(behaviour);
    const gate = gateOn(fake.base_url);
    const begun = performance.now();
    const [error, approval] = await Promise.all([gate.classifyError(anError), gate.matchCategory(aCommand)]);
    expect(performance.now() - begun).toBeLessThan(LIMIT_MS + SLACK_MS);
    const fallback = typeof reason === "string" ? reason : expect.stringMatching(reason);
    expect(error).toEqual({
      answer: { error_type: "unknown" },
      fallback,
      model: "small:1b",
      latency_ms: expect.any(Number),
    });
    expect(approval).toMatchObject({ answer: { requires_approval: true }, fallback, model: "small:1b" });
    expect(approval.answer).not.toHaveProperty("matched_category");
    expect(JSON.stringify([error, approval])).not.toContain("hunter2");
    await expect.poll(fake.openSockets).toBe(0);
    expect(fake.asked).toHaveLength(2);
  });
});

const usableAnswers: [string, Behaviour][] = [
  ["comes at once", answers({ requires_approval: false })],
  ["comes just before the deadline", answersAfter(1_000, { requires_approval: false })],
  ["is complete on a connection that stays open", answersAndHangs({ requires_approval: false })],
  [
    "comes with white space and blank lines",
    streams('\n{"message":{"content":" {\\"requires_approval\\":\\nfalse}\\n"},"done":true}'),
  ],
];

test.each(usableAnswers)("an answer that %s is used", async (_title, behaviour) => {
  await using fake = await startOllama(behaviour);
  const reply = await gateOn(fake.base_url, 2_000).matchCategory(aCommand);
  expect(reply).toMatchObject({ answer: { requires_approval: false }, fallback: null });
  await expect.poll(fake.openSockets).toBe(0);
});

test("an unreachable server means the fallback", async () => {
  const fake = await startOllama(saysNothing);
  await fake[Symbol.asyncDispose]();
  const reply = await gateOn(fake.base_url).classifyError(anError);
  expect(reply).toMatchObject({ answer: { error_type: "unknown" }, fallback: "unreachable: ECONNREFUSED" });
});

test.each(["not a url", "http://user:hunter2@127.0.0.1:9", "ftp://127.0.0.1", "https://127.0.0.1:9"])(
  "the address %s means the fallback",
  async (base_url) => {
    const reply = await gateOn(base_url).matchCategory(aCommand);
    expect(reply).toMatchObject({
      answer: { requires_approval: true },
      fallback: expect.stringMatching(/^unreachable/),
    });
    expect(reply.fallback).not.toContain("hunter2");
  },
);

test("a call that the client library stops reading does not hold its socket until the deadline", async () => {
  const halfway = '{"message":{"content":"{"},"done":false,"status":"success"}\n';
  await using fake = await startOllama(streams(halfway, "hang"));
  const reply = await gateOn(fake.base_url, 15_000).classifyError(anError);
  expect(reply).toMatchObject({ answer: { error_type: "unknown" }, fallback: "not_json" });
  await expect.poll(fake.openSockets).toBe(0);
});

test("a redaction that fails means the fallback, and nothing is sent", async () => {
  await using fake = await startOllama(answers({ requires_approval: false }));
  const redact = () => {
    throw new Error("hunter2");
  };
  const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: LIMIT_MS, redact });
  expect(await gate.matchCategory(aCommand)).toMatchObject({ answer: { requires_approval: true } });
  expect(await gate.classifyError(anError)).toMatchObject({ answer: { error_type: "unknown" } });
  expect(fake.asked).toEqual([]);
});

test("a redacted command requires approval although the model clears it", async () => {
  await using fake = await startOllama(answers({ requires_approval: false }));
  const redact = (text: string) => text.replaceAll("restart", "[redacted]");
  const options = { model: smallModel(fake.base_url), timeout_ms: LIMIT_MS, redact };
  const command = "systemctl restart web";
  const reply = await createOllamaGate(options).matchCategory({ ...aCommand, command });
  expect(reply).toMatchObject({
    answer: { requires_approval: true },
    fallback: expect.stringContaining("not shown whole"),
  });
});

test("latency is measured on the given clock", async () => {
  await using fake = await startOllama(answers({ error_type: "unknown" }));
  const ticks = [1_000, 1_042.4];
  const now = () => ticks.shift() ?? 0;
  const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 2_000, now });
  expect(await gate.classifyError(anError)).toMatchObject({ latency_ms: 42, fallback: null });
});

describe("the caller's abort", () => {
  test.each([
    ["before the headers", saysNothing],
    ["in the middle of the stream", stopsMidStream],
  ])("ends a call %s at once", async (_title, behaviour) => {
    await using fake = await startOllama(behaviour);
    const cancel = new AbortController();
    const begun = performance.now();
    const reply = gateOn(fake.base_url, 10_000).matchCategory(aCommand, cancel.signal);
    await expect.poll(() => fake.asked.length).toBe(1);
    cancel.abort(new Error("hunter2"));
    expect(await reply).toMatchObject({ answer: { requires_approval: true }, fallback: "aborted" });
    expect(performance.now() - begun).toBeLessThan(SLACK_MS);
    await expect.poll(fake.openSockets).toBe(0);
  });

  test("sends nothing when it comes before the call", async () => {
    await using fake = await startOllama(answers({ error_type: "transient" }));
    const reply = await gateOn(fake.base_url).classifyError(anError, AbortSignal.abort());
    expect(reply).toMatchObject({ answer: { error_type: "unknown" }, fallback: "aborted" });
    expect(fake.asked).toEqual([]);
  });

  test("ends one call and no other on the same gate", async () => {
    await using fake = await startOllama(async (response, body) => {
      if (body.includes("first")) await stopsMidStream(response, body);
      else await answersAfter(300, { error_type: "transient" })(response, body);
    });
    const gate = gateOn(fake.base_url, 5_000);
    const cancel = new AbortController();
    const first = gate.classifyError({ command: "first", output: "x" }, cancel.signal);
    const second = gate.classifyError({ command: "second", output: "x" }, new AbortController().signal);
    await expect.poll(() => fake.asked.length).toBe(2);
    cancel.abort();
    expect(await first).toMatchObject({ fallback: "aborted" });
    expect(await second).toMatchObject({ answer: { error_type: "transient" }, fallback: null });
    await expect.poll(fake.openSockets).toBe(0);
  });
});
