// Careless and hostile handlers: nothing happens without an approval or after the end of a task, no secret is in the
// evidence, and the server continues.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openEngine } from "../../../support/engine.ts";
import { openSkillEngine, openSkillEngines } from "../../../support/skill-engine.ts";

let skills: Awaited<ReturnType<typeof openSkillEngines>>;
beforeAll(async () => {
  skills = await openSkillEngines();
});
afterAll(() => skills[Symbol.asyncDispose]());

const REQUEST = 'await requestApproval(ctx, { action: "May I", details: ["do it"], data: {} })';
const FAULT = { status: "failed", outcome: { skill_code: "handler_fault" } };

describe("steps that race for a permit", () => {
  test("have no effect while the approval is pending, and one effect each after it [4.skill.approval]", async () => {
    const { run, effects, decide, faultsOf } = await skills.trial(`
      ${REQUEST};
      const worker = async (n) => {
        for (let turn = 0; turn < n; turn++) await Promise.resolve();
        return ctx.step("effect " + n, async () => effect("effect"));
      };
      await Promise.all(Array.from({ length: 40 }, (_, n) => worker(n)));
      return done();
    `);
    expect(await run("race")).toMatchObject({ status: "need_approval" });
    await sleep(20);
    expect(await effects()).toEqual([]);
    expect(await decide("race", "approve")).toMatchObject({ status: "ok" });
    expect(await effects()).toHaveLength(40);
    expect(await faultsOf("race")).toEqual([]);
  });

  test("do not start when an approval is requested at the moment of their start", async () => {
    const { run, effects, decide, faultsOf } = await skills.trial(`
      const early = ctx.step("early", async () => effect("early"));
      const id = ${REQUEST};
      await early;
      await waitForApproval(ctx, id);
      return done();
    `);
    await run("early");
    await sleep(20);
    expect(await effects()).toEqual([]);
    expect(await decide("early", "approve")).toMatchObject({ status: "ok" });
    expect(await effects()).toEqual(["early"]);
    expect(await faultsOf("early")).toEqual([]);
  });
});

describe("a handler that has ended", () => {
  test("has no further effect: no step, no call, no question, no progress", async () => {
    const { run, effects, faultsOf } = await skills.trial(`
      setTimeout(() => {
        void ctx.step("late", async () => effect("late"));
        void ctx.call("notes", "write", {});
        void requestApproval(ctx, { action: "Late", details: ["do it"], data: {} });
        ctx.progress(1, 1, "late");
      }, 30);
      return done();
    `);
    expect(await run("ended")).toMatchObject({ status: "ok" });
    await sleep(100);
    expect(await effects()).toEqual([]);
    expect(await faultsOf("ended")).toEqual([]);
  });

  test("withdraws its approval request when it does not wait for the answer", async () => {
    const { run, faultsOf } = await skills.trial(`${REQUEST}; return done();`);
    expect(await run("orphan")).toMatchObject({ status: "ok" });
    const { approvals } = await skills.engine.call("list_approvals", { thread_id: "orphan" });
    expect(approvals).toMatchObject([{ status: "superseded" }]);
    expect(await faultsOf("orphan")).toEqual([]);
  });
});

const nameless = (name: string) => `await ctx.step(${name}, async () => effect("ran")); return done();`;
test.each<[string, string, RegExp]>([
  [
    "that requests several approvals and waits for the first",
    `const ask = (n) => requestApproval(ctx, { action: "May I", details: [String(n)], data: { n } });
    const [one] = [await ask(1), await ask(2), await ask(3)];
    return await waitForApproval(ctx, one);`,
    /request one approval at a time/,
  ],
  ["with an invalid approval request", "await ctx.approvals.request({ action: 1 });", /./],
  ["that throws what has no words", 'throw { toString() { throw new Error("no words"); } };', /./],
  ["with a step without a name", nameless("undefined"), /a step needs a name/],
  ["with a step whose name is empty", nameless('""'), /a step needs a name/],
  ["with a step whose name is too long", nameless('"x".repeat(501)'), /at most 500/],
  ["with a number that is no JSON in its result", "return done({ big: 1n });", /BigInt/],
  ["with a result that is too large", 'return done("x".repeat(9_000_000));', /./],
])("a handler %s fails its task and has no effect", async (_what, body, words) => {
  const { name, run, effects, faultsOf } = await skills.trial(body);
  const task = await run(name);
  expect(task).toMatchObject(FAULT);
  expect(task.outcome.message).toMatch(words);
  expect(await effects()).toEqual([]);
  expect(await faultsOf(name)).toEqual([]);
});

test("a date in a result is stored as JSON", async () => {
  const { run } = await skills.trial("return done({ list: [new Date(0)] });");
  expect(await run("date")).toMatchObject({ status: "ok", result: { list: ["1970-01-01T00:00:00.000Z"] } });
});

test("a secret in the name of a step or in a code is not recorded", async () => {
  const secret = "glpat-abcdefghij0123456789";
  const code = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  const { run } = await skills.trial(`
    await ctx.step("log in with ${secret}", async () => 1);
    return { ...done(), code: "${code}" };
  `);
  expect(await run("secret")).toMatchObject({ status: "ok", outcome: { skill_code: "redacted" } });
  const evidence = JSON.stringify(await skills.engine.call("get_evidence", { task_id: "secret" }));
  expect(evidence).toContain("log in with");
  for (const hidden of [secret, code]) expect(evidence).not.toContain(hidden);
});

test("an unhandled failure of a step ends neither the task nor the server", async () => {
  const { run } = await skills.trial(`
    void ctx.step("fail", async () => { throw new Error("nobody looks"); });
    const late = ctx.step("fail later", async () => { throw new Error("too late"); });
    await sleep(50);
    return done({ late: await late.catch((error) => error.message) });
  `);
  expect(await run("unseen")).toMatchObject({ status: "ok", result: { late: "too late" } });
});

test("a handler cannot widen its own scope", async () => {
  const { run } = await skills.trial(`
    ctx.contract.constraints.implicit_scope.push("gitserver");
    task.constraints.implicit_scope.push("gitserver");
    await ctx.call("gitserver", "write", {});
    return done();
  `);
  expect(await run("wider")).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope" } });
});

test("a handler that does not stop is abandoned when its task is cancelled, and its target is free", async () => {
  const { run, engine, faultsOf } = await skills.trial(`
    if (task.payload.inside) await ctx.step("hang", () => new Promise(() => undefined));
    await new Promise(() => undefined);
  `);
  const submitted = [
    run("outside", { target: { service: "a" } }),
    run("inside", { target: { service: "b" }, payload: { inside: true } }),
  ];
  await expect.poll(async () => (await engine.call("get_task", { task_id: "inside" })).steps).toHaveLength(1);
  for (const task_id of ["outside", "inside"]) void engine.call("cancel_task", { task_id });
  expect(await Promise.all(submitted)).toMatchObject([
    { status: "cancelled", outcome: { message: "The supervisor cancelled the task." } },
    {
      status: "cancelled",
      outcome: { message: expect.stringContaining("A step of the skill did not stop and was ended.") },
    },
  ]);
  expect(await faultsOf("inside")).toEqual([]);
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
  const { run } = await skills.trial("return done();");
  const outcome = { reason_code: "mode_unavailable", message: expect.stringContaining("leave execution_backend out") };
  const elsewhere = await run("elsewhere", { execution_backend: "flowengine" });
  expect(elsewhere).toMatchObject({ status: "blocked", backend: "local", outcome });
  expect(await run("here")).toMatchObject({ status: "ok", backend: "local" });
});
