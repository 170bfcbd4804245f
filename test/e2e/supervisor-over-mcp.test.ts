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
const waiting = { wait_seconds: 30 };

const submit = (task_id: string, over: Record<string, unknown> = {}) =>
  supervisor.call("submit_task", { ...contractBody({ task_id, success_criteria: CRITERIA, ...over }), ...waiting });

/** The one approval that waits for a human. */
async function asked() {
  const pending = async () => (await supervisor.call("list_approvals", { status: "pending" })).approvals;
  await expect.poll(pending, { timeout: 10_000 }).toHaveLength(1);
  return (await pending())[0];
}

const approve = async () => {
  const { approval_id, digest } = await asked();
  return supervisor.call("approve", { decision: "approve", approval_id, digest, decided_by: "a human", ...waiting });
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
    expect(await approve()).toMatchObject({ status: "approved", decision: { decided_by: "a human" } });
    const active = async () => (await supervisor.call("list_sops", { status: "active" })).sops.length;
    await expect.poll(active, { timeout: 10_000 }).toBe(1);
    expect(await submit("t-2", { delegation_mode: "known_only" })).toMatchObject({ status: "ok", sop_version: 1 });
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
});
