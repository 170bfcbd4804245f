// Where a task is, as its journal says, is where LangGraph was: the nodes that ran announced themselves, and `placeOf` names the same.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placeOf } from "../../../src/domain/place/place.ts";
import { check as checks, done, openAgentWorld, run } from "../../support/agent-engine.ts";
import { calls, type Script } from "../../support/agent-model.ts";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { once, watchNodes } from "../../support/ran-nodes.ts";
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

/** The way of a task, which is compared with what has run before it is returned. */
async function wayOf(task_id: string, { store }: Pick<Engine, "store"> = engine): Promise<string> {
  const journal = await store.readJournal(task_id);
  const { way, current } = placeOf(journal);
  // What is shown while it runs stays as it was shown.
  const ways = journal.map((_, at) => placeOf(journal.slice(0, at)).way.map(({ node }) => node));
  for (const nodes of ways) expect(way.map(({ node }) => node).slice(0, nodes.length)).toEqual(nodes);
  expect(once(way.map(({ node }) => node))).toEqual(watched.ranOf(task_id));
  const steps = way.map(({ node, answer }) => (answer === null || answer === "" ? node : `${node}: ${answer}`));
  return `${steps.join(" > ")}${current === null ? " (over)" : ""}`;
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
    expect(await wayOf("way-ok")).toBe(
      "admit: sop > look_up_sop: known > check_policy: allow > run_steps: completed > verify: pass > ok (over)",
    );
    const { place, edges } = await engine.call("get_graph", { task_id: "way-ok" });
    expect(place).toMatchObject({ task_id: "way-ok", current: null });
    expect(place.way[0]).toMatchObject({ node: "admit", answer: "sop", again: false });
    for (const [at, { node, answer }] of place.way.slice(0, -1).entries())
      expect(edges).toContainEqual({ source: node, answer, target: place.way[at + 1].node });
    await planted("way-red", [cmd("true"), check("false")]);
    expect(await wayOf("way-red")).toContain(
      "run_steps: broken > classify_error: final > verify: fail > failed (over)",
    );
  });

  test("shows that a step was tried again", async () => {
    const command = "test -e way-retry.ran || { touch way-retry.ran; exit 1; }";
    model.says(command, { error_type: "transient" });
    await planted("way-retry", [cmd(command), GREEN]);
    expect(await wayOf("way-retry")).toContain(
      "run_steps: broken > classify_error: worth_a_retry > run_steps: completed > verify",
    );
  });

  test("ends where it was blocked", async () => {
    await engine.run("way-none", KNOWN);
    expect(await wayOf("way-none")).toBe("admit: sop > look_up_sop: unknown > blocked (over)");
    await planted("way-deny", [cmd("rm -rf /"), GREEN]);
    expect(await wayOf("way-deny")).toContain("check_policy: deny > blocked (over)");
    await engine.run("way-elsewhere", { execution_backend: "flowengine" });
    expect(await wayOf("way-elsewhere")).toBe("admit: unavailable > blocked (over)");
  });

  test("waits where it asks, and goes on from there", async () => {
    await engine.run("way-taught");
    expect(await wayOf("way-taught")).toBe("admit: sop > look_up_sop: teachable > await_teaching");
    await engine.call("teach", { task_id: "way-taught", steps: [GREEN], wait_seconds: 30 });
    expect(await wayOf("way-taught")).toContain("await_teaching > check_policy: allow > run_steps");
  });

  test("leads over the human whom the routing model asks for, or not", async () => {
    model.says("echo risky", { requires_approval: true, matched_category: "data loss" });
    for (const decision of ["approve", "reject"]) {
      await planted(`way-${decision}`, [cmd("echo risky"), GREEN], ASKS);
      const asked = "check_policy: undecided > match_categories: ask > request_approval > await_approval";
      expect(await wayOf(`way-${decision}`)).toMatch(new RegExp(`${asked}$`));
      await decide(`way-${decision}`, decision);
      const end = decision === "approve" ? "run_steps: completed > verify: pass > ok" : "blocked";
      expect(await wayOf(`way-${decision}`)).toContain(`${asked}: ${decision} > ${end} (over)`);
    }
    await planted("way-harmless", [cmd("echo harmless"), GREEN], ASKS);
    expect(await wayOf("way-harmless")).toContain("check_policy: undecided > match_categories: allow > run_steps");
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
      expect(await wayOf(name)).toBe(
        `admit: update_sop > replace_sop: requested > await_replacement > settle_replacement: ${decision} > ${end} (over)`,
      );
    }
    await engine.run("way-new-none", { intent: "update_sop", payload: {} });
    expect(await wayOf("way-new-none")).toBe("admit: update_sop > replace_sop: refused > blocked (over)");
  });

  test("ends at the step in which it was cancelled, and nowhere when nothing ran", async () => {
    await engine.plant("deploy", engine.targetOf("way-cancel"), [engine.holding("way-cancel"), GREEN]);
    await engine.call("submit_task", engine.contract("way-cancel", KNOWN));
    await engine.begun("way-cancel");
    expect(await wayOf("way-cancel")).toContain("check_policy: allow > run_steps");
    await engine.call("cancel_task", { task_id: "way-cancel" });
    expect(await wayOf("way-cancel")).toContain("run_steps: cancelled > cancelled (over)");
    await engine.run("way-idle");
    await engine.call("cancel_task", { task_id: "way-idle" });
    expect(await wayOf("way-idle")).toBe("admit: sop > look_up_sop: teachable > await_teaching (over)");
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
  const again = "run_steps > admit: sop > look_up_sop: known > check_policy: allow > run_steps: outcome_unknown";
  expect(await wayOf(name, after)).toContain(`${again} > reconcile_step: undecided > await_resolution`);
  const { way } = placeOf(await after.store.readJournal(name));
  expect(way.filter((visit) => visit.again).map(({ node }) => node)).toEqual(["admit"]);
  await after.call("resolve_step", { task_id: name, resolution: "succeeded", wait_seconds: 30 });
  expect(await wayOf(name, after)).toContain("await_resolution > run_steps: completed > verify: pass > ok (over)");
});

describe("the way of a task of an agent", () => {
  test.each([
    ["plain", "run_agent: asks > await_agent_approval > run_agent: finished"],
    ["react", "run_agent: finished"],
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
    expect(await wayOf(task_id, agents)).toBe(`admit: agent > ${through} > verify_finish: pass > ok (over)`);
  });
});

test("the way of a skill leads over the approval for which it asks, and to the end that it gives", async () => {
  const body = `
    const id = await requestApproval(ctx, { action: "Switch", details: ["the lamp"], data: {} });
    const decided = await waitForApproval(ctx, id);
    if (decided.status !== "approved") return { status: "blocked", code: "no", message: "No." };
    return done(await ctx.step("switch", () => effect("switched")));`;
  await using skill = await openSkillEngine(body);
  const asked = "admit: skill > run_skill: asks > await_skill_approval";
  for (const [decision, end] of [
    ["approve", "ok"],
    ["reject", "blocked"],
  ] as const) {
    const name = `way-skill-${decision}`;
    await skill.run(name);
    expect(await wayOf(name, skill.engine)).toBe(asked);
    await skill.decide(name, decision);
    expect(await wayOf(name, skill.engine)).toBe(`${asked} > run_skill: ${end} > ${end} (over)`);
  }
});
