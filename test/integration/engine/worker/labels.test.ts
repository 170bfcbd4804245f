// Where a task runs, on orch as it is composed: a task waits for a server with its labels, says for which, and what was approved for one
// place runs nowhere else.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approvalDigest } from "../../../../src/domain/approval.ts";
import { verifyBundle } from "../../../../src/engine/evidence/verify/bundle.ts";
import { startFlowEngine } from "../../../simulators/flow-engine/flow-engine.ts";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";
import { engineEnv } from "../../../support/orch-on-engine.ts";

const DOCKER = { env: { ORCH_LABELS: "docker" } };
const STEPS = [cmd("echo x >> $ORCH_TASK_ID.ran"), check("test -d /")];
const KNOWN = { delegation_mode: "known_only" };
const ASKING = { safety_level: "approval_required" };

let engine: Engine;
beforeAll(async () => {
  const target_labels = [{ match: { service: "of-target" }, labels: ["zfs"] }];
  engine = await openEngine({ ...DOCKER, target_labels });
});
afterAll(() => engine[Symbol.asyncDispose]());

async function submit(name: string, over: Record<string, unknown> = {}) {
  await engine.learn("deploy", engine.targetOf(name), STEPS);
  return engine.call("submit_task", engine.contract(name, { ...KNOWN, ...over }));
}

describe("a task", () => {
  test("runs where its labels are, and has them in its view, its row and its journal", async () => {
    await submit("served", { runs_on: ["host:house", "docker"] });
    expect(await engine.outcomeOf("served")).toMatchObject({
      status: "ok",
      runs_on: ["docker", "host:house"],
      queued_for: null,
    });
    const evidence = await engine.call("get_evidence", { task_id: "served" });
    expect(evidence.journal[0]).toMatchObject({ body: { runs_on: ["docker", "host:house"] } });
    expect(verifyBundle(evidence)).toMatchObject({ faults: [] });
    expect(await engine.store.findTask("served")).toMatchObject({ runs_on: ["docker", "host:house"] });
  });

  test("whose labels no server has waits, and says for which and what may be done", async () => {
    const view = await submit("waits", { runs_on: ["docker", "zfs"] });
    expect(view).toMatchObject({ status: "accepted", runs_on: ["docker", "zfs"], queued_for: ["zfs"] });
    expect(view.next.map(({ text }: { text: string }) => text).join(" ")).toContain("ORCH_LABELS");
    await engine.dispatcher.reconcile();
    const { tasks } = await engine.call("list_tasks", {});
    expect(tasks.find(({ task_id }: { task_id: string }) => task_id === "waits")).toMatchObject({
      queued_for: ["zfs"],
    });
    expect(engine.linesOf("waits.ran")).toEqual([]);
    // It holds no target while it waits.
    expect(await engine.run("after-it", { ...KNOWN, target: engine.targetOf("waits") })).toMatchObject({
      status: "ok",
    });
    expect(await engine.call("cancel_task", { task_id: "waits" })).toMatchObject({
      status: "cancelled",
      queued_for: null,
    });
  });

  test("has the labels of its target where its contract names none", async () => {
    expect(await submit("of-target")).toMatchObject({ runs_on: ["zfs"], queued_for: ["zfs"] });
    const own = { ...KNOWN, target: engine.targetOf("of-target"), runs_on: ["docker"] };
    expect(await engine.run("of-contract", own)).toMatchObject({ status: "ok", runs_on: ["docker"] });
  });
});

test("explain says before which labels a contract needs, and that no server has them", async () => {
  const explained = (over: Record<string, unknown>) =>
    engine.call("explain", { contract: engine.contract("ahead", over) });
  expect(await explained({ runs_on: ["zfs", "docker"] })).toMatchObject({
    runs_on: ["docker", "zfs"],
    queued_for: ["zfs"],
  });
  expect(await explained({ runs_on: ["docker"] })).toMatchObject({ runs_on: ["docker"], queued_for: null });
  expect(await explained({ target: engine.targetOf("of-target") })).toMatchObject({
    runs_on: ["zfs"],
    queued_for: ["zfs"],
  });
  expect(await explained({})).toMatchObject({ runs_on: null, queued_for: null });
});

describe("an approval", () => {
  const asked = async (name: string, over: Record<string, unknown> = {}) => {
    await engine.run(name, { target: engine.targetOf("asks"), ...over });
    await engine.call("teach", { task_id: name, steps: STEPS, ...ASKING });
    return engine.approvalOf(name);
  };

  test("covers where the steps run: without the labels it is another one", async () => {
    const placed = await asked("asks-placed", { runs_on: ["docker"] });
    expect(placed.content).toMatchObject({ runs_on: ["docker"], contract: { runs_on: ["docker"] } });
    const { runs_on: _labels, ...elsewhere } = placed.content;
    expect(approvalDigest(placed.content)).toBe(placed.digest);
    expect(approvalDigest(elsewhere)).not.toBe(placed.digest);
    const { items } = await engine.call("list_inbox", {});
    const item = items.find(({ thread_id }: { thread_id: string }) => thread_id === "asks-placed");
    expect(item.text).toMatch(/It runs only where there is docker\.$/);
    const { outcome } = await engine.call("get_task", { task_id: "asks-placed" });
    expect(outcome.message).toContain("It runs only where there is docker.");
    await engine.call("cancel_task", { task_id: "asks-placed" });
  });
});

test("a server without the labels neither resumes nor recovers a task, and one that has them goes on with it", async () => {
  const first = await openEngine({ env: { ORCH_LABELS: "zfs" } });
  const { directory } = first;
  await first.run("moves", { target: first.targetOf("moves"), runs_on: ["zfs"] });
  await first.call("teach", { task_id: "moves", steps: STEPS, ...ASKING });
  const { approval_id } = await first.approvalOf("moves");
  await first.shutDown();
  const second = await openEngine({ directory, ...DOCKER });
  await second.call("approve", { approval_id, decision: "approve" });
  await second.dispatcher.reconcile();
  // It would have run by then.
  expect(await second.call("get_task", { task_id: "moves", wait_seconds: 1 })).toMatchObject({
    status: "running",
    queued_for: ["zfs"],
  });
  expect(second.linesOf("moves.ran")).toEqual([]);
  await second.shutDown();
  const third = await openEngine({ directory, env: { ORCH_LABELS: "zfs" } });
  expect(await third.outcomeOf("moves")).toMatchObject({ status: "ok", queued_for: null });
  expect(third.linesOf("moves.ran")).toEqual(["x"]);
  expect(verifyBundle(await third.call("get_evidence", { task_id: "moves" }))).toMatchObject({ faults: [] });
  await third.shutDown();
  await first[Symbol.asyncDispose]();
});

test("a task of the flow engine needs no label of the server: its job has them as its tag", async () => {
  await using flow = await startFlowEngine();
  await using it = await openEngine({ env: { ...engineEnv(flow), EXECUTION_BACKEND: "flowengine" } });
  await it.learn("deploy", it.targetOf("tagged"), [check("test -d /")]);
  expect(await it.run("tagged", { ...KNOWN, runs_on: ["zfs", "docker"] })).toMatchObject({
    status: "ok",
    queued_for: null,
  });
  expect(flow.jobs.map(({ tag }) => tag)).toEqual(["docker+zfs"]);
});
