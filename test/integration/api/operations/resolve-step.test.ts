// A step that was cut off has an unknown outcome. It never runs again by itself: the supervisor resolves it.
import { describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const CUT = cmd("echo begun >> cut; sleep 61; echo done >> cut");

/** Stops an engine during the second step of this task, and starts it again. */
async function interrupted(name: string) {
  const before = await openEngine({ env: { ORCH_DRAIN_SECONDS: "0" } });
  const steps = [cmd("echo x >> before"), CUT, check("echo x >> after")];
  await before.learn("deploy", before.targetOf(name), steps);
  await before.call("submit_task", before.contract(name));
  await expect.poll(() => before.linesOf("cut"), { timeout: 10_000 }).toEqual(["begun"]);
  await before.shutDown();
  const engine = await openEngine({ directory: before.directory });
  const task = await engine.outcomeOf(name);
  const resolve = (over: object, at_console?: { name: string }) =>
    engine.call(
      "resolve_step",
      { task_id: name, wait_seconds: 30, ...over },
      { token_id: "supervisor", signal: new AbortController().signal, ...(at_console && { at_console }) },
    );
  return {
    engine,
    task,
    resolve,
    refusal: (over: object) => engine.refusal("resolve_step", { task_id: name, resolution: "succeeded", ...over }),
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await before[Symbol.asyncDispose]();
    },
  };
}

const ran = (engine: Engine) => ["before", "cut", "after"].map((file) => engine.linesOf(file).length);

describe("a step that was cut off", () => {
  test("is asked about and holds its target, and the task continues after it when it has succeeded", async () => {
    await using scene = await interrupted("cut-off");
    const { engine, task, resolve, refusal } = scene;
    expect(task).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "step_outcome_unknown", step_index: 1 },
      waiting: { kind: "resolution", index: 1, attempt: 1 },
      steps: [{ status: "passed" }, { status: "outcome_unknown" }, { status: "pending" }],
    });
    await engine.learn("restart", engine.targetOf("cut-off"), [check("test -d /")]);
    const next = { ...engine.contract("next", { intent: "restart" }), target: engine.targetOf("cut-off") };
    expect(await engine.call("submit_task", { ...next, wait_seconds: 0.2 })).toMatchObject({
      status: "accepted",
      queued_behind: "cut-off",
    });
    expect((await refusal({ index: 0 })).code).toBe("task_not_waiting");
    expect(await resolve({ resolution: "succeeded", index: 1, reason: "saw it" })).toMatchObject({ status: "ok" });
    expect(ran(engine)).toEqual([1, 1, 1]);
    expect((await refusal({})).code, "answered once").toBe("task_not_waiting");
    expect(await engine.outcomeOf("next"), "the target is free").toMatchObject({ status: "ok" });
  });

  test("is named by a freeze, also by one that cancels what runs, and its task goes on when it is answered", async () => {
    await using scene = await interrupted("paused");
    const { engine, resolve } = scene;
    await engine.call("submit_task", engine.contract("asked-before", { wait_seconds: 20 }));
    expect(await engine.call("freeze", { reason: "power", now: true })).toMatchObject({
      cancelled: [],
      running: [],
      paused: ["paused"],
    });
    const elsewhere = { intent: "restart", reason: "power" };
    expect(await engine.call("freeze", elsewhere), "it is for others").toMatchObject({ paused: [] });
    expect(await resolve({ resolution: "succeeded" })).toMatchObject({ status: "ok", held_by_freeze: null });
  });

  test("fails the task when it has failed, and the model is not asked", async () => {
    await using scene = await interrupted("failed");
    const task = await scene.resolve({ resolution: "failed", reason: "half written" }, { name: "ada" });
    const { events } = await scene.engine.call("read_journal", { task_id: "failed", limit: 500 });
    expect(events.find(({ kind }: { kind: string }) => kind === "step_resolved").body.reason).toBe(
      "half written (by ada)",
    );
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 1 } });
    const { step_results, gate_answers } = await scene.engine.call("get_evidence", { task_id: "failed" });
    expect(step_results[1]).toMatchObject({ status: "failed", stderr: expect.stringContaining("half written") });
    expect(gate_answers).toEqual([]);
    expect(ran(scene.engine)).toEqual([1, 1, 0]);
  });

  test("runs once more, and only it, when the supervisor answers retry", async () => {
    await using scene = await interrupted("retry");
    const task = await scene.resolve({ resolution: "retry", wait_seconds: 0.3 });
    expect(task.steps[1]).toMatchObject({ attempt: 2 });
    await expect.poll(() => ran(scene.engine), { timeout: 10_000 }).toEqual([1, 2, 0]);
    await scene.engine.call("cancel_task", { task_id: "retry" });
  });

  test("accepts the first of two simultaneous answers, and refuses the other", async () => {
    await using scene = await interrupted("twice");
    const answers = await Promise.allSettled([
      scene.resolve({ resolution: "succeeded" }),
      scene.resolve({ resolution: "failed" }),
    ]);
    const won = answers.find((answer) => answer.status === "fulfilled")?.value.status;
    const lost = answers.find((answer) => answer.status === "rejected");
    expect(lost?.reason).toMatchObject({ code: "task_not_waiting", current: { waiting: null } });
    expect(ran(scene.engine)).toEqual(won === "ok" ? [1, 1, 1] : [1, 1, 0]);
  });

  test("is no longer asked about when the task is cancelled, and its target is free", async () => {
    await using scene = await interrupted("cancelled");
    const { engine } = scene;
    expect(await engine.call("cancel_task", { task_id: "cancelled" })).toMatchObject({ status: "cancelled" });
    expect((await scene.refusal({})).code).toBe("task_not_waiting");
    await engine.learn("restart", engine.targetOf("cancelled"), [check("test -d /")]);
    const next = { intent: "restart", target: engine.targetOf("cancelled") };
    expect(await engine.run("next", next)).toMatchObject({ status: "ok" });
  });
});
