// Another writer ends a task while this server works on it, as a second server would. The end fences: the worker stops
// before its next effect and writes nothing more.
import { afterAll, describe, expect, test } from "vitest";
import { withdrawn } from "../../../../src/engine/tasks/approval-record.ts";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { cancel, isRefusal } from "../../../../src/engine/tasks/transitions.ts";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { journalFindings } from "../../../support/journal-check.ts";
import { postgres } from "../../../support/postgres.ts";

const KNOWN = { delegation_mode: "known_only" };

/** The commit that cancel_task makes for a task that no server works on. */
async function cancelElsewhere({ store }: Engine, task_id: string): Promise<void> {
  const task = await store.findTask(task_id);
  if (task === null) throw new Error(`there is no task ${task_id}`);
  const journal = await store.readJournal(task_id);
  const at = new Date().toISOString();
  const cancelled = cancel(task, {
    reason: null,
    job: null,
    at,
    withdrawn: withdrawn(projection(journal)),
    restored: null,
  });
  if (isRefusal(cancelled)) throw new Error(cancelled.message);
  expect(await store.commit({ thread_id: task_id, after: journal.at(-1) ?? null, ...cancelled })).toMatchObject({
    ok: true,
  });
}

/** The last event of a thread once the worker has stopped: the target is free for the next task then. */
async function expectEnded(engine: Engine, name: string): Promise<void> {
  await engine.learn("restart", engine.targetOf(name), [check("test -d /")]);
  expect(
    await engine.run(`${name}-next`, { ...KNOWN, intent: "restart", target: engine.targetOf(name) }),
  ).toMatchObject({
    status: "ok",
  });
  const journal = await engine.store.readJournal(name);
  expect([journal.at(-1)?.kind, journalFindings(journal)]).toEqual(["reported", []]);
  expect(await engine.store.findTask(name)).toMatchObject({ status: "cancelled", owner: null });
  expect(await engine.database.client.checkpoint.count({ where: { thread_id: name } })).toBe(0);
}

async function heldInStep1(engine: Engine, name: string, second: string): Promise<void> {
  const steps = [engine.holding(name), cmd(`echo x >> ${name}.second`), check(second)];
  await engine.learn("deploy", engine.targetOf(name), steps);
  await engine.call("submit_task", engine.contract(name, KNOWN));
  await engine.begun(name);
}

async function expectFence(engine: Engine): Promise<void> {
  await heldInStep1(engine, "fenced", "test -d /");
  await cancelElsewhere(engine, "fenced");
  engine.letGo("fenced");
  await expectEnded(engine, "fenced");
  expect(engine.linesOf("fenced.second")).toEqual([]);
}

describe("the end of a task that another server has written", () => {
  test("stops the worker before its next step, with nothing after it", async () => {
    await using engine = await openEngine();
    await expectFence(engine);
  });

  const server = postgres();
  afterAll(() => server?.stop());
  test.skipIf(server === null)("stops it on PostgreSQL too", async () => {
    const DATABASE_URL = (await server?.createDatabase()) ?? "";
    await using engine = await openEngine({ env: { DATABASE_URL } });
    await expectFence(engine);
  });

  test("stops a task that waits for its target before it is claimed", async () => {
    await using engine = await openEngine();
    await heldInStep1(engine, "first", "test -d /");
    await engine.learn("restart", engine.targetOf("first"), [cmd("echo x >> second.ran"), check("test -d /")]);
    const target = engine.targetOf("first");
    await engine.call("submit_task", engine.contract("second", { ...KNOWN, intent: "restart", target }));
    await cancelElsewhere(engine, "second");
    engine.letGo("first");
    expect(await engine.outcomeOf("first")).toMatchObject({ status: "ok" });
    expect(await engine.run("third", { ...KNOWN, intent: "restart", target })).toMatchObject({ status: "ok" });
    expect((await engine.store.readJournal("second")).at(-1)?.kind).toBe("reported");
    expect(engine.linesOf("second.ran")).toEqual(["x"]);
  });
});
