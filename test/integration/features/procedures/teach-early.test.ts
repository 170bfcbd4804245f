// teach right after submit_task: the task is given a moment to ask.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const teach = (task_id: string, steps: readonly object[]) => engine.call("teach", { task_id, steps, wait_seconds: 30 });

describe("a lesson right after submit_task waits for the question of its task", () => {
  const STEPS = [cmd("true"), check("test -d /")];
  const submit = (name: string, over: object = {}) =>
    engine.call("submit_task", engine.contract(name, { success_criteria: [], ...over }));

  test.each(Array.from({ length: 5 }, (_, n) => n))("try %i", async (n) => {
    const name = `early-${n}`;
    await submit(name);
    expect((await teach(name, STEPS)).task).toMatchObject({ status: "ok" });
  });

  test("that is after another task on its target", async () => {
    const target = engine.targetOf("early-line");
    await engine.learn("restart", target, [engine.holding("early-line"), check("test -d /")]);
    await submit("early-line-1", { target, intent: "restart" });
    await engine.begun("early-line");
    await submit("early-line-2", { target });
    const taught = teach("early-line-2", STEPS);
    engine.letGo("early-line");
    expect((await taught).task).toMatchObject({ status: "ok" });
  });

  test("that is held by a freeze for a moment", async () => {
    const { freeze } = await engine.call("freeze", { target: engine.targetOf("early-frozen"), reason: "a moment" });
    await submit("early-frozen");
    const taught = teach("early-frozen", STEPS);
    await engine.call("thaw", { freeze_id: freeze.freeze_id });
    expect((await taught).task).toMatchObject({ status: "ok" });
  });

  test("it is refused where it is not asked in time", async () => {
    const { freeze } = await engine.call("freeze", { target: engine.targetOf("early-late"), reason: "long" });
    await submit("early-late");
    const refusal = await engine.refusal("teach", { task_id: "early-late", steps: STEPS });
    expect([refusal.code, refusal.message]).toEqual([
      "task_not_waiting",
      expect.stringContaining("has not started yet"),
    ]);
    await engine.call("thaw", { freeze_id: freeze.freeze_id });
  });

  test.each([
    ["a task that is cancelled meanwhile", {}, true],
    ["a task that asks no one", { delegation_mode: "known_only" }, false],
  ])("it is refused at once by %s", async (what, over, cancels) => {
    const name = `early-${what.split(" ").at(-1)}`;
    const { freeze } = await engine.call("freeze", { target: engine.targetOf(name), reason: "a moment" });
    await submit(name, over);
    const refusal = engine.refusal("teach", { task_id: name, steps: STEPS });
    if (cancels) await engine.call("cancel_task", { task_id: name });
    await engine.call("thaw", { freeze_id: freeze.freeze_id });
    expect((await refusal).message).toContain("does not wait to be taught");
  });

  test("it is not held up by a task that runs its procedure", async () => {
    const target = engine.targetOf("early-runs");
    await engine.learn("deploy", target, [engine.holding("early-runs"), check("test -d /")]);
    await submit("early-runs", { target });
    await engine.begun("early-runs");
    expect((await engine.refusal("teach", { task_id: "early-runs", steps: STEPS })).code).toBe("task_not_waiting");
    expect(await engine.call("get_task", { task_id: "early-runs" })).toMatchObject({ status: "running" });
    engine.letGo("early-runs");
  });
});
