// A text that a flow engine would replace by a secret is not sent to it: policy blocks the task, explain reports it,
// and teach refuses it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nextByReason } from "../../../src/domain/outcome.ts";
import { check, cmd, mcpCall } from "../../support/builders.ts";
import { type Pair, startPair } from "../../support/orch-on-engine.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair({ EXECUTION_BACKEND: "flowengine" });
});
afterAll(() => pair[Symbol.asyncDispose]());

async function run(name: string, over: Record<string, unknown>) {
  await pair.orch.learn("deploy", pair.orch.targetOf(name), [cmd("true"), check("test -d /")]);
  return pair.orch.run(name, { delegation_mode: "known_only", ...over });
}

describe("a value that the engine would replace", () => {
  const reference = { payload: { note: "$WM_TOKEN" } };
  const scope = { constraints: { implicit_scope: ["notes"], require_approval_for: [], max_minutes: 1 } };
  const step = mcpCall({ arguments: { body: ["$var:f/orch/secret"] } });

  test("blocks the task, and no job is submitted", async () => {
    const task = await run("reference", reference);
    expect(task).toMatchObject({
      status: "blocked",
      outcome: {
        reason_code: "engine_reference",
        next: nextByReason("engine_reference", { thread_id: "reference", approval_id: null, step_index: null }),
        message: expect.stringContaining("payload.note"),
      },
    });
    expect(pair.flow.requests).toEqual([]);
  });

  test("is ordinary text for a task that runs on this machine", async () => {
    const local = { ...reference, execution_backend: "local" };
    expect(await run("reference-here", local)).toMatchObject({ status: "ok" });
  });

  test("is reported by explain, and refused by teach", async () => {
    const { orch, flow } = pair;
    const explained = (over: object) =>
      orch.call("explain", { contract: orch.contract("explained", { ...scope, ...over }), steps: [step] });
    expect(await explained({})).toMatchObject({
      would: "block",
      steps: [{ findings: [{ code: "engine.reference" }] }],
    });
    expect(await explained({ execution_backend: "local" })).not.toMatchObject({ would: "block" });
    await orch.run("untaught", scope);
    const refusal = await orch.refusal("teach", { task_id: "untaught", steps: [step, check("test -d /")] });
    expect(refusal).toMatchObject({ code: "sop_steps_invalid", message: expect.stringContaining("engine.reference") });
    expect(await orch.outcomeOf("untaught")).toMatchObject({ status: "need_input" });
    expect(flow.requests).toEqual([]);
  });
});
