// A handler whose process dies in the middle of a task: what it was changing is asked about, and nothing else is touched.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEngine } from "../../../support/engine.ts";
import { openSkillEngine, openSkillEngines } from "../../../support/skill-engine.ts";

let skills: Awaited<ReturnType<typeof openSkillEngines>>;
beforeAll(async () => {
  skills = await openSkillEngines();
});
afterAll(() => skills[Symbol.asyncDispose]());

const DIES_ONCE = `
  await ctx.step("before", async () => effect("before"));
  await ctx.step("within", async () => { effect("within"); process.kill(process.pid, "SIGKILL"); await sleep(9_000); return 1; });
  await ctx.step("after", async () => effect("after"));
  return done();
`;

test("a step that changes something, and within which its handler dies, is asked about and not repeated [2.skill.handle]", async () => {
  const trial = await skills.trial(DIES_ONCE);
  expect(await trial.run("dies")).toMatchObject({ status: "need_input", waiting: { index: 1 } });
  const call = { task_id: "dies", resolution: "succeeded", reason: "the line is there", wait_seconds: 20 };
  expect(await trial.engine.call("resolve_step", call)).toMatchObject({ status: "ok" });
  expect(await trial.effects()).toEqual(["before", "within", "after"]);
  expect(await trial.faultsOf("dies")).toEqual([]);
});

test("a step that the supervisor says failed throws what the supervisor said, and one that succeeded gives null [2.skill.handle]", async () => {
  const trial = await skills.trial(`
    const dies = async () => { process.kill(process.pid, "SIGKILL"); await sleep(9_000); return 1; };
    const look = async () => effect("looked");
    return done(await ctx.step("within", dies, look).catch((error) => error.message));
  `);
  const resolved = async (task_id: string, resolution: string) => {
    expect(await trial.run(task_id, { target: { service: task_id } })).toMatchObject({ status: "need_input" });
    const call = { task_id, resolution, reason: "I have looked", wait_seconds: 20 };
    const { result } = await trial.engine.call("resolve_step", call);
    return result;
  };
  expect(await resolved("said-a", "failed")).toBe("resolved by the supervisor as failed: I have looked");
  expect(await resolved("said-b", "succeeded")).toBeNull();
  expect(await trial.effects()).toEqual([]);
});

test.each([
  ["throws", 'throw new Error("the server is down");'],
  ["says that it cannot look", 'return { ok: false, stderr: "the server is down" };'],
])("a step whose look %s has failed, and is not asked about [2.skill.handle]", async (_what, look) => {
  await using trial = await openSkillEngine(
    `
    const look = async () => { effect("looked"); ${look} };
    const send = async () => { effect("sent"); await sleep(9_000); return { stderr: "it was not looked at" }; };
    return done((await ctx.step("send", send, look).catch((error) => ({ stderr: error.message }))).stderr);
  `,
    { env: { ORCH_DRAIN_SECONDS: "0" } },
  );
  void trial.run("cut").catch(() => undefined);
  await expect.poll(trial.effects).toEqual(["sent"]);
  await trial.engine.shutDown();
  await using next = await openEngine({
    directory: trial.engine.directory,
    env: { ORCH_CAPABILITIES: trial.directory },
  });
  expect(await next.outcomeOf("cut")).toMatchObject({ status: "ok", result: "the server is down" });
  expect(await trial.effects()).toEqual(["sent", "looked"]);
});

test("a handler that dies while it only reads, or between its steps, has failed its task", async () => {
  const trial = await skills.trial(`
    const dies = async () => { process.kill(process.pid, "SIGKILL"); await sleep(9_000); return 1; };
    if (task.payload.reads) await ctx.step("read", dies, "repeat");
    setTimeout(() => { throw new Error("forgotten"); }, 5);
    await sleep(9_000);
  `);
  const reads = await trial.run("reads", { payload: { reads: true } });
  expect(reads).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
  expect(reads.outcome.message).toContain("its process has ended with SIGKILL");
  const between = await trial.run("between", { payload: { reads: false } });
  expect(between.outcome.message).toMatch(/an error that its code does not catch: forgotten \([\w-]+\.ts:\d+\)/);
  for (const task_id of ["reads", "between"]) expect(await trial.faultsOf(task_id)).toEqual([]);
});

test("the other tasks of the skill go on while one loops or dies", async () => {
  const trial = await skills.trial(`
    if (task.target.service === "loops") for (;;);
    if (task.target.service === "dies") process.exit(1);
    for (let n = 0; n < 5; n++) await ctx.step("step " + n, async () => (await sleep(20), effect(task.task_id)));
    return done();
  `);
  const target = (service: string) => ({ target: { service } });
  const looping = trial.run("loops", target("loops"));
  const ended = await Promise.all(["dies", "one", "two"].map((name) => trial.run(`${name}-beside`, target(name))));
  expect(ended.map(({ status }) => status)).toEqual(["failed", "ok", "ok"]);
  await trial.engine.call("cancel_task", { task_id: "loops" });
  expect(await looping).toMatchObject({ status: "cancelled" });
});

test("one lock of a skill is held by one task at a time, and is free when its holder dies", async () => {
  const trial = await skills.trial(`
    return await ctx.exclusive("door", async () => {
      const inside = (what) => ctx.step(what, async () => effect(what + " " + task.task_id));
      await inside("in");
      if (task.task_id === "a") process.exit(1);
      await sleep(30);
      await inside("out");
      return done();
    });
  `);
  const target = (service: string) => ({ target: { service } });
  await Promise.all(["a", "b", "c", "d"].map((name) => trial.run(name, target(name))));
  const effects = (await trial.effects()).filter((line) => !line.endsWith(" a"));
  expect(effects).toHaveLength(6);
  for (let n = 0; n < effects.length; n += 2) expect(effects[n + 1]).toBe(effects[n]?.replace("in", "out"));
});
