// freeze, thaw and list_freezes as the operations answer, on a database of its own; windows on a clock that the test sets.
import { afterAll, beforeAll, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

const FRIDAY = Date.parse("2026-03-06T12:00:00.000Z");

let engine: Engine;
let now = FRIDAY;
beforeAll(async () => {
  engine = await openEngine({
    clock: () => new Date(now),
    env: { ORCH_FREEZE_WINDOWS: "Fri 16:00 to Mon 07:00 UTC: weekend" },
  });
});
afterAll(() => engine[Symbol.asyncDispose]());

const freeze = async (more: Record<string, unknown> = {}) =>
  (await engine.call("freeze", { reason: "power", ...more })).freeze.freeze_id as string;
const contract = (task_id: string, more: Record<string, unknown> = {}) => engine.contract(task_id, more);

test.each([
  ["an intent that is none", { intent: "dance" }, "intent", "is not a known intent"],
  ["a reason that says nothing", { reason: " " }, "reason", "must say why"],
  ["a target without attributes", { target: {} }, "target", "must have an attribute"],
  [
    "a diagnostic intent that is not to be frozen",
    { intent: "triage", except_diagnostics: true },
    "except_diagnostics",
    "would leave nothing to freeze",
  ],
])("%s is refused by its field", async (_what, more, path, message) => {
  const { issues } = await engine.refusal("freeze", { reason: "power", ...more });
  expect(issues).toMatchObject([{ path, message: expect.stringContaining(message) }]);
});

test("a thaw names one freeze or all of them, and one that there is", async () => {
  for (const given of [{}, { freeze_id: "freeze-0000000f", all: true }])
    expect((await engine.refusal("thaw", given)).issues).toMatchObject([{ path: "freeze_id" }]);
  expect(await engine.refusal("thaw", { freeze_id: "freeze-0000000f" })).toMatchObject({ code: "freeze_not_found" });
  expect(await engine.call("thaw", { all: true })).toEqual({ thawed: [], thawed_before: [], still_held_by: [] });
});

test("a freeze shows in explain, in lists and in the task that it holds, and no longer after the thaw", async () => {
  const held = contract("held");
  const other = contract("other", { intent: "restart" });
  const freeze_id = await freeze({ intent: "deploy", target: { service: held.target["service"] } });
  const held_by_freeze = { freeze_id, reason: "power", until: null };
  expect(await engine.call("explain", { contract: held })).toMatchObject({ would: "need_input", held_by_freeze });
  expect(await engine.call("explain", { contract: other })).toMatchObject({ held_by_freeze: null });
  expect(await engine.call("submit_task", { ...held, wait_seconds: 20 })).toMatchObject({ held_by_freeze });
  expect(await engine.call("submit_task", { ...other, wait_seconds: 20 })).toMatchObject({ status: "need_input" });
  const { tasks } = await engine.call("list_tasks", { status: "accepted" });
  expect(tasks).toMatchObject([{ task_id: "held", held_by_freeze }]);
  expect(await engine.call("list_freezes", {})).toMatchObject({
    in_force: [held_by_freeze],
    freezes: [{ freeze_id, thawed_at: null, frozen_by: "supervisor" }],
  });
  expect((await engine.call("list_inbox", {})).frozen).toEqual([held_by_freeze]);
  await engine.call("thaw", { all: true });
  expect(await engine.call("get_task", { task_id: "held", wait_seconds: 20 })).toMatchObject({
    status: "need_input",
    held_by_freeze: null,
  });
});

test("a cancelled task that was held never ran", async () => {
  const freeze_id = await freeze();
  await engine.call("submit_task", contract("dropped"));
  expect(await engine.call("cancel_task", { task_id: "dropped" })).toMatchObject({ status: "cancelled" });
  await engine.call("thaw", { freeze_id });
  expect(await engine.call("get_task", { task_id: "dropped" })).toMatchObject({ status: "cancelled", steps: [] });
});

test("diagnostics start in a freeze that excepts them", async () => {
  const freeze_id = await freeze({ except_diagnostics: true });
  const looked = await engine.call("submit_task", contract("look", { intent: "triage", wait_seconds: 20 }));
  expect(looked).toMatchObject({ status: "need_input", held_by_freeze: null });
  expect(await engine.call("submit_task", contract("change"))).toMatchObject({ held_by_freeze: { freeze_id } });
  await engine.call("thaw", { freeze_id });
});

test("a freeze whose row was altered holds everything, and can be thawed: its journal says what it was", async () => {
  const freeze_id = await freeze({ intent: "restart" });
  const { work_freeze } = { work_freeze: engine.database.client.freeze };
  await work_freeze.updateMany({ where: { freeze_id }, data: { intent: "triage" } });
  expect((await engine.call("list_freezes", {})).quarantined).toMatchObject([{ record: "freeze", id: freeze_id }]);
  expect(await engine.call("submit_task", contract("unsure"))).toMatchObject({
    status: "accepted",
    held_by_freeze: { freeze_id, reason: expect.stringContaining("cannot be read") },
  });
  const { thawed } = await engine.call("thaw", { freeze_id });
  expect(thawed).toMatchObject([{ freeze_id, intent: "restart", reason: "power", thawed_by: "supervisor" }]);
  expect(await engine.call("get_task", { task_id: "unsure", wait_seconds: 20 })).toMatchObject({
    status: "need_input",
  });
});

test("a window holds what changes something until it ends, and then it runs by itself", async () => {
  await engine.call("submit_task", contract("before", { wait_seconds: 20 }));
  now = Date.parse("2026-03-06T16:00:00.000Z");
  const held_by_freeze = { freeze_id: null, reason: "weekend", until: "2026-03-09T07:00:00.000Z" };
  const steps = [cmd("echo x >> window"), check("test -s window")];
  expect((await engine.call("teach", { task_id: "before", steps })).task).toMatchObject({ held_by_freeze });
  const looked = await engine.call("submit_task", contract("weekend-look", { intent: "triage", wait_seconds: 20 }));
  expect(looked).toMatchObject({ status: "need_input", held_by_freeze: null });
  expect((await engine.call("list_freezes", {})).in_force).toEqual([held_by_freeze]);
  now = Date.parse("2026-03-09T07:00:00.000Z");
  expect(await engine.call("get_task", { task_id: "before", wait_seconds: 20 })).toMatchObject({ status: "ok" });
});
