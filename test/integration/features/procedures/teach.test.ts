// teach: what is taken, what is refused and how it is said.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd } from "../../../support/builders.ts";
import { type Engine, openEngine } from "../../../support/engine.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

const CRITERIA = ["the page is served", "the log is clean"];
const teach = (task_id: string, steps: readonly object[], over: object = {}) =>
  engine.call("teach", { task_id, steps, wait_seconds: 30, ...over });

/** Teaches a task that waits for it, and is refused. */
async function refused(name: string, steps: readonly object[], over: object = {}, contract: object = {}) {
  await engine.run(name, { success_criteria: CRITERIA, ...contract });
  const error = await engine.refusal("teach", { task_id: name, steps, ...over });
  expect(await engine.outcomeOf(name), "the task goes on waiting").toMatchObject({
    status: "need_input",
    waiting: { kind: "teaching" },
  });
  return error;
}

describe("steps for a task", () => {
  test("run at once when every success criterion has a check [4.teach]", async () => {
    await engine.run("taught", { success_criteria: CRITERIA });
    const { task, sop } = await teach("taught", [cmd("echo x >> taught"), check("test -s taught"), check("test -d /")]);
    expect([task.status, sop.status]).toEqual(["ok", "candidate"]);
    const { verdict } = await engine.call("get_evidence", { task_id: "taught" });
    expect(verdict.checks.map(({ criterion }: { criterion: string }) => criterion)).toEqual(CRITERIA);
  });

  test("leave a candidate, and the answer names the approval that its promotion needs, as does a wait for the task", async () => {
    const target = { service: "promoted" };
    await engine.run("promoted", { target, success_criteria: [] });
    const { task, approval_id } = await teach("promoted", [cmd("echo x > promoted"), check("test -s promoted")]);
    const approvals = await engine.call("list_approvals", { status: "pending" });
    expect(approvals.approvals.map((one: { approval_id: string }) => one.approval_id)).toContain(approval_id);
    expect(task.next[0]).toMatchObject({ operation: "approve", arguments: { approval_id } });
    await engine.call("approve", { approval_id, decision: "approve" });
    const next = async (id: string, more = {}) => (await engine.call("get_task", { task_id: id, ...more })).next[0];
    await expect.poll(async () => (await next("promoted")).operation).toBe("record_verification");
    await engine.run("awaited", { target: { service: "awaited" }, success_criteria: [] });
    await engine.call("teach", { task_id: "awaited", steps: [cmd("echo x > awaited"), check("test -s awaited")] });
    expect(await next("awaited", { wait_seconds: 20 })).toMatchObject({ operation: "approve" });
  });

  test("leave nothing to promote where they fail", async () => {
    await engine.run("unproved", { target: { service: "unproved" }, success_criteria: [] });
    expect(await teach("unproved", [cmd("true"), check("test -e /nothing")])).toMatchObject({
      task: { status: "failed" },
      sop: null,
      approval_id: null,
    });
  });

  test("may say which check proves which criterion", async () => {
    await engine.run("mapped", { success_criteria: CRITERIA });
    const map = { "the page is served": 1, "the log is clean": 0 };
    await teach("mapped", [check("test -d /"), check("test -e /nothing")], { criteria: map });
    const { verdict } = await engine.call("get_evidence", { task_id: "mapped" });
    expect(verdict.checks).toMatchObject([
      { criterion: "the log is clean", passed: true },
      { criterion: "the page is served", passed: false },
    ]);
  });

  test("are refused when a criterion has no check, and it is named [4.teach]", async () => {
    const { code, issues } = await refused("uncovered", [cmd("true"), check("test -d /")]);
    expect(code).toBe("sop_steps_invalid");
    expect(issues).toEqual([
      { path: "steps", message: expect.stringContaining('"the log is clean" has no check step') },
    ]);
  });

  test("are refused without any check, even for no criterion [4.teach]", async () => {
    const { code, issues } = await refused("unchecked", [cmd("true")], {}, { success_criteria: [] });
    expect([code, issues[0]?.path]).toEqual(["sop_steps_invalid", "steps"]);
  });

  test("are refused with a map to what is no check, or of what is no criterion", async () => {
    const map = { "the page is served": 0, "the log is clean": 1, "it is fast": 1 };
    const { issues } = await refused("bad-map", [cmd("true"), check("test -d /")], { criteria: map });
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('"the page is served" is mapped to step 0, which is not a check step'),
      expect.stringContaining('"it is fast" is not a success criterion'),
    ]);
  });

  test.each([
    ["rm -rf /", "rm.wide"],
    ["sudo git -C /srv/app reset --hard", "git.reset_hard"],
    ["docker system prune -af", "docker.prune_all"],
  ])(
    "are refused with %s, by the code of the rule [5.blocked.*] [5.policy.destructive] [7.3.always_blocked]",
    async (command, rule) => {
      const { code, issues } = await refused(`blocked-${rule}`, [check("test -d /"), check("test -d /"), cmd(command)]);
      const message = expect.stringContaining(`${rule}: `);
      expect([code, issues]).toEqual(["sop_steps_invalid", [{ path: "steps.2", message }]]);
    },
  );

  test("are refused with a tool server that the contract does not name [4.mcp.scope]", async () => {
    const call = { kind: "mcp_call", server: "notes", tool: "create_note" };
    const { issues } = await refused("no-scope", [call, check("test -d /"), check("test -d /")]);
    expect(issues).toEqual([{ path: "steps.0", message: expect.stringContaining("scope.server: ") }]);
  });

  test.each(["triage", "collect_logs", "health_check", "bootstrap_context"])(
    "are refused for %s when one changes something [2.triage.diagnostic]",
    async (intent) => {
      const steps = [cmd("systemctl restart web"), check("test -d /"), check("test -d /")];
      const { issues } = await refused(`changes-${intent}`, steps, {}, { intent });
      expect(issues).toEqual([{ path: "steps.0", message: expect.stringContaining("read_only.changes_state: ") }]);
    },
  );

  test("with a diagnostic intent need an approval when their effect is unknown, and never again once promoted [2.triage.diagnostic]", async () => {
    const probe = "./probe-of-the-house";
    await writeFile(join(engine.directory, "probe-of-the-house"), "#!/bin/sh\nexec dircolors -b\n", { mode: 0o755 });
    const steps = [cmd(probe), check("test -d /"), check("df")];
    await engine.run("unknown-effect", { intent: "triage", success_criteria: CRITERIA });
    const { task } = await teach("unknown-effect", steps);
    expect(task).toMatchObject({ status: "need_approval", outcome: { reason_code: "approval_required" } });
    expect(task.outcome.findings).toMatchObject([{ step_index: 0, code: "read_only.unknown_effect", verdict: "ask" }]);

    const approved = await engine.call("approve", { task_id: "unknown-effect", decision: "approve", wait_seconds: 30 });
    expect(approved.task).toMatchObject({ status: "ok" });
    const [sop] = (await engine.call("list_sops", { intent: "triage" })).sops;
    const { approval_id } = await engine.approvalOf(`promotion/${sop.sop_id}`);
    expect(approved.next[0].arguments, "the wait is for it too").toEqual({ approval_id });
    await engine.call("approve", { approval_id, decision: "approve" });
    while ((await engine.call("get_sop", { sop_id: sop.sop_id })).sop.status !== "active")
      await new Promise((resolve) => setTimeout(resolve, 5));

    const again = { intent: "triage", delegation_mode: "known_only", target: engine.targetOf("unknown-effect") };
    const explained = await engine.call("explain", { contract: engine.contract("why", again) });
    expect([explained.would, explained.steps[0].findings]).toEqual(["run", []]);
    const given = await engine.call("explain", { contract: engine.contract("why", again), steps });
    expect(given.would, "steps that are given are nobody's yet").toBe("ask");
    expect(await engine.run("known-effect", again)).toMatchObject({ status: "ok" });
    expect((await engine.call("list_approvals", { thread_id: "known-effect" })).approvals).toEqual([]);
  });

  test("with a diagnostic intent do not run when their effect is not approved", async () => {
    await engine.run("refused-effect", { intent: "triage", success_criteria: [] });
    await teach("refused-effect", [cmd("touch-nothing-known || true"), check("test -d /")]);
    await engine.call("approve", { task_id: "refused-effect", decision: "reject" });
    expect(await engine.outcomeOf("refused-effect")).toMatchObject({
      status: "blocked",
      outcome: { reason_code: "approval_rejected" },
    });
  });

  test("are refused for a task that does not wait for them, which is shown as it is", async () => {
    await engine.run("blocked", { delegation_mode: "known_only" });
    const { code, current } = await engine.refusal("teach", { task_id: "blocked", steps: [check("test -d /")] });
    expect([code, current]).toMatchObject(["task_not_waiting", { task_id: "blocked", status: "blocked" }]);
    expect((await engine.refusal("teach", { task_id: "nobody", steps: [check("test -d /")] })).code).toBe(
      "task_not_found",
    );
  });

  test("that are taught twice at once are taken once", async () => {
    await engine.run("raced");
    const steps = (word: string) => [cmd(`echo ${word} >> raced`), check("test -d /")];
    const both = await Promise.allSettled(["one", "two"].map((word) => teach("raced", steps(word))));
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "task_not_waiting" } });
    expect(await engine.outcomeOf("raced")).toMatchObject({ status: "ok" });
    expect(engine.linesOf("raced")).toHaveLength(1);
  });
});

describe("steps without a task", () => {
  const target = { service: "no-task" };

  test("are stored as a candidate that nothing has proved, and ask for their promotion [4.teach.registers]", async () => {
    const given = { intent: "restart", target, steps: [check("test -d /")], criteria: { "it is up": 0 } };
    const { task, sop, approval_id } = await engine.call("teach", given);
    expect(task).toBeNull();
    const unproved = { success_count: 0, last_success_at: null };
    expect(sop).toMatchObject({ status: "candidate", version: 1, origin: "teach", ...unproved });
    expect(sop.criteria).toEqual([{ criterion: "it is up", step_index: 0 }]);
    const { approvals } = await engine.call("list_approvals", { thread_id: `promotion/${sop.sop_id}` });
    expect(approvals).toMatchObject([{ approval_id, kind: "promotion", status: "pending" }]);
  });

  test.each<[string, object, string]>([
    ["no check", { steps: [cmd("true")] }, "steps"],
    ["a blocked command", { steps: [check("test -d /"), cmd("rm -rf /")] }, "steps.1"],
    ["a change under a diagnostic intent", { intent: "triage", steps: [check("test -d /"), cmd("reboot")] }, "steps.1"],
  ])("are refused with %s", async (_what, over, path) => {
    const given = { intent: "restart", target, steps: [check("test -d /")], ...over };
    const { code, issues } = await engine.refusal("teach", given);
    expect([code, issues.map((issue) => issue.path)]).toEqual(["sop_steps_invalid", [path]]);
  });

  test("are refused with an unknown intent and wrong fields at once", async () => {
    const steps = [{ kind: "cmd", value: 1 }];
    const { code, issues } = await engine.refusal("teach", { intent: "make_coffee", target, steps });
    expect([code, issues.map((issue) => issue.path)]).toEqual(["input_invalid", ["steps.0.value", "intent"]]);
  });

  test("are not limited by the scope of any contract: that is judged with the task that runs them", async () => {
    const call = { kind: "mcp_call", server: "notes", tool: "create_note" };
    const steps = [call, check("test -d /")];
    const { sop } = await engine.call("teach", { intent: "record_to_notes", target, steps });
    expect(sop).toMatchObject({ status: "candidate" });
  });

  test("cannot be given for a task as well", async () => {
    const given = { task_id: "both", intent: "restart", steps: [check("test -d /")] };
    expect((await engine.refusal("teach", given)).issues[0]?.path).toBe("task_id");
    expect((await engine.refusal("teach", { steps: [check("test -d /")] })).code).toBe("input_invalid");
  });

  test("that are taught at once have a version each [2.version.increments]", async () => {
    const given = (word: string) => ({ intent: "deploy", target, steps: [check(`! test -e ${word}`)] });
    const taught = await Promise.all(["a", "b", "c", "d"].map((word) => engine.call("teach", given(word))));
    expect(taught.map(({ sop }) => sop.version).sort()).toEqual([1, 2, 3, 4]);
  });
});

describe("a lesson right after submit_task waits for the question of its task", () => {
  const STEPS = [cmd("true"), check("test -d /")];
  const submit = (name: string, over: object = {}) =>
    engine.call("submit_task", engine.contract(name, { success_criteria: [], ...over }));

  test("that is asked at once", async () => {
    for (const name of ["early-1", "early-2"]) {
      await submit(name);
      expect((await teach(name, STEPS)).task).toMatchObject({ status: "ok" });
    }
  });

  test("that is after another task on its target", async () => {
    const target = engine.targetOf("early-line");
    await engine.learn("restart", target, [engine.holding("early-line"), check("test -d /")]);
    await submit("early-line-1", { target, intent: "restart" });
    await engine.begun("early-line");
    await submit("early-line-2", { target });
    const taught = teach("early-line-2", STEPS);
    engine.letGo("early-line");
    expect((await taught).task).toMatchObject({ status: "ok" });
  });

  test("that is held by a freeze for a moment", async () => {
    const { freeze } = await engine.call("freeze", { target: engine.targetOf("early-frozen"), reason: "a moment" });
    await submit("early-frozen");
    const taught = teach("early-frozen", STEPS);
    await engine.call("thaw", { freeze_id: freeze.freeze_id });
    expect((await taught).task).toMatchObject({ status: "ok" });
  });

  test("it is refused where it is not asked in time", async () => {
    const { freeze } = await engine.call("freeze", { target: engine.targetOf("early-late"), reason: "long" });
    await submit("early-late");
    expect(await engine.refusal("teach", { task_id: "early-late", steps: STEPS })).toMatchObject({
      code: "task_not_waiting",
      message: expect.stringContaining("has not started yet"),
    });
    await engine.call("thaw", { freeze_id: freeze.freeze_id });
  });

  test.each([
    ["a task that is cancelled meanwhile", {}, true],
    ["a task that asks no one", { delegation_mode: "known_only" }, false],
  ])("it is refused at once by %s", async (what, over, cancels) => {
    const name = `early-${what.split(" ").at(-1)}`;
    const { freeze } = await engine.call("freeze", { target: engine.targetOf(name), reason: "a moment" });
    await submit(name, over);
    const refusal = engine.refusal("teach", { task_id: name, steps: STEPS });
    if (cancels) await engine.call("cancel_task", { task_id: name });
    await engine.call("thaw", { freeze_id: freeze.freeze_id });
    expect((await refusal).message).toContain("does not wait to be taught");
  });

  test("it is not held up by a task that runs its procedure", async () => {
    const target = engine.targetOf("early-runs");
    await engine.learn("deploy", target, [engine.holding("early-runs"), check("test -d /")]);
    await submit("early-runs", { target });
    await engine.begun("early-runs");
    expect((await engine.refusal("teach", { task_id: "early-runs", steps: STEPS })).code).toBe("task_not_waiting");
    expect(await engine.call("get_task", { task_id: "early-runs" })).toMatchObject({ status: "running" });
    engine.letGo("early-runs");
  });
});
