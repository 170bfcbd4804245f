// Rows that were changed on the disk and can still be read (D-244): what they belong to does not run, and nothing else stops.
import { afterAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { runSql } from "../../../support/database.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { databasesOfEachChange, postgres } from "../../../support/postgres.ts";

const KNOWN = { delegation_mode: "known_only" };
const server = postgres();
afterAll(() => server?.stop());

const alter = (engine: Engine, sql: string, ...args: string[]) => runSql(engine.database, sql, ...args);
const learnEcho = (engine: Engine, name: string, over: object = {}) =>
  engine.learn("deploy", engine.targetOf(name), [cmd(`echo x >> ${name}`), check("test -d /")], over);

describe.each(databasesOfEachChange(server))("on %s,", (_name, create) => {
  test.each([
    ["its row says that it has ended", "UPDATE task SET status = 'ok' WHERE task_id = ?"],
    ["its row names another target", "UPDATE task SET target_signature = 'service=x' WHERE task_id = ?"],
    [
      "a record of it says another thing",
      "UPDATE journal_event SET body = replace(body, '\"recovery\":false', '\"recovery\":true') WHERE thread_id = ?",
    ],
    ["a record of it is gone", "DELETE FROM journal_event WHERE seq = 3 AND thread_id = ?"],
  ])("a task that was cut off in a step does not go on and keeps its target when %s", async (_what, sql) => {
    const env = { ...(await create()), ORCH_DRAIN_SECONDS: "0" };
    await using before = await openEngine({ env });
    await before.learn("deploy", before.targetOf("cut"), [before.holding("cut"), check("test -d /")]);
    await learnEcho(before, "free");
    await before.call("submit_task", before.contract("cut", KNOWN));
    await before.begun("cut");
    await alter(before, sql, "cut");
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory, env });
    expect((await after.call("list_inbox", {})).quarantined).toMatchObject([{ record: "task", id: "cut" }]);
    expect(await after.run("free", KNOWN)).toMatchObject({ status: "ok" });
    const next = after.contract("next", { ...KNOWN, target: after.targetOf("cut") });
    expect(await after.call("submit_task", next)).toMatchObject({ status: "accepted", queued_behind: "cut" });
    await after.call("cancel_task", { task_id: "next" });
    expect(await after.call("cancel_task", { task_id: "cut" })).toMatchObject({ status: "cancelled" });
    expect(after.linesOf("cut.begun")).toEqual(["x"]);
  });

  test.each([
    ["the approval", "UPDATE approval SET expires_at = replace(expires_at, '20', '21') WHERE thread_id = ?"],
    ["the row of the task", "UPDATE task SET sop_version = 7 WHERE task_id = ?"],
    ["a record of the task", "UPDATE journal_event SET at = replace(at, '20', '21') WHERE seq = 2 AND thread_id = ?"],
  ])("a decision is not accepted once %s was altered, and no step runs", async (_what, sql) => {
    await using engine = await openEngine({ env: await create() });
    await learnEcho(engine, "asks", { safety_level: "approval_required" });
    await engine.run("asks", KNOWN);
    const { approval_id } = await engine.approvalOf("asks");
    await alter(engine, sql, "asks");
    const { code } = await engine.refusal("approve", { approval_id, decision: "approve" });
    expect(code).toBe("quarantined");
    expect(engine.linesOf("asks")).toEqual([]);
  });

  test("a version whose row was altered blocks its tasks, and no other version does", async () => {
    await using engine = await openEngine({ env: await create() });
    const { sop_id } = await learnEcho(engine, "altered");
    await learnEcho(engine, "other");
    await alter(engine, "UPDATE sop SET safety_level = 'approval_required' WHERE sop_id = ?", sop_id);
    expect(await engine.run("altered", KNOWN)).toMatchObject({ outcome: { reason_code: "sop_altered" } });
    expect(await engine.run("other", KNOWN)).toMatchObject({ status: "ok" });
  });

  test("rows from before there were sums are taken as they are, and have a sum after the next start", async () => {
    const env = await create();
    await using before = await openEngine({ env });
    const { sop_id } = await learnEcho(before, "old");
    for (const table of ["task", "sop", "approval", "server"]) await alter(before, `UPDATE ${table} SET row_sum = ''`);
    expect(await before.store.findSop(sop_id)).toMatchObject({ status: "active" });
    // The server has lost its own row with that, and hears of it.
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory, env });
    expect(await after.run("old", KNOWN)).toMatchObject({ status: "ok" });
    await alter(after, "UPDATE sop SET steps = replace(steps, 'echo', 'printf') WHERE sop_id = ?", sop_id);
    await expect(after.store.findSop(sop_id)).rejects.toMatchObject({ code: "quarantined" });
  });
});
