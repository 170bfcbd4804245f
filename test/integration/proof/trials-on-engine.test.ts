// A version on trial whose steps a flow engine runs: a job that the engine does not take says nothing of the version, and the look
// before the change is made in the job.
import { expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { refuses } from "../../simulators/flow-engine/faults.ts";
import { check, cmd } from "../../support/builders.ts";
import { startPair } from "../../support/orch-on-engine.ts";
import { text } from "../../support/request-recorder.ts";

test("an engine that refuses the job leaves the version on trial, and the next run proves it", async () => {
  await using pair = await startPair({ EXECUTION_BACKEND: "flowengine", CHECK_LOOKS: "on", BEFORE_LOOK: "on" });
  const { orch, flow } = pair;
  const target = orch.targetOf("web");
  const steps = [cmd("echo x >> ran"), check("test -s ran")];
  const { sop } = await orch.call("teach", { intent: "deploy", target, steps });
  const { approval_id, content } = await orch.approvalOf(`promotion/${sop.sop_id}`);
  expect(content.proof).toMatchObject({ level: "defined", checks: [{ class: "not_possible", now: null }] });
  await orch.call("approve", { approval_id, decision: "approve" });
  const version = async () => (await orch.call("get_sop", { sop_id: sop.sop_id })).sop;
  await expect.poll(async () => (await version()).status).toBe("active");
  const ran = async (task_id: string) => {
    await orch.submit({ task_id, target, delegation_mode: "known_only", success_criteria: [] });
    const { approval_id } = await orch.approvalOf(task_id);
    await orch.call("approve", { approval_id, decision: "approve" });
    const task = await orch.outcomeOf(task_id);
    const bundle = await orch.call("get_evidence", { task_id });
    expect(verifyBundle(JSON.parse(JSON.stringify(bundle)))).toMatchObject({ faults: [] });
    return task;
  };

  const off = flow.fault("run", refuses(text("Unauthorized", 401)));
  expect(await ran("refused")).toMatchObject({ status: "failed", outcome: { reason_code: "engine_refused" } });
  off();
  expect(await version()).toMatchObject({ status: "active", level: "defined", trial_left: 1, failure_count: 0 });
  expect(await ran("taken")).toMatchObject({ status: "ok", checks: [{ change: "became_true" }] });
  expect(await version()).toMatchObject({ status: "active", level: "proved", trial_left: 0 });
});
