// A commit that the database has, and whose response is lost: what it committed is continued within seconds, without a restart,
// and nothing runs twice.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { projection } from "../../../../src/engine/tasks/projection.ts";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { faultyStore } from "../../../support/faulty-store.ts";
import { journalFindings } from "../../../support/journal-check.ts";

const KNOWN = { delegation_mode: "known_only" };
const UNUSABLE = { code: "database_unusable" };
const PATIENCE = { timeout: 15_000 };

const faults = faultyStore();
let engine: Engine;
beforeAll(async () => {
  engine = await openEngine({ faults });
});
afterAll(() => engine[Symbol.asyncDispose]());
beforeEach(() => void faults.lost.splice(0));

const steps = (name: string) => [cmd(`echo x >> ${name}`), check("test -d /")];
const statusOf = async (task_id: string) => (await engine.call("get_task", { task_id })).status;

/** Its one step has run once, and its journal is whole. */
async function expectOnce(name: string): Promise<void> {
  expect(faults.lost).toHaveLength(1);
  expect(engine.linesOf(name)).toEqual(["x"]);
  expect(journalFindings(await engine.store.readJournal(name))).toEqual([]);
}

describe("a lost response to submit_task", () => {
  test("leaves a task that runs all the same", async () => {
    await engine.learn("deploy", engine.targetOf("alone"), steps("alone"));
    faults.lose("alone", "task_accepted");
    expect(await engine.refusal("submit_task", engine.contract("alone", KNOWN))).toMatchObject(UNUSABLE);
    await expect.poll(() => statusOf("alone"), PATIENCE).toBe("ok");
    await expectOnce("alone");
  });
});

describe("a lost response to an answer", () => {
  test("that teach gives leaves a task that runs all the same", async () => {
    await engine.run("taught");
    faults.lose("taught", "taught");
    expect(await engine.refusal("teach", { task_id: "taught", steps: steps("taught") })).toMatchObject(UNUSABLE);
    await expect.poll(() => statusOf("taught"), PATIENCE).toBe("ok");
    await expectOnce("taught");
  });
});

/** A task that asks about its step: the end of the step was not written. */
async function askAbout(name: string): Promise<void> {
  await engine.learn("deploy", engine.targetOf(name), steps(name));
  faults.lose(name, "step_finished", "not_done");
  expect(await engine.run(name, KNOWN)).toMatchObject({
    status: "need_input",
    outcome: { reason_code: "step_outcome_unknown" },
  });
}

describe("a lost response to a pause", () => {
  test("keeps the target of a task that is in the middle of its steps", async () => {
    await engine.learn("restart", engine.targetOf("paused"), [cmd("echo next >> paused"), check("test -d /")]);
    faults.lose("paused", "reported:need_input");
    await askAbout("paused");
    expect(faults.lost).toHaveLength(2);
    const next = engine.contract("paused-next", { ...KNOWN, intent: "restart", target: engine.targetOf("paused") });
    await engine.call("submit_task", next);
    // Longer than the task that asks needs to find out that its pause is on record.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await engine.call("get_task", { task_id: "paused-next" })).toMatchObject({
      status: "accepted",
      queued_behind: "paused",
    });
    await engine.call("resolve_step", { task_id: "paused", resolution: "succeeded" });
    expect(await engine.outcomeOf("paused")).toMatchObject({ status: "ok" });
    expect(await engine.outcomeOf("paused-next")).toMatchObject({ status: "ok" });
    expect(engine.linesOf("paused")).toEqual(["x", "next"]);
  });
});

describe("a lost response to an end", () => {
  test("leaves the target free, and the candidate of a taught task gets its promotion", async () => {
    await engine.run("ended");
    faults.lose("ended", "reported:ok");
    await engine.call("teach", { task_id: "ended", steps: steps("ended") });
    expect(await engine.outcomeOf("ended")).toMatchObject({ status: "ok" });
    const { changes } = projection(await engine.store.readJournal("ended")).versions;
    const { interrupt_id } = await engine.approvalOf(`promotion/${changes[0]?.sop_id}`);
    expect(interrupt_id).not.toBeNull();
    await expectOnce("ended");
    expect(await engine.run("ended-next", { ...KNOWN, target: engine.targetOf("ended") })).toMatchObject({
      status: "blocked",
    });
  });
});

test("a database that was away is noticed within two seconds, and the task that it cut off goes on", async () => {
  const begun = engine.holding("away");
  await engine.learn("deploy", engine.targetOf("away"), [check(begun.value), check("echo x >> away; test -d /")]);
  await engine.call("submit_task", engine.contract("away", KNOWN));
  await engine.begun("away");
  faults.setAway(true);
  engine.letGo("away");
  // Longer than the first pauses of the ladder for other errors.
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  faults.setAway(false);
  const back = performance.now();
  await expect.poll(() => engine.linesOf("away"), { timeout: 10_000, interval: 20 }).toEqual(["x"]);
  // Two, and what a busy machine takes: the ladder would be seven.
  expect(performance.now() - back).toBeLessThan(5_000);
  expect(await engine.outcomeOf("away")).toMatchObject({ status: "ok" });
});

describe("a lost response in the verification by a procedure", () => {
  test.each([
    ["to the submission of the diagnostic task", ".verify", "task_accepted", "done"],
    ["to the record of its verdict", "", "verification_recorded", "done"],
    ["to a record that was not written", "", "verification_recorded", "not_done"],
  ] as const)("%s leaves one task and one verdict", async (_title, of, kind, fault) => {
    const name = `verified-${kind}-${fault}`;
    await engine.learn("deploy", engine.targetOf(name), steps(name));
    await engine.learn("health_check", engine.targetOf(name), [check(`test -s ${name}`)]);
    faults.lost.splice(0);
    faults.lose(`${name}${of}`, kind, fault);
    await engine.run(name, { ...KNOWN, verify_by: "sop:health_check", verify_after_seconds: 0 });
    const look = async () => {
      await engine.armFeatures();
      return (await engine.call("get_task", { task_id: name })).verification?.verified;
    };
    await expect.poll(look, PATIENCE).toBe(true);
    await engine.armFeatures();
    await expectOnce(name);
    const journal = await engine.store.readJournal(name);
    expect(journal.filter(({ kind: is }) => is === "verification_recorded")).toHaveLength(1);
    expect(journalFindings(await engine.store.readJournal(`${name}.verify`))).toEqual([]);
  });
});
