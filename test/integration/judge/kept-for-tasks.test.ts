// Each task of a procedure is judged for itself: what was kept of another one does not serve it (D-398).
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { JudgeOrder } from "../../../src/judge/thread.ts";
import { check, cmd } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";

let engine: Engine;
const orders: string[] = [];
beforeAll(async () => {
  engine = await openEngine({ env: { BEFORE_LOOK: "on", CHECK_LOOKS: "on" } });
  const { postMessage } = Worker.prototype;
  vi.spyOn(Worker.prototype, "postMessage").mockImplementation(function (this: Worker, message: JudgeOrder) {
    if ("given" in message) orders.push(message.name);
    postMessage.call(this, message);
  });
});
afterEach(() => orders.splice(0));
afterAll(async () => {
  vi.restoreAllMocks();
  await engine[Symbol.asyncDispose]();
});

/** The judgements that reach the thread for each of so many tasks, one after the other. */
async function judgedFor(target: { readonly service: string }, over: readonly object[]): Promise<string[][]> {
  const judged: string[][] = [];
  for (const [nth, one] of over.entries()) {
    orders.splice(0);
    const task = await engine.submit({
      task_id: `${target.service}-${nth}`,
      target,
      success_criteria: [],
      delegation_mode: "known_only",
      requested_at: `2026-03-06T09:00:0${nth}Z`,
      ...one,
    });
    expect(task.status).toBe("ok");
    judged.push([...new Set(orders)].sort());
  }
  return judged;
}

test("a task whose steps read its id, and one that has another payload, is judged for itself", async () => {
  const target = { service: "own" };
  await engine.learn("deploy", target, [cmd('eval "touch ran-\\$ORCH_TASK""_ID"'), check("test -d /")]);
  const [, second, other] = await judgedFor(target, [{}, {}, { payload: { version: 2 } }]);
  expect(second).toEqual(expect.arrayContaining(["examinePlan"]));
  expect(other).toEqual(expect.arrayContaining(["examinePlan", "runBy"]));
});
