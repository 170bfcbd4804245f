// list_inbox: everything that waits for the supervisor, and nothing that does not.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

type Item = { kind: string; risk: string; thread_id: string; next: { operation: string; arguments: object }[] };
const inbox = async (over: object = {}): Promise<{ items: Item[]; more: boolean }> => engine.call("list_inbox", over);

describe("the inbox", () => {
  test("has the task to teach, then the promotion that it leaves, then nothing", async () => {
    await engine.run("unknown", { target: { service: "unknown" }, success_criteria: [] });
    expect(await inbox()).toMatchObject({
      more: false,
      items: [{ kind: "teaching", thread_id: "unknown", approval_id: null, next: [{ operation: "teach" }, {}] }],
    });
    const steps = [cmd("echo x > unknown"), check("test -s unknown")];
    const { approval_id } = await engine.call("teach", { task_id: "unknown", steps, wait_seconds: 30 });
    const { items } = await inbox();
    expect(items).toMatchObject([
      {
        kind: "promotion",
        risk: "changes",
        approval_id,
        next: [{ operation: "approve", arguments: { approval_id } }, {}],
      },
    ]);
    await engine.call("approve", { approval_id, decision: "approve" });
    expect((await inbox()).items).toEqual([]);
  });

  test("has the approval of a plan before a task to teach that has waited longer, and says when there are more", async () => {
    const target = engine.targetOf("asks");
    await engine.learn("deploy", target, [cmd("true"), check("test -d /")], { safety_level: "approval_required" });
    await engine.run("older", { target: { service: "older" }, success_criteria: [] });
    await engine.run("asks", { target, delegation_mode: "known_only" });
    expect((await inbox()).items.map(({ kind, risk, thread_id }) => [kind, risk, thread_id])).toEqual([
      ["plan", "looks", "asks"],
      ["teaching", "nothing_runs", "older"],
    ]);
    expect(await inbox({ limit: 1 })).toMatchObject({ more: true, items: [{ thread_id: "asks" }] });
  });
});
