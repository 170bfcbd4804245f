// orch freeze, thaw and freezes against a real server: only the approver may, and every command says what is frozen.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doctor } from "../../../src/doctor/doctor.ts";
import { contractBody } from "../../support/builders.ts";
import { cliOf } from "../../support/cli-process.ts";
import { TOKEN, temporaryDirectory } from "../../support/orch-process.ts";
import { serve } from "../recovery/begin.ts";

const APPROVER = "the-approvers-own-token-0123456789-abcdef";

test("the approver freezes and thaws on the command line, and every command says what is frozen", async () => {
  await using directory = await temporaryDirectory();
  await using server = await serve({ data_dir: directory.path, env: { ORCH_APPROVER_TOKEN: APPROVER } });
  const orch = cliOf(server);
  const approver = (args: readonly string[]) => orch(args, { env: { ORCH_APPROVER_TOKEN: APPROVER } });
  const contract = join(directory.path, "contract.json");
  writeFileSync(contract, JSON.stringify(contractBody({ task_id: "web-1" })));

  const line = ["freeze", "--target", "service=web", "--reason", "not before Monday"];
  expect(await orch(line)).toMatchObject({ exit: 5, stderr: expect.stringContaining("(forbidden)") });
  expect(await approver(["freeze"])).toMatchObject({ exit: 2, stderr: expect.stringContaining("--reason is missing") });
  const { stdout } = await approver(line);
  const [freeze_id = ""] = stdout.split(" ");
  expect(stdout).toMatch(/^freeze-[0-9a-f]{8} {2}open {2}every task on service=web\n {2}reason {2}not before Monday\n/);
  expect((await approver(line)).stderr).toBe("orch: this was frozen already\n");
  const held = `held by ${freeze_id}: not before Monday`;
  expect((await orch(["submit", contract, "--wait", "1"])).stdout).toContain(held);
  expect((await orch(["explain", contract])).stdout).toContain(held);
  expect((await orch(["tasks"])).stdout).toContain(held);
  expect((await orch(["inbox"])).stdout).toMatch(
    new RegExp(`^FROZEN {2}by ${freeze_id}, until: orch thaw ${freeze_id}`),
  );
  const { port } = new URL(server.url);
  const state = join(directory.path, "state");
  const checks = await doctor({ ORCH_DATA_DIR: state, ORCH_PORT: port, ORCH_TOKEN: TOKEN });
  expect(checks.find(({ name }) => name === "freezes")).toMatchObject({
    state: "falls_back",
    found: `tasks are ${held}`,
  });
  expect((await orch(["thaw", freeze_id])).exit).toBe(5);
  expect((await approver(["thaw", freeze_id])).stdout).toContain("thawed");
  expect((await approver(["thaw", freeze_id])).stderr).toBe(`orch: ${freeze_id} was thawed before\n`);
  expect((await orch(["freezes"])).stdout).toMatch(new RegExp(`\\n${freeze_id} +thawed .*not before Monday\\n$`));
  expect((await orch(["task", "web-1", "--wait", "20"])).stdout).toContain("NEED_INPUT");
});
