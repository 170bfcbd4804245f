// A real server is killed between a due time, its submission and the record of it (D-302): the next server submits its task once.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Schedule } from "../../../src/features/schedules/schedule.ts";
import { check, contractBody } from "../../support/builders.ts";
import { orderIn } from "../../support/kill-at.ts";
import { linesOf, type OrchProcess, temporaryDirectory } from "../../support/orch-process.ts";
import { serve } from "./begin.ts";

const { task_id: _task_id, requested_at: _requested_at, ...CONTRACT } = contractBody({ delegation_mode: "known_only" });

/** An active procedure, past its trial: the third run asks no more. */
async function learn(orch: OrchProcess): Promise<void> {
  const steps = [check("echo x >> marks; test -s marks")];
  const { body } = await orch.post("/v1/teach", { intent: "deploy", target: CONTRACT.target, steps });
  for (let found: { approval_id: string } | undefined; found === undefined; await sleep(50)) {
    const thread = encodeURIComponent(`promotion/${body.sop.sop_id}`);
    found = (await orch.get(`/v1/approvals?thread_id=${thread}&status=pending`)).body.approvals[0];
    if (found !== undefined) await orch.post("/v1/approve", { approval_id: found.approval_id, decision: "approve" });
  }
}

async function until(orch: OrchProcess, isIt: (schedule: Schedule) => boolean): Promise<Schedule> {
  for (;;) {
    const { schedule } = (await orch.get("/v1/schedules/web-up")).body;
    if (isIt(schedule)) return schedule;
    await sleep(100);
  }
}

test.each(["commit:after:schedule_due#1", "commit:after:task_accepted#1", "commit:before:schedule_submitted#1"])(
  "killed at %s, it leaves one task for one due time",
  async (point) => {
    await using directory = await temporaryDirectory();
    const { path: data_dir } = directory;
    const preload = new URL("../../support/kill-at.ts", import.meta.url).pathname;
    const start = { data_dir, preload, env: { KILL_DIR: data_dir } };
    await using first = await serve(start);
    await mkdir(join(data_dir, "state"), { recursive: true });
    await learn(first);
    const added = await first.post("/v1/schedules", { name: "web-up", contract: CONTRACT, every: "10s" });
    expect(added).toMatchObject({ status: 200, body: { would: "ask", schedule: { runs: 0 } } });
    await writeFile(orderIn(data_dir), point);
    await new Promise((resolve) => first.child.once("exit", resolve));
    await using second = await serve(start);
    const { last_task_id, open_due } = await until(second, ({ runs }) => runs === 1);
    expect(open_due).toBeNull();
    const { tasks } = (await second.get("/v1/tasks")).body;
    expect(tasks.map(({ task_id }: { task_id: string }) => task_id)).toEqual([last_task_id]);
    // It waits for the approval of its trial, so that the due times after it are skipped.
    const asked = (await second.get(`/v1/tasks/${last_task_id}?wait_seconds=20`)).body;
    const { approval_id } = asked.waiting;
    await second.post("/v1/approve", { approval_id, decision: "approve", wait_seconds: 20 });
    expect((await second.get(`/v1/tasks/${last_task_id}?wait_seconds=20`)).body.status).toBe("ok");
    expect(linesOf(join(data_dir, "marks"))).toHaveLength(1);
  },
);
