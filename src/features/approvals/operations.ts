// Handles what callers ask of approvals. After a decision on a promotion it says whether the version is in use.
import type { z } from "zod";
import { decide } from "../../api/operations/decide.ts";
import type { OperationDeps } from "../../api/operations/deps.ts";
import {
  type HandlersOf,
  invalidInput,
  leftOut,
  lookUntil,
  type OperationHandler,
  PREPARATION_SECONDS,
  prepared,
} from "../../api/operations/operation.ts";
import { viewAfterWait } from "../../api/operations/task-view.ts";
import { type Approval, isAsked, type ProcedureContent } from "../../domain/approval.ts";
import { OrchError } from "../../domain/errors.ts";
import type { NextAction } from "../../domain/next-action.ts";
import type { Sop } from "../../domain/sop.ts";
import { promotionThread } from "../../domain/thread-id.ts";
import { beginningOf } from "../../domain/verification.ts";
import { approvalContext } from "../../engine/tasks/approval-record.ts";
import { lookAtPlan } from "../../engine/tasks/look-at-plan.ts";
import { projection } from "../../engine/tasks/projection.ts";
import { CUT_SHORT } from "../../engine/tasks/sop-proof.ts";
import { isOutdated } from "../../engine/tasks/sop-versions.ts";
import { handleGetApproval } from "./get-approval.ts";
import { handleListInbox } from "./inbox.ts";
import type { APPROVAL_SHAPES, approve, listApprovals, lookAtApproval, PromotionOutcome } from "./shapes.ts";

// Answers look_at_approval: what is true on the target now, of the steps that an approval covers, stored or not (D-355).

type Look = z.input<typeof lookAtApproval.output>;

/** Two looks at once could disturb each other, and cost the target twice: pages that ask for the same one share it. */
const handleLookAtApproval: OperationHandler<typeof lookAtApproval> = (deps) => {
  const joined = createJoined<Look>();
  return ({ approval_id }, { signal }) => joined(approval_id, (until) => look(approval_id, until), signal);

  async function look(approval_id: string, signal: AbortSignal): Promise<Look> {
    const { approval, contract, is_of_task, sop } = await approvalContext(deps, approval_id);
    const { content } = approval;
    const looked_at = deps.clock().toISOString();
    if (!("steps" in content)) return { looked_at, steps: [], checks: [], warnings: [NO_STEPS] };
    if (approval.status !== "pending") return { looked_at, steps: [], checks: [], warnings: [SETTLED] };
    const plan = { ...content, origin: sop?.origin ?? "teach" };
    const { steps, checks, is_cut, warnings } = await lookAtPlan(deps, { contract, is_of_task, plan }, signal);
    const is_remote = deps.backendOf(contract)?.remote !== false;
    const not_looked = [...(is_remote ? [ELSEWHERE] : []), ...(is_cut ? [CUT_SHORT] : [])];
    return { looked_at, steps, checks, warnings: [...not_looked, ...warnings] };
  }
};

const NO_STEPS = "Nothing of it is known only to look, so nothing was looked at.";
const SETTLED = "It waits for no decision, so nothing was looked at.";
const ELSEWHERE = "It would not run on this machine, so nothing was looked at there.";

type Running<T> = { readonly answer: Promise<T>; readonly left: AbortController; callers: number };

type Joined<T> = (key: string, run: (signal: AbortSignal) => Promise<T>, caller: AbortSignal) => Promise<T>;

export function createJoined<T>(): Joined<T> {
  const running = new Map<string, Running<T>>();

  function begin(key: string, run: (signal: AbortSignal) => Promise<T>): Running<T> {
    const left = new AbortController();
    const before = running.get(key)?.answer.catch(() => undefined);
    const answer = Promise.resolve(before).then(() => run(left.signal));
    const begun = { answer, left, callers: 0 };
    const forget = () => void (running.get(key) === begun && running.delete(key));
    answer.then(forget, forget);
    running.set(key, begun);
    return begun;
  }

  return (key, run, caller) => {
    const now = running.get(key);
    const joined = now === undefined || now.left.signal.aborted ? begin(key, run) : now;
    joined.callers += 1;
    const leave = () => {
      joined.callers -= 1;
      if (joined.callers === 0) joined.left.abort();
    };
    if (caller.aborted) leave();
    else caller.addEventListener("abort", leave, { once: true });
    return joined.answer.finally(() => caller.removeEventListener("abort", leave));
  };
}

const handleApprove: OperationHandler<typeof approve> =
  (deps) =>
  async ({ decision, digest, reason = null, wait_seconds, ...given }, { token_id, at_console, signal }) => {
    const { decided_by: stated = null, ...which } = given;
    // At the console it is the name of the session, or none, and what was shown.
    const decided_by = at_console === undefined ? stated : at_console.name;
    if (at_console !== undefined && digest === undefined)
      throw invalidInput({ name: "approve" }, [
        { path: "digest", message: "is needed from the console: what was shown" },
      ]);
    const approval = await approvalOf(deps, which, signal);
    if (digest !== undefined && digest !== approval.digest) {
      throw new OrchError("digest_mismatch", "The digest is not that of this approval.", {
        fix: "Read it again.",
        current: approval,
      });
    }
    if (isPromotion(approval) && (decision === "approve" || approval.status === "superseded"))
      await refuseOutdated(deps, approval, signal);
    const decided = await decide(deps, approval, { decision, reason, decided_by, token_id });
    if (isPromotion(decided)) {
      // The next task of the caller finds the version in use.
      const promotion = await promotionOutcome(deps, decided, signal);
      return { ...decided, task: null, promotion, next: [seeVersion(promotion.sop_id)] };
    }
    const patience = decided.kind === "replacement" ? Math.max(wait_seconds, PREPARATION_SECONDS) : wait_seconds;
    const task = await viewAfterWait(deps, decided.thread_id, { wait_seconds: patience, signal });
    return { ...decided, task, next: task.next };
  };

const seeVersion = (sop_id: string): NextAction => ({
  operation: "get_sop",
  arguments: { sop_id },
  text: "See the version and its record.",
});

type Which = { readonly approval_id?: string | undefined; readonly task_id?: string | undefined };

async function approvalOf(deps: OperationDeps, which: Which, signal: AbortSignal): Promise<Approval> {
  const approval = await findApproval(deps, which);
  return (await prepared(deps, approval, signal)) ?? approval;
}

const MOST_LISTED = 20;
const LONGEST_REASON = 300;

/** A decision is about what a human has seen, so it names that: another approval may wait by now. */
function unnamed(pending: readonly Approval[]): OrchError {
  const waits = pending.length === 1 ? "one is pending" : "several are pending";
  const current = pending.map(({ approval_id, thread_id, kind, reason }) => ({
    approval_id,
    thread_id,
    kind,
    reason: beginningOf(reason, LONGEST_REASON),
  }));
  const fix = "Give the approval_id that the human has seen, or the task_id of the task that waits.";
  return new OrchError("approval_ambiguous", `The decision does not name its approval, and ${waits}.`, {
    fix,
    current,
  });
}

async function findApproval({ store }: OperationDeps, { approval_id, task_id }: Which): Promise<Approval> {
  if (approval_id !== undefined) {
    const approval = await store.findApproval(approval_id);
    if (approval !== null && (task_id === undefined || approval.thread_id === task_id)) return approval;
    throw new OrchError(
      "approval_not_found",
      `There is no approval ${approval_id}${task_id === undefined ? "" : ` of task ${task_id}`}.`,
    );
  }
  const all = await store.listApprovals({ thread_id: task_id, status: "pending", limit: MOST_LISTED });
  const pending = all.some(isAsked) ? all.filter(isAsked) : all;
  const [only] = pending;
  if (only !== undefined && pending.length === 1 && task_id !== undefined) return only;
  if (only !== undefined) throw unnamed(pending);
  const last =
    task_id === undefined ? undefined : (await store.listApprovals({ thread_id: task_id, limit: 500 })).at(-1);
  if (last !== undefined) return last;
  throw new OrchError("approval_not_found", "No approval is pending.");
}

const handleListApprovals: OperationHandler<typeof listApprovals> = (deps) => async (query) => {
  const approvals = await deps.store.listApprovals(query);
  const next_after = approvals.length === query.limit ? (approvals.at(-1)?.approval_id ?? null) : null;
  return { approvals: approvals.filter(isAsked), next_after, quarantined: leftOut(deps, "approval") };
};

// Says whether a version is in use after a decision on its promotion, and refuses a decision on an approval that is out of date.

type Waiting = Pick<OperationDeps, "store" | "nextReport">;
type Deps = Waiting & Pick<OperationDeps, "promotions">;
type Promotion = Approval & { readonly content: ProcedureContent & { readonly sop_id: string } };

const isPromotion = (approval: Approval): approval is Promotion =>
  approval.kind === "promotion" && "sop_id" in approval.content && approval.content.sop_id !== null;

/** Where another version is in use than the approval names, the version asks again, and the caller is given that approval. */
async function refuseOutdated(deps: Deps, approval: Promotion, signal: AbortSignal): Promise<void> {
  const { status, content } = approval;
  const isOld = status === "superseded" || (status === "pending" && (await isOutdated(deps.store, approval)));
  if (!isOld || !isAsking(await deps.store.findSop(content.sop_id), approval)) return;
  deps.promotions.dispatch(content.sop_id, { kind: "recover" });
  throw await staleError(deps, approval, await whenSettled(deps, approval, signal));
}

/** Whether the version still waits on the thread of the approval. */
const isAsking = (sop: Sop | null, { thread_id }: Approval): boolean =>
  sop?.status === "candidate" && promotionThread(sop.sop_id, sop.promotion_round) === thread_id;

type Settled = { readonly sop: Sop | null; readonly again: Approval | null };

/** Once the version is in use or is not, or asks again. The wait is a few seconds at most. */
function whenSettled(deps: Waiting, approval: Promotion, signal: AbortSignal): Promise<Settled> {
  const { thread_id, content, approval_id } = approval;
  return lookUntil<Settled>(
    {
      next: (ms, until) => deps.nextReport(thread_id, ms, until),
      look: async () => {
        const sop = await deps.store.findSop(content.sop_id);
        const pending = await deps.store.listApprovals({ thread_id, status: "pending", limit: 10 });
        const again = pending.find((one) => one.approval_id !== approval_id && one.interrupt_id !== null) ?? null;
        return { sop, again };
      },
      isEnough: ({ sop, again }) => again !== null || !isAsking(sop, approval),
    },
    { wait_seconds: PREPARATION_SECONDS, signal },
  );
}

async function staleError({ store }: Waiting, approval: Promotion, { sop, again }: Settled): Promise<OrchError> {
  const { intent, target_signature, sop_version, replaces = null } = approval.content;
  const active = await store.findActiveSop(intent, target_signature);
  const before = replaces === null ? "no version was in use" : `version ${replaces} was in use`;
  const now = active === null ? "no version is" : `version ${active.version} is`;
  return new OrchError(
    "approval_stale",
    `Version ${sop_version} is not in use: when this approval was requested, ${before}; now ${now}.`,
    { fix: fixFor(sop, approval, again), current: again ?? approval },
  );
}

function fixFor(sop: Sop | null, approval: Promotion, again: Approval | null): string {
  if (again !== null)
    return `Read approval ${again.approval_id}, which compares it with the version in use; decide on that one.`;
  return isAsking(sop, approval)
    ? "It asks again in a moment: read list_inbox."
    : "Teach its steps again, if they are to be used after all.";
}

/** After a decision was recorded. */
async function promotionOutcome(
  deps: Waiting,
  approval: Promotion,
  signal: AbortSignal,
): Promise<z.infer<typeof PromotionOutcome>> {
  const settled = await whenSettled(deps, approval, signal);
  const { sop, again } = settled;
  const { sop_id, sop_version } = approval.content;
  const version = sop?.version ?? sop_version ?? 0;
  const answer = (in_use: boolean, message: string) => ({ sop_id, version, in_use, message });
  if (sop?.status === "active") return answer(true, inUse(sop));
  if (approval.decision?.decision !== "approve")
    return answer(false, `Version ${version} is not in use, because its approval was rejected.`);
  // The same decision again, on a promotion of some time ago.
  const { reported } = projection(await deps.store.readJournal(approval.thread_id));
  if (reported?.reason_code === "promoted")
    return answer(false, `Version ${version} came into use with this approval, and is not in use any more.`);
  if (isAsking(sop, approval) && again === null)
    return answer(false, `Version ${version} is not in use yet: orch is still carrying out the decision.`);
  throw await staleError(deps, approval, settled);
}

const inUse = ({ version, trial_left }: Sop): string =>
  trial_left > 0
    ? `Version ${version} is in use now. Its first run asks for an approval.`
    : `Version ${version} is in use now.`;

export const APPROVAL_HANDLERS: HandlersOf<typeof APPROVAL_SHAPES> = {
  approve: handleApprove,
  list_approvals: handleListApprovals,
  get_approval: handleGetApproval,
  look_at_approval: handleLookAtApproval,
  list_inbox: handleListInbox,
};
