// What goes into the context of the agent model, with real tool servers: many tools, a large contract, and a server that counts.
import { describe, expect, test } from "vitest";
import { check, done, openAgentWorld, scope } from "../../support/agent-engine.ts";
import { calls, refuses, type Script } from "../../support/agent-model.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

const WORDS = "service container image volume network replica config token budget region".split(" ");
const word = (at: number): string => WORDS[at % WORDS.length] ?? "";

const properties = (n: number) =>
  Object.fromEntries(
    [0, 1, 2, 3].map((p) => [
      `${word(n + p)}_${p}`,
      {
        type: "string",
        description: `The ${word(n + p)} that is meant, by its name or number; without it, the ${word(n + p + 2)} of the last call is taken`,
      },
    ]),
  );

const manyTools = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    name: `${word(n)}_${word(7 * n)}_${n}`,
    description: `Changes the ${word(n)} of the ${word(3 * n)}; it fails where the ${word(5 * n)} does not exist. Use it after the list of every ${word(n)}. It returns what was there before, so that a later call can put it back; it takes effect at once, for every user.`,
    inputSchema: { type: "object", properties: properties(n) },
  }));

const serverOf = (count: number) =>
  startRawServer(
    afterHandshake(({ body }, response) =>
      sendJson(
        response,
        rpcResult(body.id, body.method === "tools/list" ? { tools: manyTools(count) } : { content: [] }),
      ),
    ),
  );

const script: Script = [calls(check("test -d /")), done()];
const inLab = { constraints: scope("shell", "lab") };

describe("the context of an agent's model", () => {
  test("has room for forty tools with four parameters each, of 38 kB", async () => {
    await using server = await serverOf(40);
    await using world = await openAgentWorld(script, { env: { MCP_LAB_URL: server.url } });
    await using engine = await world.open();
    expect(await engine.submit(world.contract(inLab))).toMatchObject({ status: "ok" });
    const tools = world.model.asked[0]?.tools ?? [];
    expect(tools.filter(({ function: { name } }) => name.startsWith("lab__"))).toHaveLength(40);
    expect(JSON.stringify(tools)).toContain("of the last call is taken");
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeGreaterThan(38_000);
  });

  test("gets a hundred tools with less prose, or without those that do not fit, which it can name", async () => {
    await using server = await serverOf(100);
    await using world = await openAgentWorld(script, { env: { MCP_LAB_URL: server.url } });
    await using engine = await world.open();
    const over = { ...inLab, payload: { goal: "set the budget of the region" } };
    expect(await engine.submit(world.contract(over))).toMatchObject({ status: "ok" });
    const [first] = world.model.asked;
    const names = first?.tools.map((tool) => tool.function.name) ?? [];
    const { tools_left_out } = JSON.parse(first?.messages[1]?.content ?? "");
    expect(names).toEqual(expect.arrayContaining(["finish", "shell", "lab__budget_config_8"]));
    expect(names.length).toBeGreaterThan(40);
    expect(tools_left_out).toContain("lab__container_token_1");
    const { events } = await engine.call("read_journal", { task_id: "task" });
    expect(JSON.stringify(events)).toContain("which do not fit into the model's context: ");
  });

  test("does not take one of 90 kB, and the task says what is too large and how to mend it", async () => {
    await using world = await openAgentWorld(script);
    await using engine = await world.open();
    const payload = { goal: "read it", text: "The service answers and logs what it does. ".repeat(2_100) };
    const { status, outcome } = await engine.submit(world.contract({ payload }));
    expect([status, outcome?.reason_code]).toEqual(["failed", "context_too_small"]);
    expect(outcome?.message).toMatch(
      /largest part is payload\.text with about \d+: .*raise AGENT_CONTEXT_TOKENS by \d+/,
    );
    expect(world.model.asked).toEqual([]);
  });

  test("where the model itself holds too little, the message does not ask for a setting that cannot help: clients M3", async () => {
    await using world = await openAgentWorld(script, { model: { context_length: 8_192 } });
    await using engine = await world.open();
    const payload = { goal: "read it", text: "The service answers and logs what it does. ".repeat(700) };
    const { outcome } = await engine.submit(world.contract({ payload }));
    expect(outcome?.reason_code).toBe("context_too_small");
    expect(outcome?.message).toMatch(/has 6144 for them/);
    expect(outcome?.message).toMatch(/this one holds 8192 tokens, so AGENT_CONTEXT_TOKENS cannot help\.$/);
    expect(world.model.asked).toEqual([]);
  });

  test("a model without tools ends the task with its name and what it can do: clients M5", async () => {
    await using world = await openAgentWorld(script, { model: { capabilities: ["completion"] } });
    await using engine = await world.open();
    const { status, outcome } = await engine.submit(world.contract());
    expect([status, outcome?.reason_code]).toEqual(["failed", "model_unavailable"]);
    expect(outcome?.message).toBe(
      "The agent model cannot call tools (no_tools: agent:8b can do: completion). Set AGENT_MODEL to one that can.",
    );
  });

  test("is filled less after its server has refused a question as too long", async () => {
    const loud = calls(["shell", { command: "seq 100000 103000 # again" }]);
    const tooLong = refuses(400, { error: "the prompt exceeds the available context size" });
    const replies: Script = [loud, loud, loud, tooLong, tooLong, calls(check("test -d /")), done()];
    await using world = await openAgentWorld(replies, { env: { AGENT_CONTEXT_TOKENS: "4096" } });
    await using engine = await world.open();
    expect(await engine.submit(world.contract())).toMatchObject({ status: "ok" });
    const sizes = world.model.asked.map((request) => JSON.stringify(request.messages).length);
    expect(sizes[5]).toBeLessThan(sizes[3] ?? 0);
  });
});
