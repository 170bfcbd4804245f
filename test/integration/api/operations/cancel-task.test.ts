// cancel_task in every state of a task.
import { describe, expect, test } from "vitest";
import { expectGone } from "../../../../src/execution/test/integration/local/a-command.ts";
import { check, cmd, wait } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";
import { journalFindings } from "../../../support/journal-check.ts";
import { startRoutingModel } from "../../../support/routing-model.ts";

const model = held(await startRoutingModel());
const engine = held(await openEngine({ env: { ...model.env, ORCH_CONCURRENCY: "2" } }));

const KNOWN = { delegation_mode: "known_only" };
const cancel = (task_id: string, over: object = {}) => engine.call("cancel_task", { task_id, ...over });
const begin = (name: string, over: object = {}) =>
  engine.call("submit_task", engine.contract(name, { ...KNOWN, ...over }));
const linesBegun = (name: string, count: number) =>
  expect.poll(() => engine.linesOf(name), { timeout: 10_000 }).toHaveLength(count);

/** Starts a task whose first step writes the ids of two processes and then takes a minute. */
async function running(name: string) {
  const step = cmd(`echo $$ >> ${name}.pids; sleep 61 & echo $! >> ${name}.pids; wait`);
  await engine.learn("deploy", engine.targetOf(name), [step, check(`echo x >> ${name}.after`)]);
  await begin(name);
  await linesBegun(`${name}.pids`, 2);
  return engine.linesOf(`${name}.pids`).map(Number);
}

describe("a task that runs", () => {
  test("is cancelled, its processes are ended, no step runs after it, and the evidence is kept", async () => {
    const pids = await running("running");
    expect(await cancel("running", { reason: "wrong host" })).toMatchObject({
      status: "cancelled",
      label: "CANCELLED",
      outcome: { reason_code: "cancelled" },
    });
    await expectGone(pids);
    expect(engine.linesOf("running.after")).toEqual([]);
    const evidence = await engine.call("get_evidence", { task_id: "running" });
    expect(evidence.step_results).toMatchObject([{ index: 0, status: "failed", exit_code: null }]);
    const asked = evidence.journal.find(({ kind }: { kind: string }) => kind === "cancel_requested");
    expect([asked.body, evidence.broken_link]).toEqual([{ reason: "wrong host" }, null]);
  });

  test("frees its target for the next task in the queue", async () => {
    await running("frees");
    await engine.learn("restart", engine.targetOf("frees"), [cmd("echo x >> frees.next"), check("test -d /")]);
    await begin("frees-next", { target: engine.targetOf("frees"), intent: "restart" });
    await cancel("frees");
    expect(await engine.outcomeOf("frees-next")).toMatchObject({ status: "ok" });
  });

  test("is cancelled in a wait, and while the model is asked", async () => {
    await engine.learn("deploy", engine.targetOf("waits"), [cmd("echo x >> waits"), wait("60s"), check("test -d /")]);
    await begin("waits");
    await linesBegun("waits", 1);
    model.says("echo silent", "is silent");
    await engine.learn("deploy", engine.targetOf("asking"), [cmd("echo silent"), check("test -d /")]);
    const constraints = { implicit_scope: [], require_approval_for: ["anything"] };
    await begin("asking", { constraints });
    await expect.poll(() => model.askedAbout("echo silent"), { timeout: 10_000 }).toHaveLength(1);
    const tasks = await Promise.all([cancel("waits"), cancel("asking")]);
    expect(tasks.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  });
});

describe("a task that waits", () => {
  test("for its target is cancelled and never runs", async () => {
    const pids = await running("in-line");
    await engine.learn("restart", engine.targetOf("in-line"), [cmd("echo x >> in-line.ran"), check("test -d /")]);
    await begin("in-line-next", { target: engine.targetOf("in-line"), intent: "restart" });
    expect(await cancel("in-line-next")).toMatchObject({ status: "cancelled", steps: [] });
    await cancel("in-line");
    await expectGone(pids);
    expect(await begin("in-line-last", { target: engine.targetOf("in-line"), intent: "restart" })).toBeDefined();
    expect(await engine.outcomeOf("in-line-last")).toMatchObject({ status: "ok" });
    expect(engine.linesOf("in-line.ran")).toEqual(["x"]);
  });

  test("to be taught is cancelled, and can no longer be taught", async () => {
    await engine.run("to-teach");
    expect(await cancel("to-teach")).toMatchObject({ status: "cancelled", waiting: null });
    const refused = await engine.refusal("teach", { task_id: "to-teach", steps: [check("test -d /")] });
    expect([refused.code, refused.current]).toMatchObject(["task_not_waiting", { status: "cancelled" }]);
  });

  test("with an open approval is cancelled, and the approval can no longer be given", async () => {
    await engine.learn("deploy", engine.targetOf("to-approve"), [cmd("echo x >> approved"), check("test -d /")], {
      safety_level: "approval_required",
    });
    await engine.run("to-approve", KNOWN);
    const { approval_id } = await engine.approvalOf("to-approve");
    expect(await cancel("to-approve")).toMatchObject({ status: "cancelled" });
    const refused = await engine.refusal("approve", { approval_id, decision: "approve" });
    expect([refused.code, refused.current]).toMatchObject(["approval_not_pending", { status: "superseded" }]);
    expect(engine.linesOf("approved")).toEqual([]);
  });
});

test("a task that has ended cannot be cancelled, and a cancelled one stays cancelled", async () => {
  await engine.run("ended", KNOWN);
  const { code, current } = await engine.refusal("cancel_task", { task_id: "ended" });
  expect([code, current]).toMatchObject(["task_ended", { task_id: "ended", status: "blocked" }]);
  await engine.run("twice");
  expect(await cancel("twice")).toEqual(await cancel("twice"));
  expect((await engine.refusal("cancel_task", { task_id: "never-was" })).code).toBe("task_not_found");
});

test("a cancellation at the same time as an approval leaves one end, and no step starts after it", async () => {
  const target = engine.targetOf("meets");
  await engine.learn("triage", target, [check("test -d /"), check("test -d /")], { safety_level: "approval_required" });
  const names = Array.from({ length: 16 }, (_, nth) => `meets-${nth}`);
  for (const name of names) await engine.run(name, { ...KNOWN, intent: "triage", target });
  await Promise.all(
    names.flatMap((task_id, nth) => [
      engine.call("approve", { task_id, decision: "approve" }).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, nth)).then(() => cancel(task_id).catch(() => undefined)),
    ]),
  );
  for (const task_id of names) {
    const { status } = await engine.outcomeOf(task_id);
    const journal = await engine.store.readJournal(task_id);
    expect([journalFindings(journal), ["ok", "cancelled"].includes(status)]).toEqual([[], true]);
    const end = journal.findIndex((event) => event.kind === "reported" && event.body.status === status);
    expect(journal.slice(end).filter(({ kind }) => kind.startsWith("step_") || kind === "taken_up")).toEqual([]);
  }
});
