// When a task is claimed: in the queue of its target, a limited number at once, and again after a stop or an error.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { check, cmd, wait } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { journalFindings } from "../../../support/journal-check.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ env: { ORCH_CONCURRENCY: "4" } });
});
afterAll(() => engine[Symbol.asyncDispose]());

const KNOWN = { delegation_mode: "known_only" };
const begin = (on: Engine, name: string, over: object = {}) =>
  on.call("submit_task", on.contract(name, { ...KNOWN, ...over }));

/** Appends a line with its task when it begins and when it ends. */
const marked = (file: string, between: string) =>
  cmd(`echo "+$ORCH_TASK_ID" >> ${file}; ${between}; echo "-$ORCH_TASK_ID" >> ${file}`);

describe("a target", () => {
  test("runs one task at a time, in order of submission, and a waiting task names the task before it", async () => {
    const target = engine.targetOf("line");
    await engine.learn("deploy", target, [marked("line", engine.holding("line").value), check("test -d /")]);
    await engine.learn("restart", target, [marked("line", "sleep 0.01"), check("test -d /")]);
    await begin(engine, "line-1", { target });
    await begin(engine, "line-2", { target, intent: "restart" });
    const third = await begin(engine, "line-3", { target });
    expect(third).toMatchObject({ status: "accepted", queued_behind: "line-1" });
    expect((await engine.call("get_task", { task_id: "line-1" })).queued_behind).toBeNull();
    engine.letGo("line");
    expect(await engine.outcomeOf("line-3")).toMatchObject({ status: "ok", queued_behind: null });
    expect(engine.linesOf("line")).toEqual(["+line-1", "-line-1", "+line-2", "-line-2", "+line-3", "-line-3"]);
  });

  test("is shared by diagnostic intents, with each other and with a task that changes it", async () => {
    const target = engine.targetOf("shared");
    await engine.learn("deploy", target, [engine.holding("shared"), check("test -d /")]);
    for (const intent of ["triage", "collect_logs"])
      await engine.learn(intent, target, [wait("50ms"), check("test -d /")]);
    await begin(engine, "shared-deploy", { target });
    await engine.begun("shared");
    const looking = await Promise.all(
      ["triage", "collect_logs"].map((intent) => begin(engine, `shared-${intent}`, { target, intent })),
    );
    expect(looking.map(({ queued_behind }) => queued_behind)).toEqual([null, null]);
    for (const name of ["shared-triage", "shared-collect_logs"]) await engine.outcomeOf(name);
    expect(await engine.call("get_task", { task_id: "shared-deploy" })).toMatchObject({ status: "running" });
    engine.letGo("shared");
    await engine.outcomeOf("shared-deploy");
  });

  test("is not held by a task that waits before its first step", async () => {
    const target = engine.targetOf("free");
    await engine.run("free-1", { target });
    await engine.learn("restart", target, [check("test -d /")]);
    expect(await engine.run("free-2", { ...KNOWN, target, intent: "restart" })).toMatchObject({ status: "ok" });
    await engine.call("teach", { task_id: "free-1", steps: [check("test -d /")] });
    expect(await engine.outcomeOf("free-1")).toMatchObject({ status: "ok" });
  });
});

test("at most ORCH_CONCURRENCY tasks run at once, and all of them end", async () => {
  const names = Array.from({ length: 10 }, (_, nth) => `many-${nth}`);
  const script = cmd('touch "many-$ORCH_TASK_ID"; ls | grep -c "^many-" >> counts; sleep 0.1; rm "many-$ORCH_TASK_ID"');
  for (const name of names) await engine.learn("deploy", engine.targetOf(name), [script, check("test -d /")]);
  const tasks = await Promise.all(names.map((name) => engine.run(name, KNOWN)));
  expect(tasks.map(({ status }) => status)).toEqual(names.map(() => "ok"));
  expect(Math.max(...engine.linesOf("counts").map(Number))).toBeLessThanOrEqual(4);
});

describe("after a stop", () => {
  test("every unfinished task is resumed at its position, in the queue of its target, and no step runs twice", async () => {
    await using before = await openEngine({ env: { ORCH_CONCURRENCY: "1", ORCH_DRAIN_SECONDS: "0" } });
    const target = before.targetOf("web");
    await before.learn("deploy", target, [
      cmd("echo a >> ran"),
      wait("1500ms"),
      cmd("echo b >> ran"),
      check("test -d /"),
    ]);
    await before.learn("restart", target, [cmd("echo c >> ran"), check("test -d /")]);
    await before.run("waiting");
    await begin(before, "running", { target });
    await begin(before, "in-line", { target, intent: "restart" });
    await begin(before, "in-queue");
    const isWaiting = async () =>
      projection(await before.store.readJournal("running")).steps.records.get(1)?.state === "started";
    await expect.poll(isWaiting, { timeout: 10_000 }).toBe(true);
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory });
    expect(await after.outcomeOf("running")).toMatchObject({ status: "ok" });
    expect(await after.outcomeOf("in-line")).toMatchObject({ status: "ok" });
    expect(await after.outcomeOf("in-queue")).toMatchObject({ status: "blocked" });
    expect(await after.outcomeOf("waiting")).toMatchObject({ status: "need_input" });
    expect(after.linesOf("ran")).toEqual(["a", "b", "c"]);
    for (const task_id of ["running", "in-line", "in-queue"]) {
      expect(journalFindings(await after.store.readJournal(task_id))).toEqual([]);
    }
    expect(
      await after.call("teach", { task_id: "waiting", steps: [check("test -d /")], wait_seconds: 30 }),
    ).toMatchObject({
      task: { status: "ok" },
    });
  });

  test("a running step may finish, and the next one runs after the next start", async () => {
    await using before = await openEngine();
    const steps = [marked("ran", before.holding("drained").value), cmd("echo next >> ran"), check("test -d /")];
    await before.learn("deploy", before.targetOf("drained"), steps);
    await begin(before, "drained");
    await before.begun("drained");
    const down = before.shutDown();
    before.letGo("drained");
    await down;
    expect(before.linesOf("ran")).toEqual(["+drained", "-drained"]);
    await using after = await openEngine({ directory: before.directory });
    expect(await after.outcomeOf("drained")).toMatchObject({ status: "ok" });
    expect(after.linesOf("ran")).toEqual(["+drained", "-drained", "next"]);
  });

  test("an approval counts that was given to a task before its first step ran", async () => {
    await using before = await openEngine();
    await before.learn("deploy", before.targetOf("answered"), [cmd("echo x >> ran"), check("test -d /")], {
      safety_level: "approval_required",
    });
    await begin(before, "answered");
    const { approval_id } = await before.approvalOf("answered");
    await before.dispatcher.drain(0);
    await before.call("approve", { approval_id, decision: "approve" });
    await before.shutDown();
    await using after = await openEngine({ directory: before.directory });
    expect(await after.outcomeOf("answered")).toMatchObject({ status: "ok" });
    expect(after.linesOf("ran")).toEqual(["x"]);
  });
});

describe("an error of orch itself", () => {
  /** Lets the database refuse one kind of event while its task is claimed for the first time. */
  const refusing = (task_id: string, kind: string) =>
    engine.database.client.$executeRawUnsafe(
      `CREATE TRIGGER "refusing ${task_id}" BEFORE INSERT ON journal_event
       WHEN NEW.thread_id = '${task_id}' AND NEW.kind = '${kind}' AND 1 =
         (SELECT count(*) FROM journal_event WHERE thread_id = '${task_id}' AND kind = 'taken_up')
       BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`,
    );

  test("leaves the task running, and it is recovered from its journal", async () => {
    await engine.learn("deploy", engine.targetOf("retaken"), [cmd("echo x >> retaken"), check("test -d /")]);
    await refusing("retaken", "verdict_reached");
    await begin(engine, "retaken");
    expect(await engine.outcomeOf("retaken")).toMatchObject({ status: "ok" });
    expect(engine.linesOf("retaken")).toEqual(["x"]);
    const journal = await engine.store.readJournal("retaken");
    expect(journalFindings(journal)).toEqual([]);
    expect(journal.filter(({ kind }) => kind === "taken_up")).toMatchObject([
      { body: { recovery: false } },
      { body: { recovery: true } },
    ]);
  });

  test("is named in the question about the step that it cut off", async () => {
    await engine.learn("deploy", engine.targetOf("cut"), [cmd("echo x >> cut"), check("test -d /")]);
    await refusing("cut", "step_finished");
    await begin(engine, "cut");
    const { outcome } = await engine.outcomeOf("cut");
    expect(outcome.message).toMatch(/Step 0 was started and its end was not recorded: .*the disk is full/);
    expect(outcome.message).not.toContain("stopped");
    expect(engine.linesOf("cut")).toEqual(["x"]);
  });

  test("does not start a step whose start could not be recorded", async () => {
    const steps = [cmd("echo x >> unrecorded"), check("test -d /")];
    await engine.learn("deploy", engine.targetOf("unrecorded"), steps);
    await refusing("unrecorded", "step_started");
    await begin(engine, "unrecorded");
    expect(await engine.outcomeOf("unrecorded")).toMatchObject({ status: "ok" });
    expect(engine.linesOf("unrecorded")).toEqual(["x"]);
  });

  test("leaves a task that can be cancelled before it is claimed again", async () => {
    await engine.learn("deploy", engine.targetOf("given-up"), [cmd("echo x >> given-up"), check("test -d /")]);
    await refusing("given-up", "step_started");
    await begin(engine, "given-up");
    const kinds = async () => (await engine.store.readJournal("given-up")).map(({ kind }) => kind);
    await expect.poll(kinds, { timeout: 10_000 }).toContain("taken_up");
    expect(await engine.call("cancel_task", { task_id: "given-up" })).toMatchObject({ status: "cancelled" });
    expect(engine.linesOf("given-up")).toEqual([]);
  });
});
