// A step that leaves work running is DONE, and everyone who reads of it learns what was ended (promises 3.5).
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { check, cmd, contractBody } from "../support/builders.ts";
import { startOrchProcess, TOKEN, temporaryDirectory } from "../support/orch-process.ts";

const ENDED = "1 process was still running and was ended: sleep";

test.each(["auto", "off"])("the work that a step left is named, ORCH_SANDBOX=%s", async (sandbox) => {
  await using directory = await temporaryDirectory();
  const orch = await startOrchProcess({ data_dir: directory.path, env: { ORCH_SANDBOX: sandbox } });
  try {
    const constraints = { implicit_scope: [], require_approval_for: [], max_minutes: 1 };
    const contract = contractBody({ task_id: "t-1", target: { compose_dir: directory.path }, constraints });
    await orch.post("/v1/tasks", { ...contract, wait_seconds: 30 });
    const steps = [cmd("(sleep 30; echo migrated > m) & echo started > s"), check("test -f s")];
    const { body } = await orch.post("/v1/teach", { task_id: "t-1", steps, wait_seconds: 30 });
    expect(body.task).toMatchObject({ status: "ok", outcome: { message: expect.stringContaining(ENDED) } });
    expect(existsSync(join(directory.path, "m"))).toBe(false);
    const evidence = (await orch.get("/v1/tasks/t-1/evidence")).body;
    expect(evidence.step_results[0].left_processes).toEqual({ ended: 1, running: 0, names: ["sleep"] });
    expect(evidence.step_results[1]).not.toHaveProperty("left_processes");
    const { approvals } = (await orch.get("/v1/approvals")).body;
    expect(approvals[0]).toMatchObject({ kind: "promotion" });
    expect(approvals[0].content.proof.warnings).toContain(`Task t-1: in step 0, ${ENDED}.`);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, "../../src/orch.ts"), "task", "t-1"],
      { env: { ...process.env, ORCH_URL: orch.url, ORCH_TOKEN: TOKEN } },
    );
    expect(stdout).toContain(ENDED);
  } finally {
    await orch.kill("SIGTERM");
  }
});
