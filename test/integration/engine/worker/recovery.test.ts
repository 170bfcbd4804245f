// What a server finds that a lost server left in the middle of a step.
import { expect, test } from "vitest";
import { TaskContract } from "../../../../src/domain/contract.ts";
import { brokenLink, type NewEvent } from "../../../../src/domain/journal.ts";
import { accept, claim } from "../../../../src/engine/tasks/transitions.ts";
import { giveUp } from "../../../../src/engine/worker/give-up.ts";
import { AT, aResult, check, cmd } from "../../../support/builders.ts";
import { runSql } from "../../../support/database.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { procedureOf } from "../../../support/pipeline-parts.ts";

/** A running task that these servers claimed one after the other, each of which crashed in this step. */
async function crashedIn(engine: Engine, name: string, index: number, owners: readonly string[]): Promise<void> {
  const { store } = engine;
  const steps = [cmd(`echo x >> ${name}`), check(`echo checked >> ${name}; test -d /`)];
  const contract = TaskContract.parse(engine.contract(name, { delegation_mode: "known_only" }));
  await store.commit({ thread_id: name, after: null, ...accept({ contract, backend: "local", at: AT }) });
  for (const [nth, owner] of owners.entries()) {
    const claimed = claim({
      task_id: name,
      owner,
      lease_expires_at: AT,
      recovery: nth > 0,
      left_by: owners[nth - 1] ?? null,
      ...(nth > 0 && { crashed: true }),
    });
    const pinned: NewEvent[] = nth > 0 ? [] : [{ kind: "sop_pinned", body: procedureOf(steps, { sop_id: null }) }];
    const passed: NewEvent[] =
      index === 0 || nth > 0
        ? []
        : [
            { kind: "step_started", body: { index: 0, attempt: 1 } },
            { kind: "step_finished", body: aResult({ index: 0 }) },
          ];
    const started: NewEvent = { kind: "step_started", body: { index, attempt: 1 } };
    const events = [...claimed.events, ...pinned, ...passed, started];
    await store.commit({ thread_id: name, after: "last", events, changes: claimed.changes });
  }
}

test("a task in which two servers crashed is parked, keeps its target, also after a start, and goes on when it is answered", async () => {
  await using before = await openEngine();
  await crashedIn(before, "once", 1, ["a", "b"]);
  await crashedIn(before, "twice", 1, ["a", "b", "c"]);
  await before.shutDown();
  const parked = { status: "need_input", outcome: { reason_code: "parked", step_index: 1 } };
  await using between = await openEngine({ directory: before.directory });
  expect(await between.outcomeOf("once")).toMatchObject({ status: "ok" });
  expect(await between.outcomeOf("twice")).toMatchObject(parked);
  await between.shutDown();
  await using after = await openEngine({ directory: before.directory });
  expect(await after.outcomeOf("twice")).toMatchObject(parked);
  const target = after.targetOf("twice");
  await after.learn("restart", target, [cmd("echo next >> twice"), check("test -d /")]);
  await after.call("submit_task", after.contract("next", { delegation_mode: "known_only", intent: "restart", target }));
  expect(await after.call("get_task", { task_id: "next" })).toMatchObject({ queued_behind: "twice" });
  for (const _again of [1, 2]) await after.call("resolve_step", { task_id: "twice", resolution: "retry" });
  expect(await after.outcomeOf("twice")).toMatchObject({ status: "ok" });
  expect(await after.outcomeOf("next")).toMatchObject({ status: "ok" });
  expect(after.linesOf("twice")).toEqual(["checked", "next"]);
});

test("a task that was given up in the middle of a step keeps its target, also after a start, and goes on when it is answered", async () => {
  await using before = await openEngine();
  await crashedIn(before, "given-up", 0, ["a"]);
  const { store } = before;
  expect(await giveUp({ store, clock: () => new Date() }, "given-up", "the network failed")).toEqual({ is: "asked" });
  await before.shutDown();
  await using after = await openEngine({ directory: before.directory });
  const target = after.targetOf("given-up");
  await after.learn("restart", target, [cmd("echo next >> given-up"), check("test -d /")]);
  await after.call("submit_task", after.contract("next", { delegation_mode: "known_only", intent: "restart", target }));
  expect(await after.call("get_task", { task_id: "next" })).toMatchObject({ queued_behind: "given-up" });
  await after.call("resolve_step", { task_id: "given-up", resolution: "succeeded" });
  expect(await after.outcomeOf("given-up")).toMatchObject({ status: "ok" });
  expect(await after.outcomeOf("next")).toMatchObject({ status: "ok" });
  expect(after.linesOf("given-up")).toEqual(["checked", "next"]);
});

test("a task whose last events the database has lost runs nothing again, and its end names the steps that may have run", async () => {
  await using engine = await openEngine();
  const { value } = engine.holding("lost");
  const steps = [cmd(value), cmd("echo second >> lost.begun"), check("test -d /")];
  await engine.learn("deploy", engine.targetOf("lost"), steps);
  await engine.call("submit_task", engine.contract("lost", { delegation_mode: "known_only" }));
  await engine.begun("lost");
  const { length } = await engine.store.readJournal("lost");
  const args = ["lost", length - 2];
  await runSql(engine.database, "DELETE FROM journal_event WHERE thread_id = ? AND seq > ?", ...args);
  engine.letGo("lost");
  const { status, outcome } = await engine.outcomeOf("lost");
  expect([status, outcome.message]).toEqual([
    "failed",
    "the database has lost events of this task, and these steps may have run: 0; none is run again.",
  ]);
  expect(engine.linesOf("lost.begun")).toEqual(["x"]);
  const journal = await engine.store.readJournal("lost");
  expect(brokenLink(journal)).toBeNull();
  expect(journal.map(({ kind }) => kind)).toContain("step_finished");
});
