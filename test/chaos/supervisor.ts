// Plays the supervisor of one task: submits it, answers what it asks, and asks again whenever an answer was lost. Of a step of
// unknown outcome it looks for the effect: only where there is none, the step is to run again.
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { INTENT, type Plan } from "./plan.ts";
import type { Random } from "./random.ts";

const ENDED = ["ok", "failed", "blocked", "cancelled"];
const PAUSE_MS = 100;

/** What all lanes write down for the checker. */
export type Record = {
  readonly accepted: Map<string, readonly string[]>;
  readonly licences: string[];
  /** Requests that were refused and must not be. */
  readonly refused: { readonly task_id: string; readonly text: string }[];
  /** The task of each question about a step of unknown outcome. */
  readonly asked: string[];
};

/** The effects of a step. */
export type Acted = (task_id: string, index: number, kind: string) => Promise<"no" | "begun" | "done">;

export type Supervisor = {
  readonly client: Client;
  readonly acted: Acted;
  readonly record: Record;
  readonly random: Random;
  /** No patience is left. */
  readonly isOver: () => boolean;
};

/** Resolves with the status in which the task ended; null when it has not in time. */
export async function seeThrough(supervisor: Supervisor, plan: Plan): Promise<string | null> {
  const { client, isOver, record } = supervisor;
  const { task_id } = plan;
  if (!(await submit(supervisor, plan))) return null;
  const cancels_at = plan.cancel_after === null ? Number.POSITIVE_INFINITY : performance.now() + plan.cancel_after;
  for (; !isOver(); await sleep(PAUSE_MS)) {
    if (performance.now() >= cancels_at) await client.ask("POST", `/v1/tasks/${task_id}/cancel`, {});
    const wait = plan.cancel_after === null ? 2 : 0;
    const answer = await client.ask("GET", `/v1/tasks/${task_id}?wait_seconds=${wait}`);
    if (answer?.status === 404) record.refused.push({ task_id, text: "it was accepted, and is not found" });
    if (answer?.status === 404) return null;
    if (answer?.status !== 200) continue;
    const { body } = answer;
    if (body.waiting !== null) await reply(supervisor, plan, body);
    if (!ENDED.includes(body.status)) continue;
    if (plan.promotion !== null && body.status === "ok") await settlePromotion(supervisor, plan, plan.promotion);
    return body.status;
  }
  return null;
}

async function submit({ client, record, isOver }: Supervisor, plan: Plan): Promise<boolean> {
  for (const { task_id } = plan; !isOver(); await sleep(PAUSE_MS)) {
    const answer = await client.ask("POST", "/v1/tasks", plan.contract);
    if (answer?.status === 200) {
      record.accepted.set(task_id, plan.may_end);
      return true;
    }
    if (answer === null || answer.status >= 500) continue;
    const text = `its submit was answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`;
    record.refused.push({ task_id, text });
    return false;
  }
  return false;
}

type View = {
  readonly waiting: { readonly kind: string; readonly approval_id: string; readonly index: number };
  readonly steps: readonly { readonly index: number; readonly kind: string }[];
};

/** Sent once. When its answer is lost, the task is looked at anew. */
async function reply(supervisor: Supervisor, plan: Plan, { waiting, steps }: View): Promise<void> {
  const { client } = supervisor;
  const { task_id, decision } = plan;
  if (waiting.kind === "teaching") {
    await client.ask("POST", "/v1/teach", { task_id, steps: plan.steps });
  } else if (waiting.kind === "approval") {
    await client.ask("POST", "/v1/approve", { decision, approval_id: waiting.approval_id });
  } else if (waiting.kind === "parked") {
    await client.ask("POST", `/v1/tasks/${task_id}/resolve`, { resolution: "retry" });
  } else {
    const kind = steps.find(({ index }) => index === waiting.index)?.kind ?? "cmd";
    await resolve(supervisor, task_id, { index: waiting.index, kind });
  }
}

type Asked = { readonly index: number; readonly kind: string };

async function resolve({ client, acted, record, random }: Supervisor, task_id: string, { index, kind }: Asked) {
  record.asked.push(task_id);
  const has = await acted(task_id, index, kind);
  const resolution = has === "no" ? "retry" : has === "done" || random.chance(0.5) ? "succeeded" : "failed";
  if (resolution === "retry") record.licences.push(`${task_id}.${kind === "mcp_call" ? "call" : index}`);
  // A task whose step was resolved as failed may end so, whether or not the answer came back.
  if (resolution === "failed") allow(record, task_id, "failed/step_failed");
  await client.ask("POST", `/v1/tasks/${task_id}/resolve`, { resolution, index });
}

function allow({ accepted }: Record, task_id: string, end: string): void {
  accepted.set(task_id, [...(accepted.get(task_id) ?? []), end]);
}

/** Decides until the version is no candidate any more. */
async function settlePromotion({ client, isOver }: Supervisor, { task_id, contract }: Plan, decision: string) {
  const signature = Object.entries(contract["target"] as object).map(([key, value]) => `${key}=${value}`);
  const path = `/v1/sops?intent=${INTENT}&target_signature=${encodeURIComponent(signature.join(";"))}`;
  for (; !isOver(); await sleep(PAUSE_MS)) {
    const listed = await client.ask("GET", path);
    if (listed?.status !== 200) continue;
    const sops: { sop_id: string; origin: string; status: string }[] = listed.body.sops;
    const candidate = sops.find(({ origin }) => origin === task_id);
    if (candidate?.status !== "candidate") return;
    const thread = encodeURIComponent(`promotion/${candidate.sop_id}`);
    const pending = await client.ask("GET", `/v1/approvals?status=pending&thread_id=${thread}`);
    const approval_id = pending?.status === 200 ? pending.body.approvals[0]?.approval_id : undefined;
    if (approval_id !== undefined) await client.ask("POST", "/v1/approve", { decision, approval_id });
  }
}
