// Jobs that no server follows at the moment, or whose end was unknown: their tasks do not end without them.
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../support/builders.ts";
import { engineEnv, startServers } from "../../support/orch-on-engine.ts";

const STEPS = [cmd("echo x >> one"), cmd("echo x >> two"), check("echo x >> three")];

test("what a lost job has run since counts, also when the supervisor says that its step failed", async () => {
  await using servers = await startServers();
  const { flow } = servers;
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  const [one, two] = [0, 1].map((index) => ({
    index,
    kind: "cmd",
    status: "passed",
    exit_code: 0,
    stdout: `${index}`,
  }));
  const three = { ...two, index: 2, kind: "check" };
  flow.give(
    () => until.then(() => ({ success: true, result: { ok: true, summary: "", step_results: [one, two, three] } })),
    1,
  );
  const first = await servers.start({ ...engineEnv(flow), EXECUTION_BACKEND: "flowengine" });
  await first.learn("deploy", first.targetOf("late"), STEPS);
  await first.call("submit_task", first.contract("late", { delegation_mode: "known_only" }));
  await expect.poll(() => flow.jobs.length, { timeout: 10_000 }).toBe(1);
  const second = await servers.start({});
  expect(await second.outcomeOf("late")).toMatchObject({ status: "need_input" });
  const orch = await servers.start(engineEnv(flow));
  letGo();
  await flow.jobs[0]?.completed.promise;
  const said = { task_id: "late", resolution: "failed", reason: "looked", wait_seconds: 30 };
  expect(await orch.call("resolve_step", said)).toMatchObject({
    status: "failed",
    outcome: { reason_code: "step_failed", step_index: 0 },
    steps: [{ status: "failed" }, { status: "passed" }, { status: "passed" }],
  });
  expect(flow.jobs[0]?.canceled).toBeNull();
  const evidence = await orch.call("get_evidence", { task_id: "late" });
  expect(evidence.step_results.map(({ stdout }: { stdout: string }) => stdout)).toEqual(["", "1", "1"]);
  expect(verifyBundle(JSON.parse(JSON.stringify(evidence))).faults).toEqual([]);
});

const KNOWN = { delegation_mode: "known_only", execution_backend: "flowengine" };

/** Starts a task of each name, and stops the server during the first step of each. */
async function left(...names: string[]) {
  const servers = await startServers();
  const env = engineEnv(servers.flow);
  const first = await servers.start(env);
  for (const name of names) {
    const steps = [first.holding(name), cmd(`echo x >> ${name}.behind`), check("test -d /")];
    await first.learn("deploy", first.targetOf(name), steps);
    await first.call("submit_task", first.contract(name, KNOWN));
    await first.begun(name);
  }
  await first.shutDown();
  return { ...servers, env };
}

test("a task that is queued after another is cancelled with its job", async () => {
  await using scene = await left("one", "two");
  const orch = await scene.start({ ...scene.env, ORCH_CONCURRENCY: "1" });
  const cancelled = orch.call("cancel_task", { task_id: "two" });
  await expect.poll(() => scene.flow.jobs[1]?.ending, { timeout: 10_000 }).not.toBeNull();
  orch.letGo("one");
  await cancelled;
  expect(await orch.outcomeOf("two")).toMatchObject({ status: "cancelled" });
  expect(await orch.outcomeOf("one")).toMatchObject({ status: "ok" });
  expect(["one", "two"].map((name) => orch.linesOf(`${name}.behind`).length)).toEqual([1, 0]);
  expect(scene.flow.counts().accepted).toBe(2);
});

test.each(["/", "/api"])("a job is found again when the address of its engine ends with %j", async (end) => {
  await using scene = await left("found");
  const orch = await scene.start({ ...scene.env, FLOWENGINE_URL: scene.flow.url + end });
  orch.letGo("found");
  expect(await orch.outcomeOf("found")).toMatchObject({ status: "ok" });
  expect(scene.flow.counts().accepted).toBe(1);
});

test("the outcome of a job is asked when another engine is set, and the steps do not run there", async () => {
  await using scene = await left("moved");
  await using other = await startServers();
  const orch = await scene.start({ ...scene.env, FLOWENGINE_URL: other.flow.url });
  expect(await orch.outcomeOf("moved")).toMatchObject({
    status: "need_input",
    outcome: { message: expect.stringContaining(scene.flow.url) },
  });
  // The other engine does not know the later steps either.
  const answered = await orch.call("resolve_step", { task_id: "moved", resolution: "succeeded", wait_seconds: 30 });
  expect(answered).toMatchObject({ status: "need_input", outcome: { step_index: 1 } });
  expect(other.flow.requests).toEqual([]);
  const again = await scene.start(scene.env);
  again.letGo("moved");
  const seen = await again.call("resolve_step", { task_id: "moved", resolution: "succeeded", wait_seconds: 30 });
  expect(seen).toMatchObject({ status: "ok" });
  expect(again.linesOf("moved.behind")).toEqual(["x"]);
});
