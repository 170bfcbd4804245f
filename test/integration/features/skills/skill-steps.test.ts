import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSkillEngines } from "../../../support/skill-engine.ts";

let skills: Awaited<ReturnType<typeof openSkillEngines>>;
beforeAll(async () => {
  skills = await openSkillEngines();
});
afterAll(() => skills[Symbol.asyncDispose]());

const ASK = `
  const approval_id = await requestApproval(ctx, { action: "Go on", details: ["go on"], data: {} });
  const decided = await waitForApproval(ctx, approval_id);
`;

describe("a step of a skill", () => {
  test("runs once, and returns its recorded value when the handler is started again [2.skill.handle] [1.A.7]", async () => {
    const trial = await skills.trial(`
      const first = await ctx.step("first", async () => ({ at: effect("first"), n: 1 }));
      const read = await ctx.step("read", async () => effect("read"), "repeat");
      ${ASK}
      const second = await ctx.step("second", async () => effect("second"));
      return done({ first, read, second, decision: decided.decision });
    `);
    const asked = await trial.run("once");
    expect(asked).toMatchObject({ status: "need_approval", outcome: { reason_code: "approval_required" } });
    expect(await trial.effects()).toEqual(["first", "read"]);
    const ended = await trial.decide("once", "approve");
    expect(ended).toMatchObject({ status: "ok", outcome: { reason_code: "skill_done", skill_code: "done" } });
    expect(ended.result).toEqual({ first: { at: "first", n: 1 }, read: "read", second: "second", decision: "approve" });
    expect(await trial.effects()).toEqual(["first", "read", "second"]);
    expect(ended.steps).toMatchObject([
      { index: 0, kind: "skill", command: "first", status: "passed", attempt: 1 },
      { index: 1, command: "read" },
      { index: 2, command: "second" },
    ]);
  });

  test("that throws fails in the same way after a restart, and the handler may continue after it", async () => {
    const trial = await skills.trial(`
      const failed = await ctx.step("break", async () => { effect("break"); throw new Error("no lamp"); }).catch((e) => e.message);
      ${ASK}
      return done({ failed });
    `);
    await trial.run("throws");
    expect((await trial.decide("throws", "approve")).result).toEqual({ failed: "no lamp" });
    expect(await trial.effects()).toEqual(["break"]);
  });

  test("has failed when its value says ok: false, and returns the same value after a restart", async () => {
    const trial = await skills.trial(`
      const refused = await ctx.step("refused", async () => ({ ok: false, code: "full", message: effect("no room") }));
      const answer = await ctx.step("answer", async () => ({ ok: false, stderr: "no tool" }), "repeat");
      ${ASK}
      return done({ refused, answer });
    `);
    await trial.run("refused");
    const { result, steps } = await trial.decide("refused", "approve");
    expect(result).toMatchObject({ refused: { code: "full" }, answer: { stderr: "no tool" } });
    expect(steps).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    const { skill_steps } = await trial.engine.call("get_evidence", { task_id: "refused" });
    expect(skill_steps.map(({ message }: { message: string }) => message)).toEqual(["no room", "no tool"]);
    expect(await trial.effects()).toEqual(["no room"]);
  });

  test("returns a JSON value, the same each time", async () => {
    const trial = await skills.trial(`
      const given = await ctx.step("give", async () => ({ at: new Date(0), none: undefined, n: NaN, list: [undefined] }));
      const nothing = await ctx.step("give nothing", async () => undefined);
      ${decidedTwice}
      return done({ given, nothing, before });
    `);
    await trial.run("json");
    const { result } = await trial.decide("json", "approve");
    const given = { at: "1970-01-01T00:00:00.000Z", n: null, list: [null] };
    expect(result).toEqual({ given, nothing: null, before: "object string" });
  });

  test("runs to its end when the handler does not await it", async () => {
    const trial = await skills.trial(`
      void ctx.step("slow", async () => { await sleep(200); return effect("slow"); });
      return done();
    `);
    const task = await trial.run("unawaited");
    expect(task).toMatchObject({ status: "ok", steps: [{ command: "slow", status: "passed" }] });
    expect(await trial.effects()).toEqual(["slow"]);
  });

  test("that runs while the handler asks for an approval ends before the task pauses, and no other starts", async () => {
    const trial = await skills.trial(`
      const slow = ctx.step("slow", async () => { await sleep(200); return effect("slow"); }, "repeat");
      const [, decided] = await Promise.all([
        slow.then(() => ctx.step("late", async () => effect("late"))),
        requestApproval(ctx, { action: "Go on", details: ["do it"], data: {} }).then((id) => waitForApproval(ctx, id)),
      ]);
      return done();
    `);
    expect(await trial.run("beside")).toMatchObject({ status: "need_approval" });
    expect(await trial.effects()).toEqual(["slow"]);
    expect(await trial.decide("beside", "approve")).toMatchObject({ status: "ok" });
    expect(await trial.effects()).toEqual(["slow", "late"]);
  });
});

const nested = "let v = 1; for (let i = 0; i < 40; i++) v = [v];";
test.each<[string, string, RegExp]>([
  ["a name twice", 'for (const n of [1, 2]) await ctx.step("a", async () => n);', /two steps .* "a"/],
  ["a step in a step", 'await ctx.step("a", () => ctx.step("b", async () => 1));', /step "b" is inside another/],
  ["a value that is too large", 'await ctx.step("a", async () => "x".repeat(9e6));', /its value is larger than/],
  ["a value that is nested too deep", `${nested} await ctx.step("a", async () => v);`, /nested deeper/],
  ["no end", "return;", /its end is not valid: end /],
  ["an unknown status", 'return { ...done(), status: "fine" };', /its end is not valid: status /],
  ["a code that is none", 'return { ...done(), code: "It worked" };', /its end is not valid: code /],
  ["an error", 'throw new Error("no lamp");', /broke off: no lamp/],
  ["what is no error", 'throw "no lamp";', /broke off: no lamp/],
])("a handler with %s fails its task with a message [3.rule.4.phase] [7.7]", async (_what, body, message) => {
  const { name, run } = await skills.trial(`${body}\nreturn done();`);
  const task = await run(name);
  const outcome = { reason_code: "skill_failed", skill_code: "handler_fault" };
  expect(task).toMatchObject({ status: "failed", outcome });
  expect(task.outcome.message).toMatch(message);
});

// The type of a step's value, before and after a pause.
const decidedTwice = `
  const before = typeof given + " " + typeof given.at;
  ${ASK}
`;

describe("the result of a handler", () => {
  test("is reported to the supervisor, with its own code, advice and result [3.rule.4.phase]", async () => {
    const trial = await skills.trial(
      'return { status: "blocked", code: "no_lamp", message: "No lamp.", next: "buy one", result: [1] };',
    );
    const task = await trial.run("told");
    const outcome = { status: "blocked", reason_code: "skill_blocked", skill_code: "no_lamp", message: "No lamp." };
    expect(task).toMatchObject({
      status: "blocked",
      outcome: { ...outcome, next: [{ operation: null, arguments: {}, text: "buy one" }] },
      result: [1],
    });
    const evidence = await trial.engine.call("get_evidence", { task_id: "told" });
    expect(evidence).toMatchObject({ skill_end: { code: "no_lamp", result: [1] }, skill_steps: [] });
  });

  test("holds no secret of a well-known format, and neither does the value of a step", async () => {
    const trial = await skills.trial(`
      const token = "ghp_" + "a".repeat(36);
      const kept = await ctx.step("take " , async () => ({ token, list: [token] }));
      return { ...done({ kept }), message: "It is " + token };
    `);
    const evidence = JSON.stringify([
      await trial.run("secret"),
      await trial.engine.call("get_evidence", { task_id: "secret" }),
    ]);
    expect(evidence).not.toContain("ghp_aaaa");
    expect(evidence).toContain("It is ");
  });
});
