// The tools that an agent is offered and the results of their calls, with real tool servers.
import { describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { startNotesServer } from "../../simulators/notes/notes-server.ts";
import { check, done, openAgentWorld, scope } from "../../support/agent-engine.ts";
import { calls, type Script } from "../../support/agent-model.ts";
import { afterHandshake, rpcResult, sendJson, startRawServer, startSdkServer } from "../../support/tool-server.ts";

const offeredIn = (world: Awaited<ReturnType<typeof openAgentWorld>>) =>
  world.model.asked[0]?.tools.map((tool) => tool.function.name) ?? [];

const answersTo = (world: Awaited<ReturnType<typeof openAgentWorld>>) =>
  (world.model.asked.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content));

const finishing = done();

describe("the tools of a server in scope", () => {
  test("are offered as listed and called once, and the agent gets their results", async () => {
    await using server = await startSdkServer();
    const script: Script = [
      calls(["sdk__create", { name: "one" }], ["sdk__add", { a: 1, b: 2 }], ["sdk__fail", {}]),
      calls(check("test -d /")),
      finishing,
    ];
    await using world = await openAgentWorld(script, { env: { MCP_SDK_URL: server.url } });
    await using engine = await world.open();
    const view = await engine.submit(world.contract({ constraints: scope("shell", "SDK") }));
    expect(view.status).toBe("ok");
    expect(offeredIn(world)).toEqual(expect.arrayContaining(["finish", "shell", "sdk__create", "sdk__add"]));
    expect(server.called.map(({ tool, args }) => [tool, args])).toEqual([
      ["create", { name: "one" }],
      ["add", { a: 1, b: 2 }],
    ]);
    expect(answersTo(world)).toMatchObject([
      { call: 0, exit_code: 0, stdout: expect.stringContaining("created") },
      { call: 1, exit_code: 0, stdout: expect.stringContaining("3") },
      { call: 2, exit_code: 1, stderr: expect.stringContaining("it went wrong") },
      { call: 3, is: "check" },
    ]);
    const { agent_calls } = await engine.call("get_evidence", { task_id: "task" });
    const effects = agent_calls.map(({ effect }: { effect: string }) => effect);
    expect(effects.slice(0, 3)).toEqual(["changes", "reads", "changes"]);
  });

  test("tools of a server out of scope are not offered, and orch refuses a call of one without a request", async () => {
    await using server = await startSdkServer();
    const script: Script = [calls(["sdk__create", { name: "one" }]), calls(check("test -d /")), finishing];
    await using world = await openAgentWorld(script, { env: { MCP_SDK_URL: server.url } });
    await using engine = await world.open();
    expect((await engine.submit(world.contract())).status).toBe("ok");
    expect(offeredIn(world)).toEqual(["finish", "shell", "edit_file"]);
    expect(answersTo(world)[0]).toMatchObject({
      refused: expect.stringContaining("server sdk is not in implicit_scope"),
    });
    expect(server.received).toEqual([]);
  });

  test("a call without a response is not repeated: orch continues with the supervisor's resolution", async () => {
    await using server = await startRawServer(
      afterHandshake(({ body }, response) => {
        if (body.method === "tools/list") {
          const tools = [{ name: "pay", inputSchema: { type: "object" } }];
          return sendJson(response, rpcResult(body.id, { tools }));
        }
        return response.socket?.destroy();
      }),
    );
    const script: Script = [calls(["bank__pay", { amount: 1 }]), calls(check("test -d /")), finishing];
    await using world = await openAgentWorld(script, { env: { MCP_BANK_URL: server.url } });
    await using engine = await world.open();
    const asks = await engine.submit(world.contract({ constraints: scope("shell", "bank") }));
    expect(asks).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "step_outcome_unknown", step_index: 0 },
    });
    const resolution = { task_id: "task", resolution: "succeeded", reason: "the bank shows it", wait_seconds: 20 };
    expect(await engine.call("resolve_step", resolution)).toMatchObject({ status: "ok" });
    expect(server.calls()).toHaveLength(1);
    expect(answersTo(world)[0]).toMatchObject({
      call: 0,
      status: "passed",
      stderr: expect.stringContaining("resolved by the supervisor as succeeded: the bank shows it"),
    });
  });

  test("names that a model cannot write are replaced, and an unreachable server is reported as missing", async () => {
    const tools = [
      { name: "döner.bestellen", inputSchema: { type: "object" } },
      { name: "x".repeat(120), inputSchema: { type: "object" } },
    ];
    await using server = await startRawServer(
      afterHandshake(({ body }, response) =>
        sendJson(response, rpcResult(body.id, body.method === "tools/list" ? { tools } : { content: [] })),
      ),
    );
    const env = { MCP_SHOP_URL: server.url, MCP_GONE_URL: "http://127.0.0.1:1/mcp" };
    await using world = await openAgentWorld(
      [calls(["shop__d_ner_bestellen", {}]), calls(check("test -d /")), finishing],
      {
        env,
      },
    );
    await using engine = await world.open();
    expect((await engine.submit(world.contract({ constraints: scope("shell", "shop", "gone") }))).status).toBe("ok");
    for (const name of offeredIn(world)) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(server.calls().map(({ body }) => body.params.name)).toEqual(["döner.bestellen"]);
    expect(JSON.parse(world.model.asked[0]?.messages[1]?.content ?? "")).toMatchObject({
      tool_servers_missing: [expect.stringMatching(/^gone: /)],
    });
  });
});

describe("the tools of a skill [2.skill.tools]", () => {
  function someNotes() {
    const model = createNotesModel();
    model.add({ note_id: "inbox", title: "Inbox", type: "book" });
    model.add({ note_id: "idea", title: "Idea", parents: ["inbox"], content: "so far" });
    return model;
  }

  test("are offered in their scope, and read, change and verify notes", async () => {
    await using notes = await startNotesServer("native", { model: someNotes() });
    const placed = { note_id: "idea", expected_parent_note_id: "inbox" };
    const script: Script = [
      calls(["notes__resolve_target_note", { title: "Idea" }]),
      calls(["notes__apply_note_change", { note_id: "idea", mode: "append", content: "and more" }]),
      calls(["notes__verify_tree_placement", placed]),
      done(["it lies in the inbox", 2]),
    ];
    await using world = await openAgentWorld(script, { env: { MCP_NOTES_URL: notes.url } });
    await using engine = await world.open();
    const over = { constraints: scope("notes"), success_criteria: ["it lies in the inbox"] };
    const view = await engine.submit(world.contract(over));
    expect(view).toMatchObject({ status: "ok", steps: [{ kind: "skill_tool", status: "passed" }, {}, {}] });
    expect(notes.model.note("idea")?.content).toContain("and more");
    expect(answersTo(world)).toMatchObject([
      { stdout: expect.stringContaining('"code":"resolved"') },
      { stdout: expect.stringContaining('"code":"changed"') },
      { stdout: expect.stringContaining('"code":"placed"') },
    ]);
  });

  test("a failed check proves nothing, and wrong arguments are reported by field", async () => {
    await using notes = await startNotesServer("native", { model: someNotes() });
    const elsewhere = { note_id: "idea", expected_parent_note_id: "root" };
    const script: Script = [
      calls(
        ["notes__verify_tree_placement", elsewhere],
        ["notes__fetch_note_tree", { root_note_id: "inbox", depth: 99 }],
      ),
      done([1, 0]),
    ];
    await using world = await openAgentWorld(script, { env: { MCP_NOTES_URL: notes.url } });
    await using engine = await world.open();
    const over = { constraints: scope("notes"), success_criteria: ["it lies elsewhere"] };
    expect(await engine.submit(world.contract(over))).toMatchObject({ status: "failed" });
    expect(answersTo(world).slice(0, 3)).toMatchObject([
      { exit_code: 1, stderr: expect.stringContaining("not_placed") },
      { not_a_call: expect.stringContaining("depth") },
      { not_a_call: expect.stringContaining('the check "notes__verify_tree_placement" does not count') },
    ]);
  });
});
