// The nodes that LangGraph ran of a task announce themselves. get_graph names the last of them.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check as checks, done, openAgentWorld, run } from "../../support/agent-engine.ts";
import { calls, type Script } from "../../support/agent-model.ts";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { watchNodes } from "../../support/ran-nodes.ts";
import { type RoutingModel, startRoutingModel } from "../../support/routing-model.ts";
import { openSkillEngine } from "../../support/skill-engine.ts";

const watched = watchNodes();
let model: RoutingModel;
let engine: Engine;
beforeAll(async () => {
  model = await startRoutingModel();
  engine = await openEngine({ env: model.env });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
  watched[Symbol.dispose]();
});

const KNOWN = { delegation_mode: "known_only" };
const ASKS = { constraints: { implicit_scope: [], require_approval_for: ["data loss"], max_minutes: 1 } };
const GREEN = check("test -d /");

/** The nodes that have run of a task. The place of the task is the last of them. */
async function wayOf(task_id: string, { call }: Pick<Engine, "call"> = engine): Promise<string> {
  const { place } = await call("get_graph", { task_id });
  const ran = watched.ranOf(task_id);
  const is_over = place.current === null;
  expect(place).toMatchObject({ task_id, way: [{ node: ran.at(-1), answer: null, again: false }] });
  if (!is_over) expect(place.current).toBe(ran.at(-1));
  return `${ran.join(" > ")}${is_over ? " (over)" : ""}`;
}

const decide = async (task_id: string, decision: string, { call, approvalOf }: Engine = engine) => {
  const { approval_id } = await approvalOf(task_id);
  await call("approve", { approval_id, decision, wait_seconds: 30 });
};

describe("the way of a task through a procedure", () => {
  const planted = async (name: string, steps: Parameters<Engine["plant"]>[2], over: object = {}) => {
    await engine.plant("deploy", engine.targetOf(name), steps);
    return engine.run(name, { ...KNOWN, ...over });
  };

  test("leads over its steps and checks to its end", async () => {
    await planted("way-ok", [cmd("true"), GREEN]);
    expect(await wayOf("way-ok")).toBe("admit > look_up_sop > check_policy > run_steps > verify > ok (over)");
    await planted("way-red", [cmd("true"), check("false")]);
    expect(await wayOf("way-red")).toContain("run_steps > classify_error > verify > failed (over)");
  });

  test("shows that a step was tried again", async () => {
    const command = "test -e way-retry.ran || { touch way-retry.ran; exit 1; }";
    model.says(command, { error_type: "transient" });
    await planted("way-retry", [cmd(command), GREEN]);
    expect(await wayOf("way-retry")).toContain("run_steps > classify_error > run_steps > verify");
  });

  test("ends where it was blocked", async () => {
    await engine.run("way-none", KNOWN);
    expect(await wayOf("way-none")).toBe("admit > look_up_sop > blocked (over)");
    await planted("way-deny", [cmd("rm -rf /"), GREEN]);
    expect(await wayOf("way-deny")).toContain("check_policy > blocked (over)");
    await engine.run("way-elsewhere", { execution_backend: "flowengine" });
    expect(await wayOf("way-elsewhere")).toBe("admit > blocked (over)");
  });

  test("waits where it asks, and goes on from there", async () => {
    await engine.run("way-taught");
    expect(await wayOf("way-taught")).toBe("admit > look_up_sop > await_teaching");
    await engine.call("teach", { task_id: "way-taught", steps: [GREEN], wait_seconds: 30 });
    expect(await wayOf("way-taught")).toContain("await_teaching > check_policy > run_steps");
  });

  test("leads over the human whom the routing model asks for, or not", async () => {
    model.says("echo risky", { requires_approval: true, matched_category: "data loss" });
    for (const decision of ["approve", "reject"]) {
      await planted(`way-${decision}`, [cmd("echo risky"), GREEN], ASKS);
      const asked = "check_policy > match_categories > request_approval > await_approval";
      expect(await wayOf(`way-${decision}`)).toMatch(new RegExp(`${asked}$`));
      await decide(`way-${decision}`, decision);
      const end = decision === "approve" ? "run_steps > verify > ok" : "blocked";
      expect(await wayOf(`way-${decision}`)).toContain(`${asked} > ${end} (over)`);
    }
    await planted("way-harmless", [cmd("echo harmless"), GREEN], ASKS);
    expect(await wayOf("way-harmless")).toContain("check_policy > match_categories > run_steps");
  });

  test("leads over its approval where it is a replacement", async () => {
    for (const decision of ["approve", "reject"]) {
      const name = `way-new-${decision}`;
      const { sop_id } = await engine.plant("deploy", engine.targetOf(name), [GREEN]);
      const payload = { intent: "deploy", target: engine.targetOf(name), steps: [cmd("true"), GREEN], sop_id };
      const { sop_id: _, ...update } = payload;
      await engine.run(name, { intent: "update_sop", payload: update });
      await decide(name, decision);
      const end = decision === "approve" ? "ok" : "blocked";
      expect(await wayOf(name)).toBe(`admit > replace_sop > await_replacement > settle_replacement > ${end} (over)`);
    }
    await engine.run("way-new-none", { intent: "update_sop", payload: {} });
    expect(await wayOf("way-new-none")).toBe("admit > replace_sop > blocked (over)");
  });

  test("ends at the step in which it was cancelled, and nowhere when nothing ran", async () => {
    await engine.plant("deploy", engine.targetOf("way-cancel"), [engine.holding("way-cancel"), GREEN]);
    await engine.call("submit_task", engine.contract("way-cancel", KNOWN));
    await engine.begun("way-cancel");
    expect(await wayOf("way-cancel")).toContain("check_policy > run_steps");
    await engine.call("cancel_task", { task_id: "way-cancel" });
    expect(await wayOf("way-cancel")).toContain("run_steps > cancelled (over)");
    await engine.run("way-idle");
    await engine.call("cancel_task", { task_id: "way-idle" });
    expect(watched.ranOf("way-idle")).toEqual(["admit", "look_up_sop", "await_teaching"]);
    const { place } = await engine.call("get_graph", { task_id: "way-idle" });
    expect(place).toMatchObject({ current: null, way: [{ node: "cancelled" }] });
  });
});

test("a task that a stop has cut off begins again at its first node, and asks about the step", async () => {
  await using before = await openEngine({ env: { ORCH_DRAIN_SECONDS: "0" } });
  const name = "way-cut";
  await before.plant("deploy", before.targetOf(name), [before.holding(name), GREEN]);
  await before.call("submit_task", before.contract(name, KNOWN));
  await before.begun(name);
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  await after.outcomeOf(name);
  const again = "run_steps > admit > look_up_sop > check_policy > run_steps";
  expect(await wayOf(name, after)).toContain(`${again} > reconcile_step > await_resolution`);
  await after.call("resolve_step", { task_id: name, resolution: "succeeded", wait_seconds: 30 });
  expect(await wayOf(name, after)).toContain("await_resolution > run_steps > verify > ok (over)");
});

describe("the way of a task of an agent", () => {
  test.each([
    ["plain", "run_agent > await_agent_approval > run_agent"],
    ["react", "run_agent"],
  ])("on the backend %s leads over the node in which it waits", async (agent_backend, through) => {
    model.says("echo risky >> made", { requires_approval: true, matched_category: "data loss" });
    const script: Script = [calls(run("echo risky >> made"), checks("test -s made")), done()];
    await using world = await openAgentWorld(script, { env: { AGENT_BACKEND: agent_backend, ...model.env } });
    await using agents = await world.open();
    const task_id = `way-${agent_backend}`;
    const constraints = { implicit_scope: ["shell"], require_approval_for: ["data loss"], max_minutes: 1 };
    await agents.call("submit_task", { ...world.contract({ task_id, constraints }), wait_seconds: 30 });
    await wayOf(task_id, agents);
    await decide(task_id, "approve", agents);
    expect(await wayOf(task_id, agents)).toBe(`admit > ${through} > verify_finish > ok (over)`);
  });
});

test("the way of a skill leads over the approval for which it asks, and to the end that it gives", async () => {
  const body = `
    const id = await requestApproval(ctx, { action: "Switch", details: ["the lamp"], data: {} });
    const decided = await waitForApproval(ctx, id);
    if (decided.status !== "approved") return { status: "blocked", code: "no", message: "No." };
    return done(await ctx.step("switch", () => effect("switched")));`;
  await using skill = await openSkillEngine(body);
  const asked = "admit > run_skill > await_skill_approval";
  for (const [decision, end] of [
    ["approve", "ok"],
    ["reject", "blocked"],
  ] as const) {
    const name = `way-skill-${decision}`;
    await skill.run(name);
    expect(await wayOf(name, skill.engine)).toBe(asked);
    await skill.decide(name, decision);
    expect(await wayOf(name, skill.engine)).toBe(`${asked} > run_skill > ${end} (over)`);
  }
});
