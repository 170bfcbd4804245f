import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvalDigest } from "../../../../src/domain/approval.ts";
import { answers, startOllama } from "../../../simulators/ollama/ollama.ts";
import { openSkillEngine, openSkillEngines } from "../../../support/skill-engine.ts";

let skills: Awaited<ReturnType<typeof openSkillEngines>>;
beforeAll(async () => {
  skills = await openSkillEngines();
});
afterAll(() => skills[Symbol.asyncDispose]());

const asking = (data: string, behind = "") => `
  const id = await requestApproval(ctx, { action: "Move a note", details: ["move a"], data: ${data} });
  const decided = await waitForApproval(ctx, id);
  if (decided.decision === "reject") return notApproved(decided);
  ${behind}
`;
const REQUEST = 'await requestApproval(ctx, { action: "May I", details: ["do it"], data: {} })';
const ACT = 'await ctx.step("act", async () => effect("act")); return done();';

describe("what a skill asks", () => {
  test("is shown whole, and carried out once it is approved [4.skill.approval]", async () => {
    const trial = await skills.trial(asking('{ note: "a" }', ACT));
    const asked = await trial.run("asks", { target: { service: "wiki" } });
    expect(asked).toMatchObject({
      status: "need_approval",
      outcome: { message: expect.stringContaining("Move a note. 1 line to be read") },
    });
    expect(await trial.engine.approvalOf("asks")).toMatchObject({
      kind: "skill",
      reason: "Move a note",
      content: { intent: "try_out", action: "Move a note", details: ["move a"], data: { note: "a" } },
    });
    expect(await trial.effects()).toEqual([]);
    expect(await trial.decide("asks", "approve")).toMatchObject({ status: "ok" });
    expect(await trial.effects()).toEqual(["act"]);
  });

  test("covers where it runs, as the task was accepted, and not what the handler says of it", async () => {
    const trial = await skills.trial(asking('{ note: "a" }, runs_on: ["other"]', ACT));
    await trial.run("placed", { runs_on: ["host:house"] });
    const { content, digest } = await trial.engine.approvalOf("placed");
    expect(content).toMatchObject({ runs_on: ["host:house"] });
    const { runs_on: _labels, ...elsewhere } = content;
    expect([approvalDigest(content) === digest, approvalDigest(elsewhere) === digest]).toEqual([true, false]);
    expect(await trial.decide("placed", "approve")).toMatchObject({ status: "ok" });
    await trial.run("anywhere");
    expect((await trial.engine.approvalOf("anywhere")).content).not.toHaveProperty("runs_on");
  });

  test.each(["[]", '["", "  "]'])("blocks the task when its details are %s: nothing is to be read", async (details) => {
    const trial = await skills.trial(`
      const asked = { action: "Move it all", details: ${details}, data: {} };
      await requestApproval(ctx, asked).catch(() => "none");
      ${ACT}
    `);
    const task = await trial.run(trial.name);
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_empty" } });
    expect(task.outcome.message).toContain('nothing to read ("Move it all"): details must name, line by line');
    expect(await trial.effects()).toEqual([]);
    expect((await trial.engine.call("list_approvals", { thread_id: trial.name })).approvals).toEqual([]);
  });

  test.each([
    ["with the reason", asking("{}", ACT)],
    ["also where its handler ignores the rejection", `await waitForApproval(ctx, ${REQUEST}); ${ACT}`],
  ])("blocks the task when it is rejected, %s [3.rule.4] [7.7] [4.skill.approval]", async (_what, body) => {
    const trial = await skills.trial(body);
    await trial.run(trial.name);
    const outcome = { reason_code: "approval_rejected", message: "The approval was rejected: not today." };
    const task = await trial.decide(trial.name, "reject", { reason: "not today" });
    expect(task).toMatchObject({ status: "blocked", outcome });
    expect(await trial.effects()).toEqual([]);
  });

  test("is decided before anything is changed, though the handler does not wait for it", async () => {
    const trial = await skills.trial(`${REQUEST}; ${ACT}`);
    expect(await trial.run("hasty")).toMatchObject({ status: "need_approval" });
    expect(await trial.effects()).toEqual([]);
    expect(await trial.decide("hasty", "approve")).toMatchObject({ status: "ok" });
  });

  test("twice in the same words is asked once; other words are asked anew, and take the place of what is open", async () => {
    const trial = await skills.trial(`
      const ask = (n) => requestApproval(ctx, { action: "Move", details: ["do it"], data: { n } });
      const ids = [await ask(1), await ask(1), await ask(2)];
      await waitForApproval(ctx, ids[2]);
      return done(ids);
    `);
    await trial.run("twice");
    const { result } = await trial.decide("twice", "approve");
    expect(result[0]).toBe(result[1]);
    expect(result[2]).not.toBe(result[0]);
    const { approvals } = await trial.engine.call("list_approvals", { thread_id: "twice" });
    expect(approvals.map(({ status }: { status: string }) => status)).toEqual(["superseded", "approved"]);
  });

  test("that changes between approval and execution is asked again: the decision was about something else", async () => {
    const trial = await skills.trial(`
      const n = await sleep(1).then(() => effect("look")) && performance.now();
      ${asking("{ n }", ACT)}
    `);
    await trial.run("moving");
    expect(await trial.decide("moving", "approve")).toMatchObject({ status: "need_approval" });
    expect(await trial.effects()).toEqual(["look", "look"]);
  });

  test("is not asked inside a step, which could not be left", async () => {
    const trial = await skills.trial(`await ctx.step("inside", async () => { ${asking("{}")} });`);
    const task = await trial.run("inside");
    expect(task).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
    expect(task.outcome.message).toContain("an approval is requested inside a step");
  });
});

describe("with categories in require_approval_for", () => {
  const constraints = { implicit_scope: [], require_approval_for: ["moving notes"] };
  const body = `
    await ctx.step("look", async () => effect("look"), "repeat");
    for (const name of ["first", "second"]) await ctx.step(name, async () => effect(name));
    return done();
  `;

  test("a human is asked before the first change and not before reading, once for the task [5.policy.approval] [5.policy.read]", async () => {
    const trial = await skills.trial(body);
    expect(await trial.run("asked", { constraints, payload: { note: "n1" } })).toMatchObject({
      status: "need_approval",
    });
    expect(await trial.effects()).toEqual(["look"]);
    const { content } = await trial.engine.approvalOf("asked");
    expect(content).toMatchObject({ data: { note: "n1" }, details: ["{", '  "note": "n1"', "}"] });
    expect(await trial.decide("asked", "approve")).toMatchObject({ status: "ok" });
    expect(await trial.effects()).toEqual(["look", "first", "second"]);
  });

  test("the model may say that nothing needs to be asked, and is asked once", async () => {
    await using model = await startOllama(answers({ requires_approval: false }));
    await using trial = await openSkillEngine(body, { env: { ROUTING_MODEL: "m", ROUTING_URL: model.base_url } });
    expect(await trial.run("free", { constraints })).toMatchObject({ status: "ok" });
    expect(model.asked).toHaveLength(1);
  });

  test("a handler that asks by itself asks for all of it", async () => {
    const trial = await skills.trial(asking("{}", ACT));
    await trial.run("itself", { constraints });
    expect(await trial.decide("itself", "approve")).toMatchObject({ status: "ok" });
    const { approvals } = await trial.engine.call("list_approvals", { thread_id: "itself" });
    expect(approvals).toHaveLength(1);
  });
});
