// Late decisions: an expired approval counts as rejected and cannot be decided any more.
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { contractBody } from "../../support/builders.ts";
import { runSql } from "../../support/database.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { databaseIn, expectSound, fileServers } from "./sound-server.ts";

const { startServer } = fileServers();

const LONG_AGO = "2000-01-01T00:00:00.000Z";

/** A task and a candidate SOP that both wait for a decision. The steps of the task append to the file `ran`. */
async function askTwice({ post }: OrchProcess, ran: string) {
  const constraints = { implicit_scope: [], require_approval_for: ["writes"], max_minutes: 1 };
  await post("/v1/tasks", contractBody({ task_id: "late", constraints, wait_seconds: 30 }));
  const steps = [
    { kind: "cmd", value: `echo ran >> "${ran}"` },
    { kind: "check", value: "test -d /" },
  ];
  const { task } = (await post("/v1/teach", { task_id: "late", steps, wait_seconds: 30 })).body;
  expect(task.status).toBe("need_approval");
  const taught = (await post("/v1/teach", { intent: "restart", target: { service: "x" }, steps })).body;
  return { plan: task.waiting.approval_id, promotion: taught.approval_id, sop_id: taught.sop.sop_id };
}

async function expireAll(data_dir: string): Promise<void> {
  const database = await openDatabase({ url: `file:${databaseIn(data_dir)}` });
  await runSql(database, "UPDATE approval SET expires_at = ?, row_sum = '' WHERE status = 'pending'", LONG_AGO);
  await database.close();
}

async function expectExpired({ get, post }: OrchProcess, asked: Awaited<ReturnType<typeof askTwice>>, ran: string) {
  for (const approval_id of [asked.plan, asked.promotion]) {
    for (const decision of ["approve", "reject", "approve"]) {
      expect(await post("/v1/approve", { approval_id, decision })).toMatchObject({
        status: 409,
        body: { code: "approval_not_pending", current: { approval_id, status: "expired", expires_at: LONG_AGO } },
      });
    }
  }
  const { body } = await get("/v1/tasks/late?wait_seconds=30");
  expect(body).toMatchObject({ status: "blocked", outcome: { reason_code: "approval_expired" } });
  expect(linesOf(ran)).toEqual([]);
  const statusOfSop = async () => (await get(`/v1/sops/${asked.sop_id}`)).body.sop.status;
  await expect.poll(statusOfSop).toBe("deprecated");
}

test("an approval that expired while the server was stopped is rejected when it starts", async () => {
  await using directory = await temporaryDirectory();
  const data_dir = directory.path;
  const ran = join(data_dir, "ran");
  const first = await startServer({ data_dir });
  const asked = await askTwice(first, ran);
  await first.kill("SIGKILL");
  await expireAll(data_dir);
  const second = await startServer({ data_dir });
  await expectExpired(second, asked, ran);
  await expectSound(second, data_dir);
  expect(await second.kill("SIGTERM")).toBe(0);
});
