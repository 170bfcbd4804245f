// The rules of the pipeline, on a complete orch.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, cmd, mcpCall } from "../../support/builders.ts";
import { type Engine, openEngine } from "../../support/engine.ts";
import { type RoutingModel, startRoutingModel } from "../../support/routing-model.ts";

let engine: Engine;
let model: RoutingModel;
beforeAll(async () => {
  model = await startRoutingModel();
  engine = await openEngine({ env: model.env });
});
afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const KNOWN = { delegation_mode: "known_only" };
const constraints = (over: object = {}) => ({ implicit_scope: [], require_approval_for: [], max_minutes: 1, ...over });

/** The messages about a task, oldest first. */
async function messagesAbout(task_id: string) {
  const { messages } = await engine.call("list_messages", { limit: 500 });
  return messages.filter((message: { thread_id: string }) => message.thread_id === task_id);
}

describe("an intent and target without an SOP", () => {
  test("asks to be taught where the contract allows it, and no model is asked [3.rule.1] [7.6] [4.gate.sop_not_found]", async () => {
    const before = model.questions.length;
    const task = await engine.run("unknown", { constraints: constraints({ require_approval_for: ["anything"] }) });
    expect(task).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "sop_unknown", next: [{ operation: "teach" }, { operation: "cancel_task" }] },
      waiting: { kind: "teaching" },
    });
    expect(model.questions).toHaveLength(before);
  });

  test("is blocked where the contract does not allow that, and no model is asked [3.rule.2] [7.6] [4.gate.sop_not_found]", async () => {
    const before = model.questions.length;
    const task = await engine.run("unknown-blocked", KNOWN);
    expect(task).toMatchObject({ status: "blocked", label: "BLOCKED", outcome: { reason_code: "sop_not_found" } });
    expect(model.questions).toHaveLength(before);
  });

  test("finds no SOP under a key that is only similar [2.key.exact] [8.matching] [1.A.5.lookup]", async () => {
    const target = engine.targetOf("near");
    await engine.learn("deploy", target, [check("test -d /")]);
    const lookUp = async (task_id: string, over: object) =>
      (await engine.run(task_id, { ...KNOWN, target, ...over })).outcome.reason_code;
    expect(await lookUp("near-same", {})).toBe("verified");
    expect(await lookUp("near-wider", { target: { service: "near" } })).toBe("sop_not_found");
    expect(await lookUp("near-narrower", { target: { ...target, branch: "main" } })).toBe("sop_not_found");
    expect(await lookUp("near-case", { target: { ...target, service: "Near" } })).toBe("sop_not_found");
    expect(await lookUp("near-space", { target: { ...target, service: "ne ar" } })).toBe("sop_not_found");
    expect(await lookUp("near-intent", { intent: "restart" })).toBe("sop_not_found");
  });
});

describe("a known SOP", () => {
  test("runs without a question, and the task is DONE once its checks have passed [1.A.1] [1.A.2.model_points] [3.rule.3] [3.sop.no_candidate] [1.A.5.execution] [1.A.6.local] [5.policy.read] [5.policy.write]", async () => {
    await engine.learn("deploy", engine.targetOf("works"), [cmd("echo a >> works"), check("grep -qx a works")]);
    const before = model.questions.length;
    const task = await engine.run("works", KNOWN);
    expect(task).toMatchObject({ status: "ok", label: "DONE", outcome: { reason_code: "verified" }, sop_version: 1 });
    expect(task.steps.map(({ status }: { status: string }) => status)).toEqual(["passed", "passed"]);
    expect(engine.linesOf("works")).toEqual(["a"]);
    expect(model.questions).toHaveLength(before);
    expect((await engine.call("list_approvals", { thread_id: "works" })).approvals).toEqual([]);
    const { target_signature } = task;
    expect((await engine.call("list_sops", { target_signature })).sops).toMatchObject([{ status: "active" }]);
    expect((await messagesAbout("works")).map(({ outcome }: { outcome: object }) => outcome)).toEqual([task.outcome]);
  });

  test("fails the task with evidence when a check fails, and no step runs after it [3.rule.3.failed] [3.rule.3.evidence] [7.4] [1.A.5.verification]", async () => {
    const failing = check("echo says no >&2; exit 7");
    await engine.plant("deploy", engine.targetOf("unverified"), [cmd("true"), failing, cmd("echo x >> after")], {
      criteria: [{ criterion: "the page is served", step_index: 1 }],
    });
    const task = await engine.run("unverified", KNOWN);
    expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "check_failed", step_index: 1 } });
    expect(task.outcome.message).toContain("the page is served");
    const evidence = await engine.call("get_evidence", { task_id: "unverified" });
    expect(evidence.step_results[1]).toMatchObject({ status: "failed", exit_code: 7, stderr: "says no\n" });
    expect(evidence.verdict).toMatchObject({
      passed: false,
      checks: [{ criterion: "the page is served", passed: false, exit_code: 7 }],
    });
    expect(engine.linesOf("after")).toEqual([]);
  });

  test("reports a criterion of the contract for which it has no check, and leaves it to the supervisor [2.criteria.not_evaluated]", async () => {
    await engine.learn("deploy", engine.targetOf("partly"), [check("test -d /")], { criteria: { "it is up": 0 } });
    const task = await engine.run("partly", { ...KNOWN, success_criteria: ["it is up", "it is fast"] });
    expect(task.status).toBe("ok");
    const { verdict } = await engine.call("get_evidence", { task_id: "partly" });
    expect(verdict.uncovered_criteria).toEqual(["it is fast"]);
    expect(task.outcome.message).toContain('No check proves "it is fast".');
    const contract = engine.contract("partly", { ...KNOWN, success_criteria: ["it is up", "it is fast"] });
    expect(await engine.call("explain", { contract })).toMatchObject({ why: 'No check proves "it is fast".' });
  });
});

describe("policy blocks, before its first step, a plan", () => {
  const planted = async (name: string, steps: Parameters<Engine["plant"]>[2], over: Record<string, unknown> = {}) => {
    const touch = cmd(`echo x >> ${name}.ran`);
    const target = { ...engine.targetOf(name), ...(over["target"] as object) };
    await engine.plant(String(over["intent"] ?? "deploy"), target, [touch, ...steps, check("test -d /")]);
    const task = await engine.run(name, { ...KNOWN, ...over, target });
    expect(engine.linesOf(`${name}.ran`), "nothing ran").toEqual([]);
    expect((await messagesAbout(name)).at(-1)?.outcome, "the supervisor is told").toEqual(task.outcome);
    return task;
  };

  test("that calls a tool server outside implicit_scope [3.rule.5] [3.rule.5.escalated] [4.mcp.scope] [5.policy.out_of_scope] [7.3] [1.A.4]", async () => {
    const task = await planted("out-of-scope", [mcpCall({ server: "gitserver" })], {
      constraints: constraints({ implicit_scope: ["notes"] }),
    });
    expect(task).toMatchObject({ status: "blocked", label: "BLOCKED", outcome: { reason_code: "outside_scope" } });
    expect(task.outcome).toMatchObject({ step_index: 1, findings: [{ code: "scope.server", step_index: 1 }] });
  });

  test("that runs a program outside implicit_scope [3.rule.5] [5.policy.out_of_scope]", async () => {
    const scope = { constraints: constraints({ implicit_scope: ["cmd:true"] }) };
    const task = await planted("wrong-program", [cmd("curl http://example.invalid")], scope);
    expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "outside_scope" } });
    expect(task.outcome.findings[0]).toMatchObject({ code: "scope.program" });
  });

  test.each([
    ["rm -rf /", "rm.wide"],
    ["git reset --hard HEAD~1", "git.reset_hard"],
    ["docker system prune -a", "docker.prune_all"],
  ])(
    "that holds %s, even when the scope allows it and the SOP is already stored [5.policy.destructive] [5.blocked.*] [7.3.always_blocked] [1.A.5.policy]",
    async (command, code) => {
      const scope = { constraints: constraints({ implicit_scope: ["shell", "cmd:rm", "cmd:git", "cmd:docker"] }) };
      for (const [kind, step] of [["cmd", cmd(command)] as const, ["check", check(command)] as const]) {
        const task = await planted(`${code}-${kind}`, [step], scope);
        expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "always_blocked", step_index: 1 } });
        expect(task.outcome.findings).toContainEqual(expect.objectContaining({ code, verdict: "block" }));
      }
    },
  );

  test.each(["triage", "collect_logs", "health_check", "bootstrap_context"])(
    "that changes something under the diagnostic intent %s [2.triage.diagnostic]",
    async (intent) => {
      const task = await planted(`changes-${intent}`, [cmd("systemctl restart web")], { intent });
      expect(task).toMatchObject({ status: "blocked", outcome: { reason_code: "read_only_intent" } });
    },
  );
});

test("a tool call is not judged as a shell command, and fails with a message when its server is not configured [4.mcp.not_shell]", async () => {
  const step = mcpCall({ arguments: { text: "rm -rf /" } });
  await engine.plant("record_to_notes", engine.targetOf("tool"), [step, check("test -d /")]);
  const scope = constraints({ implicit_scope: ["notes"] });
  const task = await engine.run("tool", { ...KNOWN, intent: "record_to_notes", constraints: scope });
  expect(task).toMatchObject({ status: "failed", outcome: { reason_code: "step_failed", step_index: 0 } });
  const { step_results } = await engine.call("get_evidence", { task_id: "tool" });
  expect(step_results[0]).toMatchObject({ status: "failed", exit_code: 1 });
  expect(step_results[0].stderr).toContain("MCP_NOTES_URL");
});
