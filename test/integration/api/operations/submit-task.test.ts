// Contracts, their results, and waiting for results.
import { describe, expect, test } from "vitest";
import { check, cmd, contractBody } from "../../../support/builders.ts";
import { openEngine } from "../../../support/engine.ts";
import { held } from "../../../support/held.ts";

const engine = held(await openEngine());

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};

describe("a contract", () => {
  test.each([
    ["bootstrap_context", "sop_not_found"],
    ["collect_logs", "sop_not_found"],
    ["triage", "sop_not_found"],
    ["deploy", "sop_not_found"],
    ["restart", "sop_not_found"],
    ["health_check", "sop_not_found"],
    ["commit_push", "sop_not_found"],
    ["record_to_notes", "sop_not_found"],
    ["update_sop", "update_invalid"],
    ["reorganize_notes_tree", "skill_blocked"],
  ])("with the intent %s of the vocabulary is valid [2.intent.*] [2.contract.intent]", async (intent, reason_code) => {
    const task = await engine.run(`intent-${intent}`, { intent, delegation_mode: "known_only" });
    expect(task).toMatchObject({ intent, status: "blocked", outcome: { reason_code } });
  });

  test("with another intent is refused, and the vocabulary is listed [2.intent.fixed] [2.contract.intent]", async () => {
    const { code, issues } = await engine.refusal(
      "submit_task",
      engine.contract("stranger", { intent: "make_coffee" }),
    );
    expect([code, issues]).toEqual([
      "contract_invalid",
      [{ path: "intent", message: expect.stringContaining("deploy, restart") }],
    ]);
    expect((await engine.refusal("get_task", { task_id: "stranger" })).code).toBe("task_not_found");
  });

  test("with an unknown intent and other wrong fields is refused with all of them at once", async () => {
    const wrong = engine.contract("all-wrong", {
      intent: "make_coffee",
      requested_at: "soon",
      delegation_mode: "boss",
    });
    const { issues } = await engine.refusal("submit_task", wrong);
    expect(issues.map(({ path }) => path)).toEqual(["delegation_mode", "requested_at", "intent"]);
  });

  test("without its time and its requester gets the time of the submission and the name of the token", async () => {
    const { requested_at: _at, requested_by: _by, ...sent } = engine.contract("undated");
    const before = new Date().toISOString();
    await engine.call("submit_task", sent);
    const { contract } = await engine.call("get_evidence", { task_id: "undated" });
    expect(contract).toMatchObject({ ...sent, requested_by: "supervisor" });
    expect(contract.requested_at >= before && contract.requested_at <= new Date().toISOString()).toBe(true);
    expect(await engine.call("explain", { contract: sent })).toMatchObject({ would: "need_input" });
  });

  test("is stored as it was sent, with fields that the specification does not name", async () => {
    const contract = engine.contract("kept", { ticket: "OPS-7", payload: { note: "größe" } });
    await engine.call("submit_task", contract);
    expect((await engine.call("get_evidence", { task_id: "kept" })).contract).toEqual(contract);
  });

  test("ends with one of the results of the specification, under its label [4.results] [3.status.labels]", async () => {
    const known = { delegation_mode: "known_only" };
    await engine.learn("deploy", engine.targetOf("result-ok"), [check("test -d /")]);
    await engine.learn("deploy", engine.targetOf("result-failed"), [check("test -e /nothing")]);
    await engine.learn("deploy", engine.targetOf("result-need_approval"), [check("test -d /")], {
      safety_level: "approval_required",
    });
    await engine.run("result-need_input");
    for (const name of ["result-ok", "result-failed", "result-need_approval", "result-blocked"])
      await engine.run(name, known);
    const { messages } = await engine.call("list_messages", { limit: 500 });
    const told = messages.filter(({ thread_id }: { thread_id: string }) => thread_id.startsWith("result-"));
    const labels = told.map(
      ({ thread_id, outcome }: { thread_id: string; outcome: { status: string; label: string } }) => [
        thread_id.replace("result-", ""),
        outcome.status,
        outcome.label,
      ],
    );
    expect(labels).toEqual([
      ["need_input", "need_input", "NEED_INPUT"],
      ["ok", "ok", "DONE"],
      ["failed", "failed", "FAILED"],
      ["need_approval", "need_approval", "NEED_APPROVAL"],
      ["blocked", "blocked", "BLOCKED"],
    ]);
  });
});

describe("a task_id", () => {
  const known = { delegation_mode: "known_only" };

  test("with the same contract is the same task, which runs once [2.task_id.identifies]", async () => {
    await engine.learn("deploy", engine.targetOf("same"), [cmd("echo x >> same"), check("test -d /")]);
    const first = await engine.run("same", known);
    const { wait_seconds: _, ...reordered } = Object.fromEntries(
      Object.entries(engine.contract("same", known)).reverse(),
    );
    const second = await engine.call("submit_task", reordered);
    expect(second).toEqual(first);
    expect(engine.linesOf("same")).toEqual(["x"]);
  });

  test("with another contract is refused, and the first contract is returned", async () => {
    const contract = engine.contract("taken", known);
    await engine.call("submit_task", contract);
    const { code, current } = await engine.refusal("submit_task", { ...contract, requested_by: "someone else" });
    expect([code, current]).toMatchObject(["task_exists", { task_id: "taken", contract }]);
  });

  test("without a time is the same task again and again, with a time of its own another one", async () => {
    const { requested_at: _at, requested_by: _by, ...sent } = engine.contract("again", known);
    const [first, second] = await Promise.all([engine.call("submit_task", sent), engine.call("submit_task", sent)]);
    const third = await engine.call("submit_task", { ...sent, requested_by: "supervisor" });
    expect([second.created_at, third.created_at]).toEqual([first.created_at, first.created_at]);
    expect((await engine.refusal("submit_task", { ...sent, requested_at: "2026-01-01T00:00:00Z" })).code).toBe(
      "task_exists",
    );
    expect((await engine.refusal("submit_task", { ...sent, payload: { a: 1 } })).code).toBe("task_exists");
  });

  test("that is submitted twice at once is one task", async () => {
    await engine.learn("deploy", engine.targetOf("at-once"), [cmd("echo x >> at-once"), check("test -d /")]);
    const tasks = await Promise.all([1, 2, 3, 4].map(() => engine.run("at-once", known)));
    expect(tasks.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(engine.linesOf("at-once")).toEqual(["x"]);
  });

  test("that two contracts use at once belongs to exactly one", async () => {
    const claims = await Promise.allSettled(
      ["kim", "sam"].map((requested_by) => engine.call("submit_task", engine.contract("claimed", { requested_by }))),
    );
    expect(claims.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const refused = claims.find(({ status }) => status === "rejected");
    expect(refused).toMatchObject({ reason: { code: "task_exists" } });
  });
});

describe("waiting", () => {
  test("ends at its limit with the current task, which goes on", async () => {
    await engine.learn("deploy", engine.targetOf("later"), [engine.holding("later"), check("test -d /")]);
    await engine.call("submit_task", engine.contract("later"));
    await engine.begun("later");
    let task: unknown;
    const seconds = await secondsOf(async () => {
      task = await engine.call("get_task", { task_id: "later", wait_seconds: 0.2 });
    });
    expect(seconds).toBeGreaterThan(0.19);
    expect(task).toMatchObject({
      status: "running",
      label: "RUNNING",
      next: [{ operation: "get_task", arguments: { wait_seconds: 20 } }],
      steps: [{ status: "running" }, { status: "pending" }],
    });
    engine.letGo("later");
    expect(await engine.outcomeOf("later")).toMatchObject({ status: "ok" });
  });

  test("ends when the caller disconnects, and the task goes on", async () => {
    await engine.learn("deploy", engine.targetOf("gone"), [engine.holding("gone"), check("test -d /")]);
    const left = new AbortController();
    const caller = { token_id: "supervisor", signal: left.signal };
    const asked = engine.call("submit_task", { ...engine.contract("gone"), wait_seconds: 30 }, caller);
    await engine.begun("gone");
    left.abort();
    expect(await asked).toMatchObject({ status: "running" });
    engine.letGo("gone");
    expect(await engine.outcomeOf("gone")).toMatchObject({ status: "ok" });
  });
});

test("tasks are listed newest first, page by page, and by status", async () => {
  const ids = ["list-1", "list-2", "list-3"];
  for (const task_id of ids)
    await engine.call("submit_task", contractBody({ task_id, target: {}, delegation_mode: "agent" }));
  for (const task_id of ids) await engine.outcomeOf(task_id);
  const pages: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await engine.call("list_tasks", { status: "blocked", limit: 2, after });
    pages.push(...page.tasks.map(({ task_id }: { task_id: string }) => task_id));
    if (page.next_after === null) break;
    after = page.next_after;
  }
  expect(pages.filter((task_id) => task_id.startsWith("list-"))).toEqual([...ids].reverse());
  expect(new Set(pages).size).toBe(pages.length);
});
