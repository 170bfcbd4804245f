// A server is stopped and started again while a flow engine runs its job. The job is found and its steps run once, a
// task keeps its backend, and the supervisor is asked about unknown outcomes.
import { describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import type { FlowEngine } from "../../simulators/flow-engine/flow-engine.ts";
import { check, cmd } from "../../support/builders.ts";
import type { Engine } from "../../support/engine.ts";
import { engineEnv, startServers } from "../../support/orch-on-engine.ts";

const onEngine = (flow: FlowEngine, over: Readonly<Record<string, string>> = {}) => ({ ...engineEnv(flow), ...over });
const byDefault = { EXECUTION_BACKEND: "flowengine" };
const KNOWN = { delegation_mode: "known_only" };
/** A job that never ends and does nothing. */
const stuck = () => new Promise<null>(() => undefined);

async function isAccepted(flow: FlowEngine, jobs = 1) {
  await expect.poll(() => flow.jobs.length, { timeout: 10_000 }).toBe(jobs);
}

describe("a job that runs while its server is restarted", () => {
  test("is found again: its steps run once, and its log lines are recorded once", async () => {
    await using servers = await startServers();
    const { flow } = servers;
    const first = await servers.start(onEngine(flow, byDefault));
    const steps = [cmd("echo x >> before"), first.holding("held"), check("echo x >> after")];
    await first.learn("deploy", first.targetOf("found"), steps);
    await first.call("submit_task", first.contract("found", KNOWN));
    await first.begun("held");
    const lines = (evidence: { journal: { kind: string; body: { lines: string[] } }[] }) =>
      evidence.journal.flatMap(({ kind, body }) => (kind === "job_progressed" ? body.lines : []));
    const now = async (server: Engine) => lines(await server.call("get_evidence", { task_id: "found" }));
    await expect.poll(() => now(first)).toContain("orch: step 1 cmd started");
    // The default is the local backend now; this task was accepted for the engine.
    const second = await servers.start(onEngine(flow));
    second.letGo("held");
    expect(await second.outcomeOf("found")).toMatchObject({ status: "ok", backend: "flowengine" });
    expect(flow.counts()).toEqual({ accepted: 1, run_requests: 1, processes: 1 });
    expect(["before", "held.begun", "after"].map((file) => second.linesOf(file).length)).toEqual([1, 1, 1]);
    const told = (await now(second)).filter((line) => line.startsWith("orch: "));
    expect(told).toHaveLength(6);
    expect(told.filter((line) => line.endsWith("started"))).toHaveLength(3);
    const evidence = await second.call("get_evidence", { task_id: "found" });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });

  test("does not run locally when its engine is no longer configured: the supervisor is asked", async () => {
    await using servers = await startServers();
    const { flow } = servers;
    const first = await servers.start(onEngine(flow, byDefault));
    await first.learn("deploy", first.targetOf("gone"), [first.holding("held"), check("test -d /")]);
    await first.call("submit_task", first.contract("gone", KNOWN));
    await first.begun("held");
    const second = await servers.start({});
    expect(await second.outcomeOf("gone")).toMatchObject({
      status: "need_input",
      outcome: {
        reason_code: "step_outcome_unknown",
        step_index: 0,
        message: expect.stringContaining("FLOWENGINE_URL"),
      },
      waiting: { kind: "resolution", index: 0, attempt: 1 },
    });
    expect(second.linesOf("held.begun")).toHaveLength(1);
    expect(flow.jobs[0]?.canceled).toBeNull();
  });
});

describe("a task keeps the backend on which it was accepted", () => {
  test.each([
    ["flowengine", "local", 1],
    ["local", "flowengine", 0],
  ])("on %s, although the default is %s when it continues [1.A.5.backend_choice]", async (before, after, jobs) => {
    await using servers = await startServers();
    const { flow } = servers;
    const first = await servers.start(onEngine(flow, { EXECUTION_BACKEND: before }));
    expect(await first.run("pinned")).toMatchObject({ status: "need_input", backend: before });
    const second = await servers.start(onEngine(flow, { EXECUTION_BACKEND: after }));
    const steps = [cmd("echo x >> ran"), check("test -d /")];
    const { task } = await second.call("teach", { task_id: "pinned", steps, wait_seconds: 30 });
    expect(task).toMatchObject({ status: "ok", backend: before });
    expect(second.linesOf("ran")).toEqual(["x"]);
    expect(flow.counts().accepted).toBe(jobs);
  });
});

describe("a job with an unknown end", () => {
  const STEPS = [cmd("echo x >> one"), cmd("echo x >> two"), check("echo x >> three")];
  const ran = (engine: Engine) => ["one", "two", "three"].map((file) => engine.linesOf(file).length);

  /** Resolves once the first step is submitted and its outcome is asked. */
  async function asked() {
    const servers = await startServers();
    const { flow } = servers;
    flow.give(stuck, 1);
    const first = await servers.start(onEngine(flow, byDefault));
    await first.learn("deploy", first.targetOf("lost"), STEPS);
    await first.call("submit_task", first.contract("lost", KNOWN));
    await isAccepted(flow);
    const second = await servers.start({});
    expect(await second.outcomeOf("lost")).toMatchObject({ status: "need_input" });
    const orch = await servers.start(onEngine(flow));
    const resolve = (resolution: string) =>
      orch.call("resolve_step", { task_id: "lost", resolution, reason: "looked", wait_seconds: 30 });
    /** Cancels the job at the engine. */
    const end = () => flow.cancel(flow.jobs[0]?.id ?? "");
    return { ...servers, orch, resolve, end };
  }

  test("leaves the steps after the resolved one unknown, and the supervisor is asked about them too", async () => {
    await using scene = await asked();
    await scene.end();
    expect(await scene.resolve("succeeded")).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "step_outcome_unknown", step_index: 1, message: expect.stringContaining("Job canceled") },
    });
    expect(await scene.resolve("retry")).toMatchObject({ status: "ok", outcome: { reason_code: "verified" } });
    expect(ran(scene.orch)).toEqual([0, 1, 1]);
    expect(scene.flow.jobs.map(({ args }) => args["steps"])).toEqual([STEPS, STEPS.slice(1)]);
  });

  test("fails its task when the step has failed, and no other job is submitted", async () => {
    await using scene = await asked();
    expect(await scene.resolve("failed")).toMatchObject({
      status: "failed",
      outcome: { reason_code: "step_failed", step_index: 0 },
    });
    expect(scene.flow.counts().accepted).toBe(1);
    expect(ran(scene.orch)).toEqual([0, 0, 0]);
    // It may still run, and no server follows it any more.
    expect(scene.flow.jobs[0]?.canceled).not.toBeNull();
  });

  test("is followed by another under a new id when the supervisor answers retry", async () => {
    await using scene = await asked();
    await scene.end();
    expect(await scene.resolve("retry")).toMatchObject({ status: "ok", steps: [{ attempt: 2 }, {}, {}] });
    expect(ran(scene.orch)).toEqual([1, 1, 1]);
    expect(new Set(scene.flow.jobs.map(({ id }) => id)).size).toBe(2);
    const evidence = await scene.orch.call("get_evidence", { task_id: "lost" });
    expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
  });

  test("is waited for while it still runs, and no step runs twice at the same time", async () => {
    await using scene = await asked();
    const task = scene.resolve("retry");
    await expect.poll(() => scene.flow.requests.filter(({ kind }) => kind === "poll").length).toBeGreaterThan(2);
    expect(scene.flow.counts().accepted).toBe(1);
    await scene.end();
    expect(await task).toMatchObject({ status: "ok" });
    expect(ran(scene.orch)).toEqual([1, 1, 1]);
  });

  test("continues after the step whose end is in its log", async () => {
    await using servers = await startServers();
    const { flow } = servers;
    const first = await servers.start(onEngine(flow, byDefault));
    const steps = [first.holding("held"), cmd("echo x >> behind"), check("test -s behind")];
    await first.learn("deploy", first.targetOf("logged"), steps);
    await first.call("submit_task", first.contract("logged", KNOWN));
    await first.begun("held");
    const second = await servers.start({});
    expect(await second.outcomeOf("logged")).toMatchObject({ status: "need_input" });
    await flow.cancel(flow.jobs[0]?.id ?? "");
    const orch = await servers.start(onEngine(flow));
    const resolution = { task_id: "logged", resolution: "succeeded", reason: "looked", wait_seconds: 30 };
    expect(await orch.call("resolve_step", resolution)).toMatchObject({ status: "ok" });
    expect(orch.linesOf("behind")).toEqual(["x"]);
  });
});
