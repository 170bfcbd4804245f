// A supervisor agent with the official MCP client before the real server: it acts on what `next` tells it, asks for every
// decision, and keeps its client when the server is killed and started again.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contractBody } from "../support/builders.ts";
import { connectMcp, type McpSupervisor, overHttp } from "../support/mcp-client.ts";
import { linesOf, type OrchProcess, startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let orch: OrchProcess;
let supervisor: McpSupervisor;
beforeAll(async () => {
  directory = await temporaryDirectory();
  orch = await startOrchProcess({ data_dir: directory.path });
  supervisor = await connectMcp(overHttp(orch.url, TOKEN));
});
afterAll(async () => {
  await supervisor[Symbol.asyncDispose]();
  expect(await orch.kill("SIGTERM"), orch.output()).toBe(0);
  await directory[Symbol.asyncDispose]();
});

const CRITERIA = ["the page is served", "the log is clean"];
const STEPS = [
  { kind: "cmd", value: "echo deployed" },
  { kind: "check", value: 'test "$ORCH_TARGET_SERVICE" = web' },
  { kind: "check", value: "true" },
];
const BETTER = [{ kind: "cmd", value: "echo deployed better" }, ...STEPS.slice(1)];
const waiting = { wait_seconds: 30 };

const submit = (task_id: string, over: Record<string, unknown> = {}) =>
  supervisor.call("submit_task", { ...contractBody({ task_id, success_criteria: CRITERIA, ...over }), ...waiting });

/** The one approval that waits for a human. */
async function asked() {
  const pending = async () => (await supervisor.call("list_approvals", { status: "pending" })).approvals;
  await expect.poll(pending, { timeout: 10_000 }).toHaveLength(1);
  return (await pending())[0];
}

const decide = async (decision: "approve" | "reject") => {
  const { approval_id, digest } = await asked();
  return supervisor.call("approve", { decision, approval_id, digest, decided_by: "a human", ...waiting });
};

describe("a supervisor over MCP", () => {
  test("is told to teach, is told what is missing, and teaches [4.teach] [4.names] [4.results]", async () => {
    const task = await submit("t-1");
    expect(task).toMatchObject({ status: "need_input", outcome: { reason_code: "sop_unknown" } });
    expect(task.next[0]).toMatchObject({ operation: "teach", arguments: { task_id: task.task_id } });
    const missing = await supervisor.fault("orch__teach", { task_id: "t-1", steps: STEPS.slice(0, 2) });
    expect(missing).toMatchObject({ code: "sop_steps_invalid", issues: [{ path: "steps" }] });
    expect(missing.issues[0].message).toContain('"the log is clean" has no check step');
    expect(await supervisor.call("get_task", { task_id: "t-1" })).toMatchObject({ status: "need_input" });
    const taught = await supervisor.call("orch__teach", { task_id: "t-1", steps: STEPS, ...waiting });
    expect(taught.task).toMatchObject({ status: "ok", label: "DONE", next: [{ operation: "record_verification" }] });
    const verified = { task_id: "t-1", verified: true, source: "the page itself" };
    expect(await supervisor.call("record_verification", verified)).toMatchObject({ verification: { verified: true } });
  });

  test("is asked to promote what has worked, and it is used from then on [4.approve] [3.sop.promote]", async () => {
    expect(await asked()).toMatchObject({ kind: "promotion", content: { steps: STEPS, intent: "deploy" } });
    expect(await decide("approve")).toMatchObject({ status: "approved", decision: { decided_by: "a human" } });
    const active = async () => (await supervisor.call("list_sops", { status: "active" })).sops.length;
    await expect.poll(active, { timeout: 10_000 }).toBe(1);
    expect(await submit("t-2", { delegation_mode: "known_only" })).toMatchObject({ status: "ok", sop_version: 1 });
  });

  test("replaces the SOP with update_sop [3.update.1] [3.update.5] [3.update.6]", async () => {
    const payload = { intent: "deploy", steps: BETTER };
    expect(await submit("t-3", { intent: "update_sop", payload })).toMatchObject({
      status: "need_approval",
      next: [{ operation: "approve" }, { operation: "list_approvals" }, { operation: "cancel_task" }],
    });
    expect(await decide("approve")).toMatchObject({ task: { status: "ok", outcome: { reason_code: "sop_replaced" } } });
    const { sops } = await supervisor.call("list_sops", { intent: "deploy" });
    expect(sops).toMatchObject([
      { version: 2, status: "active", steps: BETTER },
      { version: 1, status: "deprecated" },
    ]);
    const [{ sop_id }] = sops;
    expect(await supervisor.read(`orch://sops/${sop_id}`)).toMatchObject({
      versions: [{ version: 2 }, { version: 1 }],
    });
    expect(await submit("t-4")).toMatchObject({ status: "ok", sop_version: 2 });
  });

  test("passes on that a human said no, and the task is blocked with nothing run [5.approval.flow]", async () => {
    const constraints = { implicit_scope: [], require_approval_for: ["deployments"], max_minutes: 1 };
    const task = await submit("t-5", { constraints });
    expect(task).toMatchObject({ status: "need_approval", label: "NEED_APPROVAL" });
    expect(task.steps.map(({ status }: { status: string }) => status)).toEqual(["pending", "pending", "pending"]);
    const { task: blocked } = await decide("reject");
    expect(blocked).toMatchObject({
      status: "blocked",
      label: "BLOCKED",
      outcome: { reason_code: "approval_rejected" },
      next: [{ operation: null }, { operation: "submit_task" }],
    });
    const evidence = await supervisor.read("orch://evidence/t-5");
    expect(evidence).toMatchObject({ executed_commands: [], broken_link: null, approvals: [{ status: "rejected" }] });
    expect(await supervisor.fault("approve", { task_id: "t-5", decision: "approve" })).toMatchObject({
      code: "approval_not_pending",
      current: { status: "rejected" },
    });
  });

  test("says what became of a step that nobody saw the end of, with the client that it had before", async () => {
    const target = { service: "cut" };
    const begun = join(directory.path, "begun");
    const cut = [
      { kind: "cmd", value: `echo begun >> "${begun}"; sleep 60` },
      { kind: "check", value: "true" },
    ];
    await submit("t-6", { target, success_criteria: ["it is done"] });
    await supervisor.call("teach", { task_id: "t-6", steps: cut });
    await expect.poll(() => linesOf(begun), { timeout: 10_000 }).toEqual(["begun"]);
    const { port } = new URL(orch.url);
    await orch.kill("SIGKILL");
    await expect(supervisor.call("get_task", { task_id: "t-6" })).rejects.toThrow();
    orch = await startOrchProcess({ data_dir: directory.path, env: { ORCH_PORT: port } });
    const task = await supervisor.call("get_task", { task_id: "t-6", ...waiting });
    expect(task).toMatchObject({
      status: "need_input",
      outcome: { reason_code: "step_outcome_unknown", step_index: 0 },
      next: [{ operation: "resolve_step" }],
    });
    const resolution = { task_id: "t-6", resolution: "succeeded", reason: "the file is there", ...waiting };
    expect(await supervisor.call("resolve_step", resolution)).toMatchObject({ status: "ok" });
    expect(linesOf(begun), "it was not run again").toEqual(["begun"]);
    const { journal, broken_link } = await supervisor.read("orch://evidence/t-6");
    expect(broken_link).toBeNull();
    expect(journal.map(({ kind }: { kind: string }) => kind)).toContain("step_resolved");
  });

  test("has been told everything, in order", async () => {
    const { messages } = await supervisor.call("list_messages", { limit: 500 });
    const told = messages.map(({ thread_id, outcome }: { thread_id: string; outcome: { reason_code: string } }) =>
      [thread_id.replace(/\/.*/, ""), outcome.reason_code].join(" "),
    );
    for (const message of [
      "t-1 sop_unknown",
      "promotion promotion_pending",
      "t-3 replacement_pending",
      "t-5 approval_rejected",
    ])
      expect(told).toContain(message);
    expect(told.indexOf("t-6 step_outcome_unknown")).toBeGreaterThan(told.indexOf("t-6 sop_unknown"));
  });
});
