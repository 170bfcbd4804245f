// Shared by the tests of stops and restarts: starts a task with taught steps, and checks its processes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../../src/domain/step.ts";
import { contractBody } from "../../support/builders.ts";
import { type Answer, linesOf, type OrchProcess, type Start, startOrchProcess } from "../../support/orch-process.ts";

/** A server that is killed when the scope ends. */
export async function serve(start: Start): Promise<OrchProcess & AsyncDisposable> {
  const orch = await startOrchProcess(start);
  const dispose = async () => void (await orch.kill("SIGKILL"));
  return { ...orch, [Symbol.asyncDispose]: dispose };
}

type Server = Pick<OrchProcess, "get" | "post">;

/** Submits a task and resolves once it waits to be taught. */
export const submit = (orch: Server, task_id: string, service: string = task_id): Promise<Answer> =>
  orch.post("/v1/tasks", { ...contractBody({ task_id, target: { service } }), wait_seconds: 20 });

/** Resolves once the steps are taught, which is before they have run. */
export const teach = (orch: Server, task_id: string, steps: readonly Step[]): Promise<Answer> =>
  orch.post("/v1/teach", { task_id, steps });

export async function begin(orch: Server, task_id: string, steps: readonly Step[], service?: string): Promise<void> {
  await submit(orch, task_id, service);
  await teach(orch, task_id, steps);
}

/** Resolves with the task once it has ended or waits. */
export const settled = async (orch: Server, task_id: string) =>
  (await orch.get(`/v1/tasks/${task_id}?wait_seconds=30`)).body;

export const kindsOf = async (orch: Server, task_id: string): Promise<string[]> =>
  (await orch.get(`/v1/tasks/${task_id}/evidence`)).body.journal.map(({ kind }: { kind: string }) => kind);

/** Resolves with the lines of a file once there are `count` of them. */
export async function lines(data_dir: string, name: string, count = 1): Promise<string[]> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(10)) {
    const found = linesOf(join(data_dir, name));
    if (found.length >= count) return found;
  }
  throw new Error(`${name} has fewer than ${count} lines after 20 s`);
}

/** A zombie does not count as living. */
export function isLiving(pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0] !== "Z";
  } catch {
    return false;
  }
}
