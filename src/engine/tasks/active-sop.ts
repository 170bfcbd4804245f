// Finds the version that a task would run, or why there is none: it was never promoted, an update of it waits, or it is not
// what was promoted (D-227). Finds the promotion that a task has left open.
import { type Approval, approvalDigest, isAsked, type ProcedureContent } from "../../domain/approval.ts";
import {
  GivenTarget,
  Intent,
  normalTarget,
  type Target,
  type TaskContract,
  targetSignature,
} from "../../domain/contract.ts";
import { isQuarantined, OrchError } from "../../domain/errors.ts";
import { digestOf } from "../../domain/json.ts";
import { type Reason, reason } from "../../domain/outcome.ts";
import {
  coverCriteria,
  isOfUpdate,
  isSetBack,
  type Procedure,
  parseOrigin,
  type Sop,
  SopDefinition,
} from "../../domain/sop.ts";
import type { Task } from "../../domain/task.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import type { Judge, Store, ToolServers } from "../../ports.ts";
import { parseInput } from "../../schema/parse-input.ts";
import { toolBlocks } from "./plan.ts";
import type { Projection } from "./projection.ts";
import { definitionOf } from "./teaching.ts";

type Reads = Pick<Store, "findActiveSop" | "listSops" | "listApprovals">;
type Key = Pick<Sop, "intent" | "target_signature">;

/** Null when there is none. A reason when there is one that must not run. */
export async function activeSop(store: Reads, { intent, target_signature }: Key): Promise<Sop | Reason | null> {
  const sop = await findActive(store, { intent, target_signature }).catch((error: unknown) => {
    if (isQuarantined(error)) return altered(error.message);
    throw error;
  });
  if (sop === null || "reason_code" in sop || (await isAsPromoted(store, sop))) return sop;
  const what = `Version ${sop.version} of ${intent} on "${target_signature}"`;
  return altered(`${what} is not what was promoted: the database was changed since`);
}

/** Earlier versions stored targets as they were sent: such a version is found by its normal spelling too. */
async function findActive(store: Reads, { intent, target_signature }: Key): Promise<Sop | null> {
  const sop = await store.findActiveSop(intent, target_signature);
  if (sop !== null) return sop;
  const active = await store.listSops({ intent, status: "active", limit: 1000 });
  const isSameTarget = ({ target }: Sop): boolean => targetSignature(normalTarget(target)) === target_signature;
  return active.find((one) => one.target_signature !== target_signature && isSameTarget(one)) ?? null;
}

const altered = (why: string): Reason => reason("sop_altered", `${why}. Nothing of it runs.`);

type Promoted = Pick<ProcedureContent, "steps" | "criteria" | "safety_level" | "preconditions">;

const promotedDigest = ({ steps, criteria, safety_level, preconditions }: Promoted): string =>
  digestOf({ steps, criteria, safety_level, preconditions });

/** The approval that has brought the version into use; none where there is no record of it. */
export async function approvedOf(store: Pick<Store, "listApprovals">, sop: Sop): Promise<Approval[]> {
  const origin = parseOrigin(sop.origin);
  const { sop_id, promotion_round } = sop;
  const isFirst = promotion_round === 1;
  const thread_id = isFirst && origin.by === "update_sop" ? origin.task_id : promotionThread(sop_id, promotion_round);
  const approvals = await store.listApprovals({ thread_id, status: "approved", limit: 100 });
  return approvals.filter(({ content }) => "sop_id" in content && content.sop_id === sop_id);
}

/** What the human who brought the version into use was shown, with what its steps run; null where there is no record of it. */
export async function promotionOf(store: Pick<Store, "listApprovals">, sop: Sop): Promise<ProcedureContent | null> {
  for (let round = sop.promotion_round; round > 0; round -= 1) {
    const approvals = await approvedOf(store, { ...sop, promotion_round: round });
    const contents = approvals.flatMap(({ content }) => ("safety_level" in content ? [content] : []));
    const found = contents.find(({ scripts }) => scripts !== undefined) ?? (round === 1 ? contents[0] : undefined);
    if (found !== undefined) return found;
  }
  return null;
}

/** Rejects where there is no version with the id. */
export async function sopOf(store: Pick<Store, "findSop">, sop_id: string): Promise<Sop> {
  const sop = await store.findSop(sop_id);
  if (sop === null) throw new OrchError("sop_not_found", `There is no SOP ${sop_id}.`);
  return sop;
}

/** Whether its promotion was ever approved. A version that was refused has no steps to go back to (D-019). */
export const wasInUse = async (store: Pick<Store, "listApprovals">, sop: Sop): Promise<boolean> =>
  sop.promotion_round > 1 || (await approvedOf(store, sop)).length > 0;

/** Compares the row with the content of its approval, and that with the digest of which the human decided. */
async function isAsPromoted(store: Reads, sop: Sop): Promise<boolean> {
  return (await approvedOf(store, sop)).every(
    ({ content, digest }) =>
      "safety_level" in content &&
      approvalDigest(content) === digest &&
      promotedDigest(content) === promotedDigest(sop),
  );
}

/** One sentence. While an update waits for its approval, the version before it is set aside. */
export async function noActiveSop(store: Reads, { intent, target_signature }: Key): Promise<string> {
  const none = `No active SOP for ${intent} on "${target_signature}"`;
  const candidates = await candidatesOf(store, { intent, target_signature });
  const update = candidates.find(isOfUpdate);
  const lost = candidates.find(isSetBack);
  const updates = update === undefined ? [] : [ofUpdate(update, lost === undefined)];
  const set_back = lost === undefined ? [] : [await ofSetBack(store, lost)];
  const waiting = [...set_back, ...updates];
  return waiting.length === 0 ? `${none}.` : `${none} now: ${waiting.join("; ")}.`;
}

function ofUpdate({ version, origin }: Sop, sets_aside: boolean): string {
  const parsed = parseOrigin(origin);
  const task = parsed.by === "update_sop" ? parsed.task_id : "";
  const waits = `version ${version} waits for the approval that the update task ${task} asks for`;
  return sets_aside ? `${waits}, and the version before it is set aside until then` : waits;
}

/** A task that needs it learns that it is known, and what it has lost (D-294). */
async function ofSetBack(
  store: Pick<Store, "listApprovals">,
  { sop_id, version, promotion_round }: Sop,
): Promise<string> {
  const thread_id = promotionThread(sop_id, promotion_round);
  const [asked] = await store.listApprovals({ thread_id, status: "pending", limit: 1 });
  const why = asked !== undefined && "set_back" in asked.content ? asked.content.set_back?.why : undefined;
  return `version ${version} was set back${why === undefined ? "" : ` (${why})`} and waits for approval${asked === undefined ? "" : ` ${asked.approval_id}`}`;
}

/** Whether the version that was in use was set back, and waits for its approval. */
export const hasLostProof = async (store: Pick<Store, "listSops">, key: Key): Promise<boolean> =>
  (await candidatesOf(store, key)).some(isSetBack);

const candidatesOf = (store: Pick<Store, "listSops">, { intent, target_signature }: Key): Promise<Sop[]> =>
  store.listSops({ intent, target_signature, status: "candidate", limit: 100 });

/** The version that an update replaces: the active one, or the one that was set back and waits for its approval. */
export async function replaceableSop(store: Reads, { intent, target_signature }: Key): Promise<Sop | null> {
  const active = await findActive(store, { intent, target_signature });
  if (active !== null) return active;
  const candidates = await candidatesOf(store, { intent, target_signature });
  // While another update waits, it is the one to decide on.
  return candidates.some(isOfUpdate) ? null : (candidates.find(isSetBack) ?? null);
}

// Finds the open promotion of a task: its candidate, or the version that was set back, and the approval that asks for it.

type Asks = Pick<Store, "findSop" | "listApprovals">;

/** `approval_id` is null until the checks of the version have been looked at. */
export type OpenPromotion = {
  readonly thread_id: string;
  readonly sop_id: string;
  readonly version: Sop["version"];
  readonly is_set_back: boolean;
  /** Why it asks, as a clause. */
  readonly asks: string;
  readonly approval_id: string | null;
};

/** Returns null if the task left no candidate, or if its candidate is settled. A first run without a proof also leaves a candidate. */
export async function openPromotion(store: Asks, state: Projection): Promise<OpenPromotion | null> {
  const leavesOne = state.is_taught || state.agent.finished !== null || state.procedure?.on_trial === true;
  const stored = leavesOne ? state.versions.changes.findLast(({ status }) => status === "candidate") : undefined;
  const sop = stored === undefined ? null : await store.findSop(stored.sop_id);
  return sop === null || sop.status !== "candidate" ? null : openPromotionOf(store, sop);
}

/** Null unless the version that the task ran was set back, for which this task may be a reason. */
export async function setBackOfTask(
  store: Asks,
  { sop_id, status, verification }: Pick<Task, "sop_id" | "status" | "verification">,
): Promise<OpenPromotion | null> {
  const isReason = status === "failed" || verification !== null;
  const sop = sop_id !== null && isReason ? await store.findSop(sop_id) : null;
  return sop !== null && isSetBack(sop) ? openPromotionOf(store, sop) : null;
}

async function openPromotionOf(store: Asks, sop: Sop): Promise<OpenPromotion> {
  const { sop_id, version, promotion_round } = sop;
  const thread_id = promotionThread(sop_id, promotion_round);
  const [asked] = await store.listApprovals({ thread_id, status: "pending", limit: 1 });
  const approval_id = asked !== undefined && isAsked(asked) ? asked.approval_id : null;
  const lost = asked !== undefined && "set_back" in asked.content && asked.content.set_back !== undefined;
  const is_set_back = isSetBack(sop);
  const asks = !is_set_back ? FIRST : lost || asked === undefined ? AGAIN : KEPT;
  return { thread_id, sop_id, version, is_set_back, asks, approval_id };
}

const FIRST = "asks for its promotion";
const AGAIN = "was set back, and asks to be used again";
const KEPT = "passed its first run without a proof, and asks to be kept";

// Finds what an update_sop contract would replace, and with what, or why it cannot [3.update.1]. It changes nothing, so
// `explain` uses it too.

const UpdatePayload = SopDefinition.extend({ intent: Intent, target: GivenTarget.optional() });

export type Replacement = { readonly current: Sop; readonly target: Target; readonly procedure: Procedure };

type ReplacementPlanDeps = {
  readonly store: Pick<Store, "findActiveSop" | "listSops" | "listApprovals">;
  readonly toolServers: Pick<ToolServers, "effectOf">;
  readonly home: string;
  readonly judge: Judge;
};

export async function replacementIn(
  { store, toolServers, ...judging }: ReplacementPlanDeps,
  contract: Pick<TaskContract, "payload" | "target">,
): Promise<Replacement | Reason> {
  const payload = parseInput(UpdatePayload, contract.payload);
  if (!payload.ok) {
    const wrong = payload.issues.map(
      ({ path, message }) => `${["payload", path].filter(Boolean).join(".")}: ${message}`,
    );
    return reason("update_invalid", `${wrong.slice(0, 5).join("; ")}.`);
  }
  const { intent, target = contract.target, ...definition } = payload.value;
  const key = { intent, target_signature: targetSignature(target) };
  const current = await replaceableSop(store, key);
  if (current === null) return reason("sop_not_found", await noActiveSop(store, key));
  const procedure = await procedureFrom(judging, definition, target, current);
  if ("reason_code" in procedure) return procedure;
  const [changes] = await toolBlocks({ intent, steps: procedure.steps }, toolServers);
  if (changes !== undefined) {
    return reason("update_invalid", `payload.steps.${changes.step_index}: ${changes.reason}.`);
  }
  return { current, target, procedure };
}

/** Without a map of its own, the new version has to prove, in order, what the current one proves. */
async function procedureFrom(
  { home, judge }: Pick<ReplacementPlanDeps, "home" | "judge">,
  definition: SopDefinition,
  target: Target,
  current: Sop,
): Promise<Procedure | Reason> {
  const inStepOrder = current.criteria.toSorted((a, b) => a.step_index - b.step_index);
  const proved = inStepOrder.map(({ criterion }) => criterion);
  const inOrder = coverCriteria(proved, definition.steps);
  const { procedure, issues } = await judge(definitionOf, current.intent, target, definition, { home, remote: false });
  const all = definition.criteria === undefined ? [...inOrder.issues, ...issues] : issues;
  const [first] = all;
  if (first !== undefined) return reason("update_invalid", `payload.${first.path}: ${first.message}`);
  return definition.criteria === undefined ? { ...procedure, criteria: inOrder.criteria } : procedure;
}
