// A task in quarantine: nothing of it runs, it keeps a target that it may have changed, and an operator frees it.
import { afterAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { runSql } from "../../../support/database.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { faultyStore } from "../../../support/faulty-store.ts";
import { databasesOfEachChange, postgres } from "../../../support/postgres.ts";

const KNOWN = { delegation_mode: "known_only" };
const server = postgres();
afterAll(() => server?.stop());

const damage = (engine: Engine, sql: string, id: string) => runSql(engine.database, sql, id);
const damageRow = (engine: Engine, id: string) =>
  damage(engine, "UPDATE task SET contract = '{', waiting = '{' WHERE task_id = ?", id);
const damageJournal = (engine: Engine, id: string) =>
  damage(engine, "UPDATE journal_event SET body = '{' WHERE seq = 2 AND thread_id = ?", id);

/** Another task on the target of the named one. */
async function submitNext(engine: Engine, name: string): Promise<() => Promise<{ status: string }>> {
  const target = engine.targetOf(name);
  await engine.learn("restart", target, [cmd(`echo next >> ${name}`), check("test -d /")]);
  const next = `${name}-next`;
  await engine.call("submit_task", engine.contract(next, { ...KNOWN, intent: "restart", target }));
  return () => engine.outcomeOf(next);
}

/** The named task holds its target, the list says why, and cancelling it lets the next one run. */
async function expectHeldUntilCancelled(engine: Engine, name: string, fault: RegExp): Promise<void> {
  const next = await submitNext(engine, name);
  const { status, queued_behind } = await engine.call("get_task", { task_id: `${name}-next` });
  expect([status, queued_behind]).toEqual(["accepted", name]);
  const listed = { record: "task", id: name, fault: expect.stringMatching(fault) };
  expect((await engine.call("list_inbox", {})).quarantined).toContainEqual(listed);
  const { code, fix } = await engine.refusal("get_task", { task_id: name });
  expect([code, fix]).toEqual(["quarantined", expect.stringContaining("cancel_task ends its task")]);
  expect(await engine.call("cancel_task", { task_id: name, reason: "looked at it" })).toMatchObject({
    status: "cancelled",
    waiting: null,
    queued_behind: null,
    outcome: { message: expect.stringMatching(/in quarantine: looked at it\. .*left as it is/) },
  });
  expect(await next()).toMatchObject({ status: "ok" });
  expect((await engine.call("list_inbox", {})).quarantined).not.toContainEqual(listed);
}

describe.each(databasesOfEachChange(server))("on %s, a task", (_name, create) => {
  test("whose row is damaged while it asks about a step keeps its target at the next start, until it is cancelled", async () => {
    const env = await create();
    const faults = faultyStore();
    await using before = await openEngine({ env, faults });
    await before.learn("deploy", before.targetOf("asks"), [cmd("echo x >> asks"), check("test -d /")]);
    faults.lose("asks", "step_finished", "not_done");
    expect(await before.run("asks", KNOWN)).toMatchObject({ outcome: { reason_code: "step_outcome_unknown" } });
    await damageRow(before, "asks");
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory, env });
    await expectHeldUntilCancelled(after, "asks", /task asks .* cannot be read: contract/);
    expect(await after.call("get_task", { task_id: "asks" })).toMatchObject({ target: after.targetOf("asks") });
    expect(after.linesOf("asks")).toEqual(["x", "next"]);
  });

  test("whose row is damaged in the middle of a step is not run again; one that has not begun does not keep its target", async () => {
    const env = { ...(await create()), ORCH_DRAIN_SECONDS: "0" };
    await using before = await openEngine({ env });
    await before.learn("deploy", before.targetOf("begun"), [before.holding("begun"), check("test -d /")]);
    await before.call("submit_task", before.contract("begun", KNOWN));
    await before.begun("begun");
    expect(await before.run("fresh")).toMatchObject({ status: "need_input" });
    await damageRow(before, "begun");
    await damageRow(before, "fresh");
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory, env });
    expect(await (await submitNext(after, "fresh"))()).toMatchObject({ status: "ok" });
    await expectHeldUntilCancelled(after, "begun", /task begun .* cannot be read/);
    expect(after.linesOf("begun.begun")).toEqual(["x"]);
  });

  test("whose journal is damaged during its run neither ends nor runs again, until it is cancelled", async () => {
    const faults = faultyStore();
    await using engine = await openEngine({ env: await create(), faults });
    await engine.learn("deploy", engine.targetOf("runs"), [engine.holding("runs"), check("test -d /")]);
    await engine.call("submit_task", engine.contract("runs", KNOWN));
    await engine.begun("runs");
    await damageJournal(engine, "runs");
    faults.lose("runs", "step_finished", "not_done");
    engine.letGo("runs");
    const listed = async () => (await engine.call("list_inbox", {})).quarantined;
    await expect.poll(listed, { timeout: 10_000 }).toMatchObject([{ record: "task", id: "runs" }]);
    await expectHeldUntilCancelled(engine, "runs", /event 2 of runs .* cannot be read/);
    expect(engine.linesOf("runs.begun")).toEqual(["x"]);
  });
});

test("a task whose row and journal are both damaged is not cancelled: a backup has to be restored", async () => {
  await using engine = await openEngine();
  await engine.run("both");
  await damageRow(engine, "both");
  await damage(engine, "UPDATE journal_event SET body = '{' WHERE thread_id = ?", "both");
  expect((await engine.refusal("cancel_task", { task_id: "both" })).code).toBe("quarantined");
});
