// Plays the supervisor: submits a task and answers its questions until it has ended. After a lost server it submits
// again, since the result of its last request is unknown.
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { TaskView } from "../../../src/api/operations/shapes/task-view.ts";
import type { Approval } from "../../../src/domain/approval.ts";
import { hasEnded } from "../../../src/domain/outcome.ts";
import type { Sop } from "../../../src/domain/sop.ts";
import type { Answer } from "../../support/orch-process.ts";
import { type Keeper, ServerLost } from "./keeper.ts";
import { runsOf, type Scenario } from "./scenarios.ts";

type View = z.infer<typeof TaskView>;
export type Question = "teaching" | "approval" | "resolution" | "parked" | "promotion";

const WAIT = "wait_seconds=20";
const PATIENCE_MS = 20_000;

/** Resolves with the ended task, after the decision on its promotion. Calls `asked` before it answers a question. */
export async function seeThrough(
  keeper: Keeper,
  scenario: Scenario,
  task_id: string,
  asked: (question: Question) => void = () => undefined,
): Promise<View> {
  for (;;) {
    try {
      await scenario.prepare?.(keeper, task_id);
      const task = await untilEnd(keeper, scenario, task_id, asked);
      if (scenario.promotes && task.status === "ok") await decidePromotion(keeper, scenario, task, asked);
      return task;
    } catch (error) {
      if (!(error instanceof ServerLost)) throw error;
    }
  }
}

export async function untilEnd(
  keeper: Keeper,
  scenario: Scenario,
  task_id: string,
  asked: (question: Question) => void = () => undefined,
): Promise<View> {
  let task: View = good(await keeper.post("/v1/tasks", { ...scenario.contract(task_id), wait_seconds: 20 }));
  while (!hasEnded(task.status)) {
    if (task.waiting !== null) {
      asked(task.waiting.kind);
      good(await answer(keeper, scenario, task_id, task.waiting));
    }
    task = good(await keeper.get(`/v1/tasks/${task_id}?${WAIT}`));
  }
  return task;
}

function answer(
  keeper: Keeper,
  { steps, decision, failsAt }: Scenario,
  task_id: string,
  waiting: NonNullable<View["waiting"]>,
): Promise<Answer> {
  if (waiting.kind === "teaching") return keeper.post("/v1/teach", { task_id, steps });
  if (waiting.kind === "approval") return keeper.post("/v1/approve", { decision, approval_id: waiting.approval_id });
  if (waiting.kind === "parked") return keeper.post(`/v1/tasks/${task_id}/resolve`, { resolution: "retry" });
  const { index } = waiting;
  const took = runsOf(keeper.data_dir, task_id, index) > 0;
  const resolution = !took ? "retry" : index === failsAt ? "failed" : "succeeded";
  return keeper.post(`/v1/tasks/${task_id}/resolve`, { resolution, index });
}

async function decidePromotion(
  keeper: Keeper,
  { decision }: Scenario,
  { task_id, intent, target_signature }: View,
  asked: (question: Question) => void,
): Promise<void> {
  const isIts = ({ origin }: Sop) => origin === task_id;
  const decide = { isIts, decision, asked: () => asked("promotion") };
  if ((await settledSop(keeper, { intent, target_signature }, decide)) === null)
    throw new Error(`task ${task_id} is ok and has left no candidate`);
}

type Key = { readonly intent: string; readonly target_signature: string };
type Decide = {
  readonly isIts: (sop: Sop) => boolean;
  readonly decision: Scenario["decision"];
  readonly asked?: () => void;
};

export async function versionsOf(keeper: Keeper, { intent, target_signature }: Key): Promise<Sop[]> {
  const key = `intent=${intent}&target_signature=${encodeURIComponent(target_signature)}&limit=500`;
  return good(await keeper.get(`/v1/sops?${key}`)).sops;
}

/** Decides on a version until it is no candidate any more. Null when there is no such version. */
export async function settledSop(keeper: Keeper, key: Key, { isIts, decision, asked }: Decide): Promise<Sop | null> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    const sop = (await versionsOf(keeper, key)).find(isIts);
    if (sop?.status !== "candidate") return sop ?? null;
    const thread = encodeURIComponent(`promotion/${sop.sop_id}`);
    const { approvals }: { approvals: Approval[] } = good(
      await keeper.get(`/v1/approvals?status=pending&thread_id=${thread}`),
    );
    const open = approvals.find(({ interrupt_id }) => interrupt_id !== null);
    if (open === undefined) continue;
    asked?.();
    const answer = await keeper.post("/v1/approve", { decision, approval_id: open.approval_id });
    // Another version has come into use meanwhile: the version asks again.
    if (answer.body.code !== "approval_stale") good(answer);
  }
  throw new Error(`a candidate of ${key.intent} on ${key.target_signature} is not settled`);
}

/** Stores a procedure and promotes it. */
export async function establish(keeper: Keeper, sop: { intent: string; target: object; steps: readonly object[] }) {
  const { sop: candidate }: { sop: Sop } = good(await keeper.post("/v1/teach", sop));
  const isIts = ({ sop_id }: Sop) => sop_id === candidate.sop_id;
  const settled = await settledSop(keeper, candidate, { isIts, decision: "approve" });
  if (settled?.status !== "active") throw new Error(`the SOP for ${sop.intent} is not promoted`);
}

export function good({ status, body }: Answer) {
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
