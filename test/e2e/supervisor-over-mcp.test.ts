// A supervisor agent with the official MCP client before the real server keeps its client when the server is killed and
// started again.
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

const waiting = { wait_seconds: 30 };

describe("a supervisor over MCP", () => {
  test("says what became of a step that was cut off, with the client that it had before", async () => {
    const target = { service: "cut" };
    const begun = join(directory.path, "begun");
    const cut = [
      { kind: "cmd", value: `echo begun >> "${begun}"; sleep 60` },
      { kind: "check", value: "test -d /" },
    ];
    const contract = contractBody({ task_id: "t-6", target, success_criteria: ["it is done"] });
    await supervisor.call("submit_task", { ...contract, ...waiting });
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
    const { journal, broken_link } = await supervisor.read("orch://evidence/t-6?view=full");
    expect(broken_link).toBeNull();
    expect(journal.map(({ kind }: { kind: string }) => kind)).toContain("step_resolved");
  });
});
