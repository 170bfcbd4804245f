// Active procedures as tools of their own, over a real engine: a supervisor calls what it has taught, and learns when the list changes.
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, test } from "vitest";
import { messageHeaders } from "../../../src/api/mcp/stdio.ts";
import type { Change } from "../../../src/domain/change.ts";
import { readEvents } from "../../../src/http-client/event-stream.ts";
import { check, cmd } from "../../support/builders.ts";
import { openEngine } from "../../support/engine.ts";
import { held } from "../../support/held.ts";
import { APPROVER_TOKEN, bearer, TOKEN } from "../../support/http-endpoint.ts";
import { startBridge } from "../../support/mcp-bridge.ts";
import type { McpSupervisor } from "../../support/mcp-client.ts";
import { rpc, startMcp } from "../../support/mcp-endpoint.ts";

let changes = 0;
const engine = held(await openEngine({ env: { ORCH_SOP_TOOLS: "on" } }));
const { operations, sop_tools } = engine;
const endpoint = held(await startMcp({ operations, sop_tools, approver: true }));
const supervisor = held(await endpoint.connect());
supervisor.client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
  changes += 1;
});

const offered = async ({ client }: McpSupervisor = supervisor): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith("run_"));
const tasks = async () => (await engine.call("list_tasks", { limit: 500 })).tasks.length;
/** Resolves once the client has learned of a change that `act` caused. */
async function changing(act: () => Promise<unknown>): Promise<void> {
  const before = changes;
  await act();
  await expect.poll(() => changes, { timeout: 10_000 }).toBeGreaterThan(before);
}
const retire = (sop_id: string) => {
  const change: Change = { on: "sop", sop_id, expect: { status: "active" }, set: { status: "deprecated" } };
  return engine.store.commit({ thread_id: `retire/${sop_id}`, after: null, events: [], changes: [change] });
};
const planted = (name: string, over: object = {}, intent = "restart") =>
  engine.plant(intent, { service: name }, [cmd("true"), check("test -d /")], over);

describe("a supervisor", () => {
  test("calls what it taught as a tool, until it is retired", async () => {
    const target = engine.targetOf("site");
    const steps = [cmd('echo "$ORCH_TASK_ID" >> runs'), check("test -s runs")];
    const { sop } = await engine.call("teach", { intent: "deploy", target, steps });
    expect(await offered()).toEqual([]);
    const { approval_id } = await engine.approvalOf(`promotion/${sop.sop_id}`);
    await using approver = await endpoint.connect(APPROVER_TOKEN);
    await changing(() => approver.call("approve", { approval_id, decision: "approve" }));
    const [name = ""] = await offered();
    expect(name).toMatch(/^run_deploy_service_site_[0-9a-f]{6}$/);

    // The first run of a promoted version asks: the tool has no way past an approval.
    expect(await supervisor.call(name, { task_id: "first" })).toMatchObject({ status: "need_approval" });
    await engine.call("approve", { task_id: "first", decision: "approve", wait_seconds: 30 });
    const done = await supervisor.call(name);
    expect(done).toMatchObject({
      status: "ok",
      intent: "deploy",
      target,
      delegation_mode: "known_only",
      sop_id: sop.sop_id,
      task_id: expect.stringMatching(/^deploy-\d{8}-\d{6}-[0-9a-f]{4}$/),
    });
    expect(engine.linesOf("runs")).toEqual(["first", done.task_id]);

    await changing(() => retire(sop.sop_id));
    expect(await offered()).toEqual([]);
    const before = await tasks();
    expect(await supervisor.fault(name)).toMatchObject({
      code: "sop_not_found",
      detail: expect.stringMatching(/No active SOP has the tool "run_deploy_.*Nothing was submitted\./),
      fix: expect.stringContaining("submit_task"),
    });
    expect(await tasks()).toBe(before);
  });

  test("gets the same task for the same task_id, and a new one without", async () => {
    await planted("twice");
    const run = (input: object) => supervisor.call("run_restart_service_twice", input);
    const first = await run({ task_id: "twice-1" });
    expect(await run({ task_id: "twice-1", wait_seconds: 0 })).toMatchObject({ created_at: first.created_at });
    const [one, two] = [await run({}), await run({})];
    expect(new Set([first.task_id, one.task_id, two.task_id]).size).toBe(3);
    expect(await engine.call("get_evidence", { task_id: one.task_id })).toMatchObject({
      contract: { requested_by: "supervisor", constraints: { implicit_scope: [], require_approval_for: [] } },
    });
  });

  test("learns every wrong field, and nothing is submitted", async () => {
    await planted("strict");
    const before = await tasks();
    const wrong = { task_id: "-", wait_seconds: 99, implicit_scope: ["shell"] };
    const { code, issues } = await supervisor.fault("run_restart_service_strict", wrong);
    expect([code, issues.map(({ path }: { path: string }) => path)]).toEqual([
      "input_invalid",
      ["task_id", "wait_seconds", "implicit_scope"],
    ]);
    expect(await tasks()).toBe(before);
  });

  test("without the scope to submit is refused", async () => {
    await planted("scoped");
    await using approver = await endpoint.connect(APPROVER_TOKEN);
    expect(await offered(approver)).toContain("run_restart_service_scoped");
    expect(await approver.fault("run_restart_service_scoped")).toMatchObject({
      code: "forbidden",
      detail: "submit_task needs a token with the scope submit.",
    });
  });

  test("is not offered what no contract can run by its steps", async () => {
    await planted("odd", {}, "update_sop");
    await planted("odd", {}, "reorganize_notes_tree");
    expect((await offered()).filter((name) => name.includes("odd"))).toEqual([]);
  });
});

describe("the list of tools", () => {
  test("holds the 30 most used, and the next one can be called all the same", async () => {
    for (let n = 0; n < 31; n += 1) await planted(`n${n}`, { success_count: 1000 - n });
    const names = await offered();
    expect(names).toEqual(Array.from({ length: 30 }, (_, n) => `run_restart_service_n${n}`));
    expect(await supervisor.call("run_restart_service_n30")).toMatchObject({ status: "ok" });
  });
});

test("a client on stdin learns that the list has changed", async () => {
  const bridge = startBridge(endpoint.url, TOKEN);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "a", version: "1" } };
  bridge.send(rpc("initialize", params));
  expect(await bridge.next()).toMatchObject({ result: { capabilities: { tools: { listChanged: true } } } });
  bridge.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  let isHeard = false;
  const heard = bridge.next().finally(() => {
    isHeard = true;
  });
  // The bridge connects when it is initialized: a change before that is in the list that the client then reads.
  for (let n = 0; !isHeard; n += 1) {
    await planted(`stdin${n}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await heard).toEqual({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  bridge.stdin.end();
  expect(await bridge.exited).toBe(0);
});

test("a client of the revision 2026-07-28 subscribes to changes of the list", async () => {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
  };
  const params = { notifications: { toolsListChanged: true }, _meta };
  const message = { jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params } as const;
  const accept = "application/json, text/event-stream";
  const { body } = await endpoint.send(message, {
    accept,
    ...messageHeaders(message, undefined),
  });
  const heard: unknown[] = [];
  const reading = (async () => {
    for await (const { data } of readEvents(body ?? new ReadableStream())) {
      heard.push(JSON.parse(data).method);
      if (heard.length === 2) return;
    }
  })();
  await expect.poll(() => heard).toEqual(["notifications/subscriptions/acknowledged"]);
  await planted("subscribed");
  await reading;
  expect(heard[1]).toBe("notifications/tools/list_changed");
});

test("without the setting there is no such tool, no announcement and no stream", async () => {
  await using plain = await openEngine();
  await plain.plant("restart", { service: "web" }, [check("test -d /")]);
  const off = await startMcp({ operations: plain.operations, sop_tools: plain.sop_tools });
  try {
    await using client = await off.connect();
    expect(await offered(client)).toEqual([]);
    expect(client.client.getServerCapabilities()?.tools).toEqual({});
    await expect(client.call("run_restart_service_web")).rejects.toMatchObject({ code: -32602 });
    expect((await fetch(`${off.url}/mcp`, { headers: bearer() })).status).toBe(405);
  } finally {
    await off.stop();
  }
});
