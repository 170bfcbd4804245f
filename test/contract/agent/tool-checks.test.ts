// T8: an agent that has tool servers and no shell: a tool that only reads checks what it did, and its prompt names what it has.
import { describe, expect, test } from "vitest";
import { done, openAgentWorld, scope } from "../../support/agent-engine.ts";
import { calls, type Script } from "../../support/agent-model.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer } from "../../support/tool-server.ts";

const TOOLS = [
  {
    name: "get_state",
    description: "Reads",
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
    annotations: { readOnlyHint: true },
  },
  { name: "set_state", description: "Switches", inputSchema: { type: "object" } },
];

/** A pump that is off until it is switched. */
function startHome() {
  let state = "off";
  return startRawServer(
    afterHandshake(({ body }, response) => {
      if (body.method === "tools/list") return sendJson(response, rpcResult(body.id, { tools: TOOLS }));
      const { name, arguments: args } = body.params;
      if (name === "set_state") state = args.state;
      const answer = { structuredContent: { state }, content: [{ type: "text", text: JSON.stringify({ state }) }] };
      return sendJson(response, rpcResult(body.id, answer));
    }),
  );
}

const ON = { path: "/state", equals: "on" };
const reads = (expected?: object): [string, object] => [
  "home__get_state",
  { id: "pump", ...(expected && { expect: expected }) },
];
const switches: [string, object] = ["home__set_state", { id: "pump", state: "on" }];

async function outcomeOf(script: Script, over: Record<string, unknown> = {}) {
  await using home = await startHome();
  await using world = await openAgentWorld(script, { env: { MCP_HOME_URL: home.url } });
  await using engine = await world.open();
  const criteria = { success_criteria: ["the pump is on"] };
  const view = await engine.submit(world.contract({ constraints: scope("home"), ...criteria, ...over }));
  const evidence = await engine.call("get_evidence", { task_id: "task" });
  return { view, evidence, calls: home.calls().map(({ body }) => body.params), asked: world.model.asked };
}

const CRITERION = "the pump is on";

describe("a call of a tool that only reads, with expect,", () => {
  test("verifies a change that it was red before, named by its tool", async () => {
    const script: Script = [calls(reads(ON)), calls(switches), calls(reads(ON)), done([CRITERION, "home__get_state"])];
    const { view, evidence, calls: made } = await outcomeOf(script);
    expect(view).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    const check = { step_index: 2, criterion: CRITERION, passed: true, exit_code: 0 };
    expect(evidence.verdict.checks).toMatchObject([check]);
    const args = made.map((one) => one.arguments);
    expect(args).toEqual([{ id: "pump" }, { id: "pump", state: "on" }, { id: "pump" }]);
  });

  test("becomes a check of the procedure that is proposed", async () => {
    const script: Script = [calls(reads(ON)), calls(switches), calls(reads(ON)), done([CRITERION, 2])];
    await using home = await startHome();
    await using world = await openAgentWorld(script, { env: { MCP_HOME_URL: home.url } });
    await using engine = await world.open();
    const contract = { constraints: scope("home"), success_criteria: [CRITERION] };
    expect(await engine.submit(world.contract(contract))).toMatchObject({ status: "ok" });
    const { draft } = await engine.call("propose_sop", { task_id: "task" });
    expect(draft.steps).toMatchObject([
      { kind: "mcp_call", tool: "set_state" },
      { kind: "mcp_call", tool: "get_state", expect: ON },
    ]);
  });

  test.each<[string, Script, string]>([
    [
      "when it fails after the change",
      [calls(switches), calls(reads({ path: "/state", equals: "open" })), done([CRITERION, 1])],
      "it exited with 1",
    ],
    ["without expect", [calls(switches), calls(reads()), done([CRITERION, 1])], "it passes with any answer"],
    [
      "when something changes after it",
      [calls(switches), calls(reads(ON)), calls(switches), done([CRITERION, 1])],
      "something may have changed after it",
    ],
    [
      "of a tool that changes",
      [calls(["home__set_state", { state: "on", expect: ON }]), done([CRITERION, 0])],
      "it may change something",
    ],
    [
      "that was true before the change",
      [
        calls(reads({ path: "/state", contains: "o" })),
        calls(switches),
        calls(reads({ path: "/state", contains: "o" })),
        done([CRITERION, 2]),
      ],
      "it was true before your first change",
    ],
  ])("does not count %s", async (_what, script, why) => {
    const { view, asked } = await outcomeOf(script);
    expect(view).toMatchObject({ status: "failed", outcome: { reason_code: "nothing_verified" } });
    expect(JSON.stringify(asked.at(-1)?.messages)).toContain(why);
  });
});

describe("the prompt of an agent", () => {
  const END: Script = [calls(switches), done()];

  test("without a shell names the tools that only read, and does not speak of commands", async () => {
    const { asked } = await outcomeOf(END);
    const [system, task] = asked[0]?.messages.map(({ content }) => content) ?? [];
    expect(system).toContain("no shell");
    expect(system).not.toMatch(/shell \{|command|grep/);
    expect(system).toContain('"expect": {"path": "/state", "equals": "on"}');
    expect(JSON.parse(task ?? "")).toMatchObject({ tools_that_only_read: ["home__get_state"] });
    const tools = asked[0]?.tools.map(({ function: { name, parameters } }) => [name, parameters]) ?? [];
    expect(tools.filter(([, given]) => JSON.stringify(given).includes('"expect"'))).toMatchObject([
      ["home__get_state", { properties: { id: { type: "string" }, expect: { type: "object" } } }],
    ]);
  });

  test("with a shell is as before", async () => {
    const { asked } = await outcomeOf(END, { constraints: scope("shell", "home") });
    const [system, task] = asked[0]?.messages.map(({ content }) => content) ?? [];
    expect(system).toContain('shell {"command": "grep -qx port=8080 app.conf", "check": true}');
    expect(JSON.parse(task ?? "")).not.toHaveProperty("tools_that_only_read");
  });
});
