// Careless and hostile handlers: nothing happens without an approval or after the end of a task, no secret is in the
// evidence, and the server continues.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { openEngine } from "../../../support/engine.ts";
import { openSkillEngine } from "../../../support/skill-engine.ts";

const REQUEST = 'await requestApproval(ctx, { action: "May I", details: ["do it"], data: {} })';

type Trial = Awaited<ReturnType<typeof openSkillEngine>>;

const faultsOf = async ({ engine }: Pick<Trial, "engine">, task_id: string) =>
  verifyBundle(JSON.parse(JSON.stringify(await engine.call("get_evidence", { task_id })))).faults;

describe("steps that race for a permit", () => {
  const RACE = `
    const worker = async (n) => {
      for (let turn = 0; turn < n; turn++) await Promise.resolve();
      return ctx.step("effect " + n, async () => effect("effect"));
    };
    await Promise.all(Array.from({ length: 40 }, (_, n) => worker(n)));
    return done();
  `;

  test("have no effect while the approval is pending, and one effect each after it [4.skill.approval]", async () => {
    await using trial = await openSkillEngine(`${REQUEST}; ${RACE}`);
    expect(await trial.run("race")).toMatchObject({ status: "need_approval" });
    await sleep(20);
    expect(await trial.effects()).toEqual([]);
    expect(await trial.decide("race", "approve")).toMatchObject({ status: "ok" });
    expect(await trial.effects()).toHaveLength(40);
    expect(await faultsOf(trial, "race")).toEqual([]);
  });

  test("do not start when an approval is requested at the moment of their start", async () => {
    await using trial = await openSkillEngine(`
      const early = ctx.step("early", async () => effect("early"));
      const id = ${REQUEST};
      await early;
      await waitForApproval(ctx, id);
      return done();
    `);
    await trial.run("early");
    await sleep(20);
    const before = await trial.effects();
    expect(await trial.decide("early", "approve")).toMatchObject({ status: "ok" });
    expect(before).toEqual([]);
    expect(await trial.effects()).toEqual(["early"]);
    expect(await faultsOf(trial, "early")).toEqual([]);
  });
});

describe("a handler that has ended", () => {
  test("has no further effect: no step, no call, no question, no progress", async () => {
    await using trial = await openSkillEngine(`
      setTimeout(() => {
        void ctx.step("late", async () => effect("late"));
        void ctx.call("notes", "write", {});
        void requestApproval(ctx, { action: "Late", details: ["do it"], data: {} });
        ctx.progress(1, 1, "late");
      }, 30);
      return done();
    `);
    expect(await trial.run("ended")).toMatchObject({ status: "ok" });
    await sleep(100);
    expect(await trial.effects()).toEqual([]);
    expect(await faultsOf(trial, "ended")).toEqual([]);
  });

  test("withdraws its approval request when it does not wait for the answer", async () => {
    await using trial = await openSkillEngine(`${REQUEST}; return done();`);
    expect(await trial.run("orphan")).toMatchObject({ status: "ok" });
    const { approvals } = await trial.engine.call("list_approvals", { thread_id: "orphan" });
    expect(approvals).toMatchObject([{ status: "superseded" }]);
    expect(await faultsOf(trial, "orphan")).toEqual([]);
  });
});

test("a handler that requests several approvals and waits for the first fails with a hint", async () => {
  await using trial = await openSkillEngine(`
    const ask = (n) => requestApproval(ctx, { action: "May I", details: [String(n)], data: { n } });
    const [one] = [await ask(1), await ask(2), await ask(3)];
    return await waitForApproval(ctx, one);
  `);
  const task = await trial.run("two");
  expect(task).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
  expect(task.outcome.message).toContain("request one approval at a time");
  expect(await faultsOf(trial, "two")).toEqual([]);
});

test.each(["42", "{}", "undefined", '""', '"x".repeat(501)'])("a step with the name %s is refused", async (name) => {
  await using trial = await openSkillEngine(`await ctx.step(${name}, async () => effect("ran")); return done();`);
  const task = await trial.run("nameless");
  expect(task).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
  expect(task.outcome.message).toMatch(/a step needs a name|at most 500/);
  expect(await trial.effects()).toEqual([]);
});

test("a secret in the name of a step or in a code is not recorded", async () => {
  const secret = "glpat-abcdefghij0123456789";
  const code = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  await using trial = await openSkillEngine(`
    await ctx.step("log in with ${secret}", async () => 1);
    return { ...done(), code: "${code}" };
  `);
  expect(await trial.run("secret")).toMatchObject({ status: "ok", outcome: { skill_code: "redacted" } });
  const evidence = JSON.stringify(await trial.engine.call("get_evidence", { task_id: "secret" }));
  expect(evidence).toContain("log in with");
  expect(evidence).not.toContain(secret);
  expect(evidence).not.toContain(code);
});

test("an unhandled failure of a step ends neither the task nor the server", async () => {
  await using trial = await openSkillEngine(`
    void ctx.step("fail", async () => { throw new Error("nobody looks"); });
    const late = ctx.step("fail later", async () => { throw new Error("too late"); });
    await sleep(50);
    return done({ late: await late.catch((error) => error.message) });
  `);
  expect(await trial.run("unseen")).toMatchObject({ status: "ok", result: { late: "too late" } });
});

test("a handler cannot widen its own scope", async () => {
  await using trial = await openSkillEngine(`
    ctx.contract.constraints.implicit_scope.push("gitserver");
    task.constraints.implicit_scope.push("gitserver");
    await ctx.call("gitserver", "write", {});
    return done();
  `);
  expect(await trial.run("wider")).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope" } });
});

test("a handler that does not stop is abandoned when its task is cancelled, and its target is free", async () => {
  await using trial = await openSkillEngine(`
    if (task.payload.inside) await ctx.step("hang", () => new Promise(() => undefined));
    await new Promise(() => undefined);
  `);
  const { engine } = trial;
  const target = (service: string) => ({ target: { service } });
  const submitted = [
    trial.run("outside", target("a")),
    trial.run("inside", { ...target("b"), payload: { inside: true } }),
  ];
  await expect.poll(async () => (await engine.call("get_task", { task_id: "inside" })).steps).toHaveLength(1);
  for (const task_id of ["outside", "inside"]) void engine.call("cancel_task", { task_id });
  const cancelled = await Promise.all(submitted);
  expect(cancelled.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  const [outside, inside] = cancelled.map(({ outcome }) => outcome.message);
  expect(outside).toBe("The supervisor cancelled the task.");
  expect(inside).toContain("A step of the skill did not stop and was ended.");
  expect(await faultsOf(trial, "inside")).toEqual([]);
});

test("a task that has begun and whose skill was removed is blocked, and not taught or looked up", async () => {
  await using trial = await openSkillEngine(
    `await ctx.step("one", async () => effect("one")); ${REQUEST}; await ctx.step("two", async () => 2);`,
  );
  expect(await trial.run("gone", { delegation_mode: "teach_if_unknown" })).toMatchObject({ status: "need_approval" });
  const { approval_id } = await trial.engine.approvalOf("gone");
  await trial.engine.shutDown();
  await using without = await openEngine({ directory: trial.engine.directory });
  await without.call("approve", { approval_id, decision: "approve" });
  expect(await without.outcomeOf("gone")).toMatchObject({
    status: "blocked",
    outcome: { reason_code: "mode_unavailable", message: expect.stringContaining("No skill handles") },
  });
});

test("a contract for a skill on a flow engine is blocked, and a skill's task names its backend", async () => {
  await using trial = await openSkillEngine("return done();");
  const elsewhere = await trial.run("elsewhere", { execution_backend: "flowengine" });
  expect(elsewhere).toMatchObject({
    status: "blocked",
    backend: "local",
    outcome: { reason_code: "mode_unavailable" },
  });
  expect(elsewhere.outcome.message).toContain("leave execution_backend out");
  expect(await trial.run("here")).toMatchObject({ status: "ok", backend: "local" });
});

test.each(["{ big: 1n }", "{ list: [new Date(0)] }", '{ text: "x".repeat(9_000_000) }'])(
  "a result %s is stored as JSON, or fails the task",
  async (result) => {
    await using trial = await openSkillEngine(`return done(${result});`);
    const task = await trial.run("odd");
    if (result.includes("Date"))
      expect(task).toMatchObject({ status: "ok", result: { list: ["1970-01-01T00:00:00.000Z"] } });
    else expect(task).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
  },
);

test("any thrown value, and an invalid approval request, is a fault of the handler", async () => {
  await using trial = await openSkillEngine(`
    if (task.payload.ask) await ctx.approvals.request({ action: 1 });
    throw { toString() { throw new Error("no words"); } };
  `);
  for (const [task_id, ask] of [
    ["thrown", false],
    ["asked", true],
  ] as const) {
    const task = await trial.run(task_id, { payload: { ask } });
    expect(task).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
  }
});
