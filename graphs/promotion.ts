// Promotes a candidate SOP [3.sop.promote], on a thread of its own: no task's `ok` waits for it. What can be known of the candidate
// without changing anything is gathered first (D-200). Each request is made once, and again when another version has come into use
// since. The wait for the decision is alone in its node. Approved: the candidate becomes the active SOP; the active one before it,
// and older candidates, are deprecated. Otherwise the candidate is deprecated (D-019).
import { type BaseCheckpointSaver, END, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { z } from "zod";
import type { ProcedureContent } from "../src/domain/approval.ts";
import type { Change } from "../src/domain/change.ts";
import type { NewEvent } from "../src/domain/journal.ts";
import { outcome } from "../src/domain/outcome.ts";
import type { ReasonCode } from "../src/domain/reason-code.ts";
import { isSetBack, type Sop, type SopProof } from "../src/domain/sop.ts";
import { promotionThread } from "../src/domain/thread-id.ts";
import { newApproval, requested, withdrawn } from "../src/engine/tasks/approval-record.ts";
import { recorded } from "../src/engine/tasks/plan.ts";
import type { Projection } from "../src/engine/tasks/projection.ts";
import type { ProofDeps } from "../src/engine/tasks/sop-checks.ts";
import { gatherProof } from "../src/engine/tasks/sop-proof.ts";
import { activation, isOutdated, moved, rollbackOf } from "../src/engine/tasks/sop-versions.ts";
import { awaitDecision } from "./nodes/await-approval.ts";
import { type Edges, type PipelineDeps, traced, withEdges } from "./state.ts";

export const PromotionState = new StateSchema({
  sop_id: z.string(),
  /** Absent in checkpoints from before there was more than one promotion of a version. */
  thread_id: z.string().optional(),
  approval_id: z.string().optional(),
  decision: z.enum(["approve", "reject"]).optional(),
  proof: z.enum(["gathered", "not_enough", "suspended"]).optional(),
  request: z.enum(["open", "settled"]).optional(),
  activation: z.enum(["done", "stale"]).optional(),
});
export type Promotion = typeof PromotionState.State;
type PromotionFacts = typeof PromotionState.Update;

type PromotionDeps = ProofDeps &
  Pick<PipelineDeps, "clock" | "threadOf" | "new_id" | "approval_ttl_ms" | "sop_promotion">;

export const proveCandidate =
  (deps: PromotionDeps) =>
  async (state: Promotion): Promise<PromotionFacts> => {
    const { sop_id } = state;
    const { journal, leaving } = await deps.threadOf(threadOf(state));
    const { proof: known, set_back } = journal.projection.versions;
    const stale = await isStale(deps, journal.projection, sop_id);
    if (known !== null && !stale) return enough(deps, known);
    // It was in use until then, and its approval was requested in that commit.
    if (set_back !== null && !stale) return { proof: "gathered" };
    if (leaving.aborted) return { proof: "suspended" };
    const { proof, findings, outside, changes } = await gatherProof(deps, await sopIn(deps, sop_id), leaving);
    if (leaving.aborted) return { proof: "suspended" };
    const events: NewEvent[] = [
      { kind: "policy_judged", body: { findings: [...findings], ...recorded(outside) } },
      { kind: "sop_examined", body: proof },
    ];
    // The candidate may have been settled in the meantime: then only its level stays as it was.
    const conflict = await journal.tryCommit(events, changes);
    if (conflict !== null) await journal.commit(events);
    return enough(deps, proof);
  };

const threadOf = ({ sop_id, thread_id = promotionThread(sop_id) }: Promotion): string => thread_id;

const enough = ({ sop_promotion }: PromotionDeps, { level }: Pick<SopProof, "level">): PromotionFacts => ({
  proof: sop_promotion === "ask" || level === "proved" ? "gathered" : "not_enough",
});

/** Another version has come into use, or gone out of it, since the human was shown what the candidate would replace. */
async function isStale({ store }: PromotionDeps, { approvals }: Projection, sop_id: string): Promise<boolean> {
  const { last } = approvals;
  if (last === null || approvals.decisions.get(last.approval_id)?.decision === "reject") return false;
  const [{ status }, approval] = await Promise.all([sopIn({ store }, sop_id), store.findApproval(last.approval_id)]);
  return status === "candidate" && approval !== null && (await isOutdated(store, approval));
}

async function sopIn({ store }: Pick<PromotionDeps, "store">, sop_id: string): Promise<Sop> {
  const sop = await store.findSop(sop_id);
  if (sop === null) throw new Error(`SOP ${sop_id} is to be promoted and is not stored`);
  return sop;
}

export const requestPromotion =
  (deps: PromotionDeps) =>
  async (state: Promotion): Promise<PromotionFacts> => {
    const { sop_id } = state;
    const thread_id = threadOf(state);
    const { journal } = await deps.threadOf(thread_id);
    const asked = journal.projection.approvals.last;
    if (asked !== null && !(await isStale(deps, journal.projection, sop_id)))
      return { request: "open", approval_id: asked.approval_id };
    const sop = await sopIn(deps, sop_id);
    const { intent, target_signature, version, steps, criteria, safety_level, preconditions } = sop;
    const active = await deps.store.findActiveSop(intent, target_signature);
    const rollback = await rollbackOf(deps.store, sop);
    const { proof } = journal.projection.versions;
    const content = {
      intent,
      target_signature,
      sop_id,
      sop_version: version,
      steps,
      criteria,
      safety_level,
      preconditions,
      // The version that the proof compares with: another one in use by now makes the approval stale.
      replaces: proof === null ? (active?.version ?? null) : proof.compared_to,
      ...proofIn(journal.projection),
      ...(rollback !== null && { rollback }),
    };
    const asked_for = newApproval(deps, thread_id, "promotion", content);
    const approval = isToBeKept(sop, journal.projection) ? { ...asked_for, reason: keepReason(content) } : asked_for;
    const changes: Change[] = [
      ...(await openIn(deps, journal.projection)),
      { on: "approval_created", approval },
      // A newer version may have been promoted while the checks were looked at.
      { on: "sop", sop_id, expect: { status: "candidate" }, set: {} },
    ];
    if ((await journal.tryCommit([requested(approval)], changes)) === null)
      return { request: "open", approval_id: approval.approval_id };
    const { status } = await sopIn(deps, sop_id);
    // The request before was decided in between: look again.
    return status === "candidate" ? requestPromotion(deps)(state) : { request: "settled" };
  };

/** Its first run has passed without a proof, and the version before it is in use again. */
const isToBeKept = (sop: Sop, { versions }: Projection): boolean => isSetBack(sop) && versions.set_back === null;

function keepReason({ sop_version, replaces }: Pick<ProcedureContent, "sop_version" | "replaces">): string {
  const instead = replaces == null ? "" : ` It would replace version ${replaces}, which is in use.`;
  return `Keep version ${sop_version} anyway? Its first run passed, but its checks could not be shown to fail.${instead}`;
}

/** The request that this one takes the place of; it may have been superseded already. */
async function openIn({ store }: PromotionDeps, state: Projection): Promise<Change[]> {
  const { last } = state.approvals;
  const row = last === null ? null : await store.findApproval(last.approval_id);
  return row?.status === "pending" ? withdrawn(state) : [];
}

const proofIn = ({ versions: { proof, set_back }, findings, scripts, tools }: Projection) => ({
  findings: [...findings],
  // An empty list is recorded too: a script that appears later was not shown.
  ...(proof !== null && { ...recorded({ scripts, tools }), scripts: [...scripts], proof }),
  ...(set_back !== null && { set_back }),
});

const awaitPromotion =
  (deps: PromotionDeps) =>
  async (state: Promotion): Promise<PromotionFacts> => {
    const { decision } = await awaitDecision(deps, threadOf(state), state.approval_id ?? "");
    return { decision };
  };

export const settlePromotion =
  (deps: PromotionDeps, status: "active" | "deprecated") =>
  // Stryker disable next-line StringLiteral: neither of the two texts is the id of an approval
  async (state: Promotion): Promise<PromotionFacts> => {
    const { sop_id, approval_id = "" } = state;
    const thread_id = threadOf(state);
    const { journal } = await deps.threadOf(thread_id);
    for (;;) {
      const sop = await sopIn(deps, sop_id);
      // It may be in use, and set back again, by now: then this promotion is over.
      if (sop.status !== "candidate" || promotionThread(sop_id, sop.promotion_round) !== thread_id)
        return { activation: "done" };
      if (await isStale(deps, journal.projection, sop_id)) return { activation: "stale" };
      const active = await deps.store.findActiveSop(sop.intent, sop.target_signature);
      const place = active === null ? "" : `, in the place of version ${active.version}`;
      const about = `version ${sop.version} of ${sop.intent} on "${sop.target_signature}"`;
      // Stryker disable ObjectLiteral: what follows from the end of a promotion names no thread
      const reported =
        status === "active"
          ? outcome("ok", "promoted", `Promoted: ${about}${place}.`, { thread_id })
          : outcome("blocked", refusalIn(journal.projection, approval_id), `Not promoted: ${about}.`, { thread_id });
      // Stryker restore ObjectLiteral
      const at = deps.clock().toISOString();
      const seen_wrong = journal.projection.versions.proof?.runs.some(({ verified }) => verified === false) === true;
      const moves =
        status === "active"
          ? await activation(deps.store, sop, { at, seen_wrong })
          : moved(sop, status, "promotion refused");
      await journal.tryCommit([...moves.events, { kind: "reported", body: reported }], moves.changes);
      // Looks again: the candidate is settled now, or another version of its key has just changed.
    }
  };

function refusalIn({ approvals }: Projection, approval_id: string): ReasonCode {
  const decided = approvals.decisions.get(approval_id);
  // Without a request nothing was decided: the version did not get that far.
  if (decided === undefined && approvals.last === null) return "sop_not_proved";
  return decided?.status === "expired" ? "approval_expired" : "approval_rejected";
}

const nodesOf = (deps: PromotionDeps) =>
  traced({
    prove: proveCandidate(deps),
    request_promotion: requestPromotion(deps),
    await_promotion: awaitPromotion(deps),
    activate_sop: settlePromotion(deps, "active"),
    deprecate_sop: settlePromotion(deps, "deprecated"),
  });

const EDGES: Edges<Promotion, keyof ReturnType<typeof nodesOf>> = {
  // SOP_PROMOTION=proved_only does not ask about a version of which too little is known.
  prove: { fact: "proof", next: { gathered: "request_promotion", not_enough: "deprecate_sop", suspended: END } },
  request_promotion: { fact: "request", next: { open: "await_promotion", settled: END } },
  await_promotion: { fact: "decision", next: { approve: "activate_sop", reject: "deprecate_sop" } },
  // What would be replaced is not what was approved: the human is asked again.
  activate_sop: { fact: "activation", next: { done: END, stale: "prove" } },
  deprecate_sop: END,
};

export function buildPromotionGraph(deps: PromotionDeps, checkpointer?: BaseCheckpointSaver) {
  const graph = new StateGraph(PromotionState).addNode(nodesOf(deps)).addEdge(START, "prove");
  return withEdges(graph, EDGES).compile(checkpointer === undefined ? {} : { checkpointer });
}
