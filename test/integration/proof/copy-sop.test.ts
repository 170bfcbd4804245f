// A copy of an active procedure for another target (D-200): what still names the old target is pointed out, and a proof on one target
// is no proof on another.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyBundle } from "../../../src/engine/evidence/verify/bundle.ts";
import { check, cmd } from "../../support/builders.ts";
import { type LookingEngine, openLookingEngine } from "../../support/looking-engine.ts";

let engine: LookingEngine;
beforeAll(async () => {
  engine = await openLookingEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

/** An active version that a run has proved; its steps name the service of its target. */
async function proved() {
  const target = await engine.aTarget();
  const { service } = target;
  const steps = [cmd(`echo ${service} is up > state`), check(`grep -q "${service} is up" state`)];
  const { sop_id } = await engine.promoted(target, steps, { criteria: { "it is up": 1 } });
  await engine.ran(`${service}-run`, target);
  return { target, sop: await engine.version(sop_id) };
}

const UNKNOWN = "00000000-0000-4000-8000-00000000ffff";

const signatureOf = async (sop_id: string) => (await engine.version(sop_id)).target_signature;

describe("copy_sop", () => {
  test("points out the values that the copy still names, in its answer and on top of its promotion", async () => {
    const { target, sop } = await proved();
    const other = await engine.aTarget();
    const answer = await engine.call("copy_sop", { sop_id: sop.sop_id, target: other });
    const named = [0, 1].map((step_index) => ({ step_index, key: "service", value: target.service }));
    expect(answer.literals).toEqual(named);
    expect(answer.sop).toMatchObject({
      intent: "deploy",
      target: other,
      version: 1,
      status: "candidate",
      trial_left: 1,
      level: "tried",
      proved_on: sop.target_signature,
      origin: `copy_sop ${sop.sop_id}`,
      steps: sop.steps,
      criteria: [{ criterion: "it is up", step_index: 1 }],
    });
    const { content } = await engine.approvalOf(`promotion/${answer.sop.sop_id}`);
    expect(content.proof).toMatchObject({ level: "tried", proved_on: sop.target_signature, runs: [] });
    const still = `still names "${target.service}", the service of the target that it was copied from.`;
    expect(content.proof.warnings.slice(0, 3)).toEqual([
      `Step 0 ${still}`,
      `Step 1 ${still}`,
      `No run of it has passed on this target; it is a copy of a procedure that was proved on "${sop.target_signature}".`,
    ]);
  });

  test("puts parameters in their place where it is asked to, and its first run asks and proves it", async () => {
    const { sop } = await proved();
    const target = await engine.aTarget();
    const answer = await engine.call("copy_sop", { sop_id: sop.sop_id, target, with_parameters: true });
    expect(answer.literals).toEqual([]);
    expect(JSON.stringify(answer.sop.steps)).toContain("ORCH_TARGET_SERVICE");
    await engine.settled(answer.sop.sop_id);
    const task_id = `${target.service}-copied`;
    expect(await engine.start(task_id, target)).toMatchObject({ status: "need_approval" });
    expect(await engine.finish(task_id)).toMatchObject({ status: "ok", checks: [{ proof: "proved" }] });
    expect(await engine.version(answer.sop.sop_id)).toMatchObject({
      status: "active",
      level: "proved",
      trial_left: 0,
      proved_on: await signatureOf(sop.sop_id),
    });
    const bundle = await engine.call("get_evidence", { task_id });
    expect(verifyBundle(JSON.parse(JSON.stringify(bundle)))).toMatchObject({ faults: [] });
    expect(await engine.start(`${task_id}-again`, target)).toMatchObject({ status: "ok" });
  });

  test("says of the copy of a copy where the first of them was proved", async () => {
    const { sop } = await proved();
    const [second, third] = [await engine.aTarget(), await engine.aTarget()];
    const copy = await engine.call("copy_sop", { sop_id: sop.sop_id, target: second });
    await engine.settled(copy.sop.sop_id);
    const next = await engine.call("copy_sop", { sop_id: copy.sop.sop_id, target: third });
    expect(next.sop).toMatchObject({ level: "tried", proved_on: sop.target_signature });
  });

  test("says of a procedure that was never proved that its copy is only defined", async () => {
    const { sop_id } = await engine.promoted(await engine.aTarget(), [
      cmd("echo x > y"),
      check("test -s y # orch: once"),
    ]);
    const { sop } = await engine.call("copy_sop", { sop_id, target: await engine.aTarget() });
    expect(sop).toMatchObject({ level: "defined", proved_on: null });
  });

  test("refuses the same target, also in another order, and a procedure that is not stored", async () => {
    const { target, sop } = await proved();
    const refusal = (sop_id: string, on: object) => engine.refusal("copy_sop", { sop_id, target: on });
    const reversed = Object.fromEntries(Object.entries(target).toReversed());
    for (const same of [target, reversed])
      expect(await refusal(sop.sop_id, same)).toMatchObject({ code: "input_invalid", issues: [{ path: "target" }] });
    expect(await refusal(UNKNOWN, await engine.aTarget())).toMatchObject({ code: "sop_not_found" });
  });

  test.each(["candidate", "deprecated"] as const)("refuses a version that is %s", async (status) => {
    const target = await engine.aTarget();
    const steps = [cmd("echo x > y"), check("test -s y")];
    const { sop } = await engine.call("teach", { intent: "deploy", target, steps });
    if (status === "deprecated") await engine.settled(sop.sop_id, "reject");
    const refusal = await engine.refusal("copy_sop", { sop_id: sop.sop_id, target: await engine.aTarget() });
    expect(refusal).toMatchObject({ code: "sop_conflict", issues: [{ path: "sop_id" }] });
    expect(refusal.message).toContain(`version 1 is ${status}`);
  });

  test("leaves a value where a parameter would not be filled in, and points it out", async () => {
    const target = await engine.aTarget();
    const { service } = target;
    const steps = [cmd("echo x > y"), check(`awk '/${service}/ { found = 1 } END { exit !found }' y`)];
    const { sop_id } = await engine.promoted(target, steps);
    const other = await engine.aTarget();
    const answer = await engine.call("copy_sop", { sop_id, target: other, with_parameters: true });
    expect(answer).toMatchObject({ sop: { steps }, literals: [{ step_index: 1, key: "service", value: service }] });
  });
});
