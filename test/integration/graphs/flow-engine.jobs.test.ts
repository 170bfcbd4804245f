// A job without a recorded end that no server follows at the moment: its task does not end without it.
import { expect, test } from "vitest";
import { check, cmd } from "../../support/builders.ts";
import { engineEnv, startServers } from "../../support/orch-on-engine.ts";

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
