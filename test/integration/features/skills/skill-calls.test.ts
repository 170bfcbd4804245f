import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { skillCalls } from "../../../../src/features/skills/skill-context.ts";
import type { Handling } from "../../../../src/features/skills/skill-step-run.ts";
import { aContract } from "../../../support/builders.ts";
import { openSkillEngines } from "../../../support/skill-engine.ts";
import { afterHandshake, type RawServer, rpcResult, sendJson, startRawServer } from "../../../support/tool-server.ts";

let tools: RawServer;
let skills: Awaited<ReturnType<typeof openSkillEngines>>;
beforeAll(async () => {
  tools = await startRawServer(
    afterHandshake(async ({ body }, response) => {
      if (body.method === "tools/list") {
        return sendJson(response, rpcResult(body.id, { tools: [{ name: "write", inputSchema: { type: "object" } }] }));
      }
      await sleep(body.params.arguments.ms ?? 0);
      return sendJson(response, rpcResult(body.id, { content: [{ type: "text", text: "written" }] }));
    }),
  );
  skills = await openSkillEngines({ env: { MCP_NOTES_URL: tools.url } });
});
afterAll(async () => {
  await skills[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

const argumentsSent = () => tools.calls().map(({ body }) => body.params.arguments);

describe("a call of a skill", () => {
  test("reaches the server, and is in the evidence when it changes something [1.A.7]", async () => {
    const trial = await skills.trial(`
      const { tools } = await ctx.listTools("notes");
      const read = await ctx.step("read", () => ctx.call("notes", "write", { n: 1 }), "repeat");
      const written = await ctx.step("write", () => ctx.call("notes", "write", { n: 2 }));
      return done({ tools: tools.map(({ name }) => name), read, written });
    `);
    const task = await trial.run("calls");
    const answer = { ok: true, stdout: expect.stringContaining("written") };
    expect(task).toMatchObject({ status: "ok", result: { tools: ["write"], read: answer, written: answer } });
    const { executed_commands } = await trial.engine.call("get_evidence", { task_id: "calls" });
    expect(executed_commands).toEqual(['notes.write {"n":2}']);
  });

  test("has the shape that a list of tools has, so that a step that lists fails like one that calls (D-127)", async () => {
    const trial = await skills.trial(`
      const listed = await ctx.step("list", () => ctx.listTools("notes"), "repeat");
      const missing = await ctx.step("list what is not there", () => ctx.listTools("gone"), "repeat");
      return done({ listed, missing });
    `);
    const constraints = { implicit_scope: ["notes", "gone"], require_approval_for: [] };
    const task = await trial.run("lists", { constraints });
    expect(task.result).toMatchObject({
      listed: { ok: true, tools: [{ name: "write", effect: "unknown" }] },
      missing: { ok: false, stderr: "there is no tool server gone; set MCP_GONE_URL and start orch again" },
    });
    const { skill_steps } = await trial.engine.call("get_evidence", { task_id: "lists" });
    expect(skill_steps.map(({ state }: { state: string }) => state)).toEqual(["passed", "failed"]);
  });

  test.each(["call", "listTools"])(
    "(%s) of a server outside the scope blocks the task, even when its handler catches the error [5.policy.out_of_scope]",
    async (how) => {
      const trial = await skills.trial(`
      await ctx.${how}("notes", "write", { n: 3 }).catch(() => undefined);
      effect("went on");
      return done();
    `);
      const constraints = { implicit_scope: ["gitserver"], require_approval_for: [] };
      const task = await trial.run(`outside-${how}`, { constraints });
      expect(task).toMatchObject({
        status: "blocked",
        outcome: { reason_code: "outside_scope", findings: [{ code: "scope.server", verdict: "block" }] },
      });
      expect(task.outcome.message).toContain("server notes is not in implicit_scope");
      expect(await trial.effects()).toEqual([]);
      expect(argumentsSent()).not.toContainEqual({ n: 3 });
    },
  );

  test("to a server outside the scope fails its step, and the task is blocked after it", async () => {
    const trial = await skills.trial(`
      await ctx.step("reach out", async () => {
        await ctx.call("notes", "write", { n: 4 }).catch(() => undefined);
        await ctx.call("gitserver", "write", { n: 5 });
      }).catch(() => undefined);
      effect("went on");
      await ctx.step("next", async () => effect("next"));
      return done();
    `);
    const constraints = { implicit_scope: ["gitserver"], require_approval_for: [] };
    const task = await trial.run("outside-step", { constraints });
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope" } });
    expect(task.steps).toMatchObject([{ command: "reach out", status: "failed" }]);
    // The run ends after the step: how far its code still comes is not promised.
    expect(await trial.effects()).not.toContain("next");
    expect(argumentsSent()).not.toContainEqual({ n: 4 });
  });

  test("outside of a step is refused, because only a step shows whether it needs an approval", async () => {
    const trial = await skills.trial('await ctx.call("notes", "write", { n: 6 }); return done();');
    const task = await trial.run("bare");
    expect(task).toMatchObject({ status: "failed", outcome: { skill_code: "handler_fault" } });
    expect(task.outcome.message).toContain("notes.write is outside a step");
    expect(argumentsSent()).not.toContainEqual({ n: 6 });
  });

  test("to a server that is not configured returns a failure", async () => {
    const trial = await skills.trial('return done(await ctx.step("write", () => ctx.call("wiki", "write", {})));');
    const constraints = { implicit_scope: ["wiki"], require_approval_for: [] };
    expect((await trial.run("unset", { constraints })).result).toMatchObject({ ok: false, executed: false });
  });

  test("that runs when the task is cancelled may end, and no step starts after it", async () => {
    const trial = await skills.trial(`
      await ctx.step("slow", async () => { await ctx.call("notes", "write", { ms: 700 }); return effect("slow"); });
      await ctx.step("late", async () => effect("late"));
      return done();
    `);
    const { engine } = trial;
    const submitted = trial.run("cancelled");
    await expect.poll(() => argumentsSent().some(({ ms }) => ms === 700)).toBe(true);
    expect(await engine.call("cancel_task", { task_id: "cancelled" })).toMatchObject({ status: "cancelled" });
    expect((await submitted).steps).toMatchObject([{ command: "slow", status: "passed" }]);
    expect(await trial.effects()).toEqual(["slow"]);
  });

  test("that only reads is cut off when the task is cancelled", async () => {
    const trial = await skills.trial(`
      await ctx.step("read", () => ctx.call("notes", "write", { ms: 9000 }), "repeat");
      return done();
    `);
    const submitted = trial.run("cut");
    await expect.poll(() => argumentsSent().some(({ ms }) => ms === 9000)).toBe(true);
    const begun = performance.now();
    expect(await trial.engine.call("cancel_task", { task_id: "cut" })).toMatchObject({ status: "cancelled" });
    expect(performance.now() - begun).toBeLessThan(7_000);
    expect(await submitted).toMatchObject({ status: "cancelled" });
  });
});

test("each call may take max_minutes, so that a plan of many phases may take longer, and is of the trace of its step [8.max_minutes.phases]", async () => {
  const limits: unknown[] = [];
  const toolServers: Pick<Handling["toolServers"], "call"> = {
    call: async (_call, { limit_ms, traceparent }) => {
      limits.push([limit_ms, traceparent]);
      return { ok: true, executed: true, stdout: "{}", stderr: "" };
    },
  };
  const contract = aContract({ constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 2 } });
  const traceparentOf = ({ index, attempt }: { index: number; attempt: number }) => `${index}/${attempt}`;
  const thread = { cancel: new AbortController().signal, traceparentOf };
  const step = { index: 0, repeatable: true, attempt: 1, called: () => undefined, hasEnded: () => false };
  const handling = { contract, thread, toolServers, redact: String, isSuspended: () => false };
  const { call } = skillCalls(handling as unknown as Handling, () => step);
  for (const n of [1, 2, 3]) await call("notes", "write", { n });
  expect(limits).toEqual(new Array(3).fill([120_000, "0/1"]));
});

test("a handler is notified that its task is cancelled, and says in its result what it has done", async () => {
  const trial = await skills.trial(`
    effect("begun");
    await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
    return done({ reached: 1 });
  `);
  const submitted = trial.run("told");
  await expect.poll(() => trial.effects()).toEqual(["begun"]);
  await trial.engine.call("cancel_task", { task_id: "told" });
  const outcome = { reason_code: "cancelled" };
  await submitted;
  await expect
    .poll(() => trial.engine.call("get_task", { task_id: "told" }))
    .toMatchObject({ status: "cancelled", outcome, result: { reached: 1 } });
});

test("progress is recorded at once, at most once a second, and at the end", async () => {
  const trial = await skills.trial(`
    for (let n = 0; n <= 500; n++) ctx.progress(n, 500, "notes read");
    return done();
  `);
  expect(await trial.run("progress")).toMatchObject({ progress: { done: 500, total: 500, text: "notes read" } });
  const { journal } = await trial.engine.call("get_evidence", { task_id: "progress" });
  expect(journal.filter(({ kind }: { kind: string }) => kind === "skill_progressed")).toHaveLength(2);
});
