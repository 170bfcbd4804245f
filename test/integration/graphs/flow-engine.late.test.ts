// A job whose end was unknown, and that has ended by the time at which the supervisor decides about its step.
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
