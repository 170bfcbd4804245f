// Procedures and tasks over HTTP, as a supervisor teaches and submits them.
import { setTimeout as sleep } from "node:timers/promises";
import { contractBody } from "../support/builders.ts";
import type { OrchProcess } from "../support/orch-process.ts";

export async function learn({ get, post }: OrchProcess, intent: string, service: string, steps: readonly object[]) {
  const { body } = await post("/v1/teach", { intent, target: { service }, steps });
  await post("/v1/approve", { approval_id: body.approval_id, decision: "approve" });
  while ((await get(`/v1/sops/${body.sop.sop_id}`)).body.sop.status !== "active") await sleep(20);
}

export const known = (task_id: string, intent: string, service: string) =>
  contractBody({ task_id, intent, target: { service }, success_criteria: [], delegation_mode: "known_only" });

/** The first run of a version is on trial. Where nothing is looked at, the trial ends with it. */
export async function endTrial(orch: OrchProcess, service: string): Promise<void> {
  const task_id = `trial-${service}`;
  await orch.post("/v1/tasks", { ...known(task_id, "restart", service), wait_seconds: 30 });
  await orch.post("/v1/approve", { task_id, decision: "approve", wait_seconds: 30 });
}
