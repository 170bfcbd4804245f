// What real models do on Ollama: blanks after the answer, a context of their own, a load at each change of it, and slow loads.
import { describe, expect, test } from "vitest";
import { createOllamaAgentModel } from "../../../src/features/agents/model/ollama-agent-model.ts";
import { readReply } from "../../../src/features/agents/model/read-reply.ts";
import { createOllamaGate } from "../../../src/gate/ollama-gate.ts";
import { describeModel, modelsOf, type RoutingFormat } from "../../../src/ollama/served-model.ts";
import type { ModelOptions } from "../../simulators/ollama/model.ts";
import {
  answers,
  answersAfter,
  answersAndStalls,
  startOllama,
  streamsMessages,
  writesBlanks,
} from "../../simulators/ollama/ollama.ts";
import { smallModel } from "../../support/served-models.ts";

const anError = { command: "curl -f http://x", output: "connection refused" };
const aCommand = { command: "systemctl restart db", categories: ["restart", "delete data"] };
const TRANSIENT = { error_type: "transient" };

const questionIn = (body: string) => JSON.parse(body);

describe.each<RoutingFormat>(["json", "schema"])("in the format %s", (format) => {
  const gateOn = (base_url: string, timeout_ms = 20_000) =>
    createOllamaGate({ model: { ...smallModel(base_url), format }, timeout_ms });

  test("an object that is followed by blanks until the limit is taken, and the connection is ended: clients M1", async () => {
    await using fake = await startOllama(writesBlanks(TRANSIENT, 1));
    const reply = await gateOn(fake.base_url, 60_000).classifyError(anError);
    expect(reply).toMatchObject({ answer: TRANSIENT, fallback: null });
    await expect.poll(fake.openSockets).toBe(0);
  });

  test("an object without a last chunk, which nothing follows, is not used: the limit of the question ends it", async () => {
    await using fake = await startOllama(answersAndStalls(TRANSIENT));
    expect(await gateOn(fake.base_url, 1_000).classifyError(anError)).toMatchObject({ fallback: "timeout" });
    await expect.poll(fake.openSockets).toBe(0);
  });

  test.each<readonly string[]>([
    ['{"error_type":"transient"}\n', '{"error_type":"unknown"}'],
    ['{"error_type":"transient"}', "\n", '{"error_type":"unknown"}'],
    ['{"error_type":"transient"}', " ", " ", " ", "no"],
  ])("an answer that goes on with text after blanks is not used", async (...parts) => {
    await using fake = await startOllama(streamsMessages(parts.map((content) => ({ content }))));
    expect(await gateOn(fake.base_url).classifyError(anError)).toMatchObject({ fallback: "not_json" });
  });

  test("the limit of an answer is what its longest object needs: clients M1", async () => {
    const longest = `restart ${"the database ".repeat(30)}`;
    await using fake = await startOllama(answers({ requires_approval: true, matched_category: longest }));
    const categories = ["delete data", longest];
    const reply = await gateOn(fake.base_url).matchCategory({ command: "make", categories });
    expect(reply).toMatchObject({ answer: { matched_category: longest }, fallback: null });
    fake.behave(answers(TRANSIENT));
    await gateOn(fake.base_url).classifyError(anError);
    const limits = fake.asked.map(({ body }) => questionIn(body).options.num_predict);
    const object = JSON.stringify({ requires_approval: true, matched_category: longest });
    expect(limits).toEqual([Buffer.byteLength(object), JSON.stringify(TRANSIENT).length]);
  });
});

test("ROUTING_FORMAT=schema sends the schema of each answer, with the categories: clients M1", async () => {
  await using fake = await startOllama(answers({ requires_approval: false }));
  const gate = createOllamaGate({ model: { ...smallModel(fake.base_url), format: "schema" }, timeout_ms: 5_000 });
  await gate.classifyError(anError);
  await gate.matchCategory(aCommand);
  const [error, approval] = fake.asked.map(({ body }) => questionIn(body).format);
  expect(error).toEqual({
    type: "object",
    properties: { error_type: { type: "string", enum: ["transient", "unknown"] } },
    required: ["error_type"],
    additionalProperties: false,
  });
  expect(approval.anyOf).toMatchObject([
    { properties: { requires_approval: { const: true }, matched_category: { enum: aCommand.categories } } },
    { properties: { requires_approval: { const: false } } },
  ]);
});

const configured = (url: string, over: object = {}) => ({
  routing_model: "small:1b",
  routing_url: url,
  routing_format: "json" as const,
  routing_keep_alive: null,
  agent: { model: "small:1b", url, context_tokens: 16_384 },
  ...over,
});

const never = new AbortController().signal;

/** Asks the routing model and the agent model in turns, twice. */
async function askBoth(url: string, over: object = {}) {
  const { routing, agent } = modelsOf(configured(url, over));
  if (routing === null || agent === null) throw new Error("both are set");
  const gate = createOllamaGate({ model: routing, timeout_ms: 5_000 });
  const read = async (...given: Parameters<typeof readReply>) => readReply(...given);
  const model = createOllamaAgentModel({ model: agent, timeout_ms: 5_000, read });
  for (const _round of [1, 2]) {
    await gate.classifyError(anError);
    await model.reply({ messages: [{ role: "user", text: "go" }], tools: [] }, never);
  }
}

test.each<[string, ModelOptions, (url: string) => object, readonly number[]]>([
  ["one model has one context, that of agents", {}, () => ({}), [16_384]],
  ["one model has one context, clamped to its own", { context_length: 2_048 }, () => ({}), [2_048]],
  ["one address may be written in two ways", {}, (url) => ({ routing_url: `${url}/` }), [16_384]],
  [
    "one model may be written with its tag",
    { names: ["small:latest"] },
    (url) => ({ routing_model: "small:latest", agent: { model: "small:latest", url, context_tokens: 4_096 } }),
    [4_096],
  ],
  [
    "two models have contexts of their own",
    {},
    (url) => ({ agent: { model: "agent:8b", url, context_tokens: 16_384 } }),
    [8_192, 16_384, 8_192, 16_384],
  ],
])("%s: clients M2, M3", async (_title, options, over, loads) => {
  await using fake = await startOllama(answers(TRANSIENT), 0, options);
  await askBoth(fake.base_url, over(fake.base_url));
  expect(fake.model.loads).toEqual(loads);
  const shown = fake.model.looks.filter(({ route }) => route === "/api/show");
  expect(shown.length, "/api/show is read once for a model").toBe(new Set(loads).size);
});

test("a question that the model cannot hold is refused and not cut: clients M4", async () => {
  await using fake = await startOllama(answers({ requires_approval: false }), 0, { context_length: 512 });
  const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 5_000 });
  const reply = await gate.matchCategory({ ...aCommand, command: `echo ${"a ".repeat(1_900)}` });
  expect(reply).toMatchObject({
    answer: { requires_approval: true },
    fallback: "truncated: the question exceeds the context",
  });
  expect(fake.model.cut()).toBe(0);
});

describe("a description that cannot be read", () => {
  test.each<[string, ModelOptions["routes"]]>([
    ["is silent", { "/api/show": "is silent" }],
    ["is not known to an older server", { "/api/show": [404, "404 page not found"] }],
    ["is a page", { "/api/show": [200, "<html>"] }],
    [
      "has a context that is no number",
      { "/api/show": [200, '{"model_info":{"general.architecture":"a","a.context_length":"8k"}}'] },
    ],
  ])("%s leaves the setting, and the question is asked", async (_title, routes = {}) => {
    await using fake = await startOllama(answers(TRANSIENT), 0, { routes });
    const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 20_000 });
    expect(await gate.classifyError(anError)).toMatchObject({ answer: TRANSIENT, fallback: null });
    expect(fake.model.loads).toEqual([8_192]);
  });

  test("counts towards the limit of the question", async () => {
    await using fake = await startOllama(answers(TRANSIENT), 0, { routes: { "/api/show": "is silent" } });
    const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 100 });
    expect(await gate.classifyError(anError)).toMatchObject({ answer: { error_type: "unknown" }, fallback: "timeout" });
    expect(fake.asked).toEqual([]);
  });

  test("is read again with a question one minute later, and not before", async () => {
    const routes: Record<string, readonly [number, string]> = { "/api/show": [500, "busy"] };
    await using fake = await startOllama(answers(TRANSIENT), 0, { routes, context_length: 4_096 });
    let now = 0;
    const model = describeModel({ name: "small:1b", base_url: fake.base_url }, () => now);
    const gate = createOllamaGate({ model, timeout_ms: 5_000 });
    await gate.classifyError(anError);
    delete routes["/api/show"];
    for (now of [59_999, 60_000, 600_000]) await gate.classifyError(anError);
    const asked = fake.asked.map(({ body }) => questionIn(body).options.num_ctx);
    expect(asked).toEqual([8_192, 8_192, 4_096, 4_096]);
    expect(fake.model.looks.map(({ route }) => route)).toEqual(["/api/show", "/api/show"]);
  });

  test("is read again with the next question where the model was gone", async () => {
    const names: string[] = [];
    await using fake = await startOllama(answers(TRANSIENT), 0, { names, context_length: 4_096 });
    const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 5_000 });
    await gate.classifyError(anError);
    names.push("small:1b");
    await gate.classifyError(anError);
    expect(fake.model.loads).toEqual([4_096]);
    expect(fake.asked.map(({ body }) => questionIn(body).options.num_ctx)).toEqual([8_192, 4_096]);
  });
});

describe("a model that is warmed: clients M7", () => {
  test("is loaded with the context of the question, and kept as long as it is set", async () => {
    await using fake = await startOllama(answers(TRANSIENT));
    const { routing } = modelsOf(configured(fake.base_url, { routing_keep_alive: "24h" }));
    const gate = createOllamaGate({ model: routing ?? describeModel({ name: "", base_url: "" }), timeout_ms: 5_000 });
    gate.warm();
    gate.warm();
    await expect.poll(() => fake.model.loads).toEqual([16_384]);
    await gate.classifyError(anError);
    expect(fake.model.loads).toEqual([16_384]);
    expect(questionIn(fake.asked[0]?.body ?? "").keep_alive).toBe("24h");
    const warmed = fake.model.looks.filter(({ route }) => route === "/api/generate");
    expect(warmed.map(({ body }) => questionIn(body).keep_alive)).toEqual(["24h"]);
  });

  test("a number of seconds is sent as a number, and both models of one description are kept", async () => {
    await using fake = await startOllama(answers(TRANSIENT));
    await askBoth(fake.base_url, { routing_keep_alive: "-1" });
    expect(fake.asked.map(({ body }) => questionIn(body).keep_alive)).toEqual([-1, -1, -1, -1]);
  });
});

test("an answer that takes its time is waited for", async () => {
  await using fake = await startOllama(answersAfter(50, TRANSIENT), 0, { load_ms: 100 });
  const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 20_000 });
  expect(await gate.classifyError(anError)).toMatchObject({ answer: TRANSIENT, fallback: null });
});

test("a question during a load waits for it, and the load is not begun again", async () => {
  await using fake = await startOllama(answers(TRANSIENT), 0, { load_ms: 400 });
  const gate = createOllamaGate({ model: smallModel(fake.base_url), timeout_ms: 100 });
  gate.warm();
  await expect.poll(() => fake.model.loads).toEqual([8_192]);
  expect(await gate.classifyError(anError)).toMatchObject({ fallback: "timeout" });
  expect(fake.model.loads).toEqual([8_192]);
});
