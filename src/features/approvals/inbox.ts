// Answers list_inbox: what waits for the supervisor, of all tasks and promotions, in one list, with what a yes may change,
// and the tasks whose check from outside is overdue.

import type { OperationDeps } from "../../api/operations/deps.ts";
import type { OperationHandler } from "../../api/operations/operation.ts";
import { type Approval, isAsked, WAITS_FOR } from "../../domain/approval.ts";
import { placeSentence, withoutTask } from "../../domain/contract.ts";
import { OrchError } from "../../domain/errors.ts";
import { inRiskOrder } from "../../domain/inbox-order.ts";
import { nextByReason, outcomeOf } from "../../domain/outcome.ts";
import type { SopProof } from "../../domain/sop.ts";
import type { Step } from "../../domain/step.ts";
import type { Task, Waiting } from "../../domain/task.ts";
import { isInDebt, owedSince, type UnverifiedTask } from "../../domain/verification.ts";
import { changesOf } from "../../engine/policy/category-consequences.ts";
import { shellContextOf } from "../../engine/policy/judge-plan.ts";
import type { Clock, Store } from "../../ports.ts";
import type { InboxItem, listInbox } from "./shapes.ts";

/** Of each kind, newest tasks and oldest approvals. Tasks to teach, which may be many, take no place of the others (D-356). */
const MOST = 500;
const ANSWERED_BY_TASK = ["resolution", "parked", "teaching"] as const satisfies readonly Waiting["kind"][];

export const handleListInbox: OperationHandler<typeof listInbox> = (deps) => {
  const { store, clock, task_holds, quarantined, answers } = deps;
  const changesOf = createApprovalChange(deps);
  const debtNow = createVerificationDebt({ store, clock }, MOST);
  const waitingFor = (waits_for: Waiting["kind"]) => store.listTasks({ status: "need_input", waits_for, limit: MOST });
  return async ({ limit }) => {
    const [approvals, debt, , ...tasks] = await Promise.all([
      store.listApprovals({ status: "pending", limit: MOST }),
      debtNow(),
      task_holds.look(),
      ...ANSWERED_BY_TASK.map(waitingFor),
    ]);
    const open = approvals.filter(isAsked);
    const changes = await changesOf(open);
    const asked = open.map((approval, nth) => ofApproval(approval, changes[nth] ?? "cannot_tell"));
    const all = [...asked, ...tasks.flat().flatMap(ofTask), ...debt.tasks.flatMap(ofDebt)];
    const items = inRiskOrder(all, clock().getTime()).slice(0, limit);
    const more =
      items.length < all.length || approvals.length === MOST || tasks.some((page) => page.length === MOST) || debt.more;
    const notice = answers.notice();
    return {
      items,
      more,
      frozen: [...task_holds.inForce()],
      quarantined: [...quarantined()],
      notices: notice === null ? [] : [notice],
    };
  };
};

function ofApproval(approval: Approval, change: ApprovalChange): InboxItem {
  const { kind, thread_id, approval_id, content, reason, created_at, expires_at } = approval;
  const { intent, target_signature } = content;
  const next = nextByReason(WAITS_FOR[kind], { thread_id, approval_id, step_index: null });
  const text = `${reason}${placeSentence(content.runs_on)}`;
  const risk: InboxItem["risk"] = "set_back" in content && content.set_back !== undefined ? "set_back" : change;
  const about = { kind, risk, thread_id, approval_id, intent, target_signature };
  return { ...about, text, since: created_at, expires_at, next };
}

function ofDebt({ task_id, intent, target_signature, ended_at, contract }: UnverifiedTask): InboxItem[] {
  const since = owedSince(contract, ended_at);
  if (since === null) return [];
  const text = `DONE since ${ended_at}, and nothing outside has verified it within ${contract.verify_within_hours} h.`;
  const next = nextByReason("verified", { thread_id: task_id, approval_id: null, step_index: null });
  const known = {
    kind: "verification",
    risk: "unverified",
    thread_id: task_id,
    approval_id: null,
    intent,
    target_signature,
  } as const;
  return [{ ...known, text, since, expires_at: null, next }];
}

function ofTask(task: Task): InboxItem[] {
  const { task_id, intent, target_signature, waiting, updated_at } = task;
  const outcome = outcomeOf(task);
  if (waiting === null || waiting.kind === "approval" || outcome === null) return [];
  return [
    {
      kind: waiting.kind,
      risk: waiting.kind === "teaching" ? "nothing_runs" : "outcome_unknown",
      thread_id: task_id,
      approval_id: null,
      intent,
      target_signature,
      text: outcome.message,
      since: updated_at,
      expires_at: null,
      next: outcome.next,
    },
  ];
}

// The tasks that are DONE, whose contract sets a time for a check from outside, and whose time is over without one. Read from the
// rows as they are: nothing is written when a task ends (D-308).

const PAGE = 500;
/** How many are read at most: those whose time is not over yet are read too. */
const MOST_READ = 10_000;

type Debt = { readonly tasks: readonly UnverifiedTask[]; readonly more: boolean };
/** `is_long`: more than one page was read. */
type Read = Debt & { readonly is_long: boolean };

type Deps = { readonly store: Pick<Store, "listUnverified" | "findTask">; readonly clock: Clock };

/** Reading thousands of tasks whose time is not over yet is repeated after so long; few are read each time. */
const KEPT_MS = 5_000;

/** The first `most` of those in debt, in the order of their ends. A verification ends a debt at once. */
export function createVerificationDebt(deps: Deps, most: number): () => Promise<Debt> {
  let last: { readonly at: number; readonly read: Promise<Read> } | null = null;
  return async () => {
    const now = deps.clock().getTime();
    const before =
      last !== null && now >= last.at && now - last.at < KEPT_MS ? await last.read.catch(() => null) : null;
    if (before?.is_long) return { ...before, tasks: await unverified(deps, before.tasks) };
    const read = readDebt(deps, most);
    last = { at: now, read };
    return read;
  };
}

async function unverified({ store }: Deps, tasks: readonly UnverifiedTask[]): Promise<readonly UnverifiedTask[]> {
  const now = await Promise.all(tasks.map(({ task_id }) => store.findTask(task_id)));
  return tasks.filter((_, nth) => now[nth]?.verification === null);
}

async function readDebt({ store, clock }: Deps, most: number): Promise<Read> {
  const now = clock();
  const tasks: UnverifiedTask[] = [];
  let after: string | undefined;
  let read = 0;
  for (; read < MOST_READ; read += PAGE) {
    const page = await store.listUnverified({ wants: "verify_within_hours", limit: PAGE, after });
    tasks.push(...page.filter((task) => isInDebt(task, now)));
    after = page.at(-1)?.task_id;
    if (page.length < PAGE) return { tasks: tasks.slice(0, most), more: tasks.length > most, is_long: read > 0 };
    if (tasks.length >= most) break;
  }
  return { tasks: tasks.slice(0, most), more: true, is_long: read > 0 };
}

// Whether a yes to an approval changes something, as far as policy knows: the worst of its steps. Of what was judged for the approval
// that is on record; the rest is judged once for each digest. The call of a tool is `cannot_tell`: its server is not asked for a list.

type ApprovalChange = SopProof["steps"][number]["change"];

const WORST_FIRST = ["changes", "cannot_tell", "looks"] as const satisfies readonly ApprovalChange[];

/** Nothing to do is a look. */
const worstOf = (changes: readonly ApprovalChange[]): ApprovalChange =>
  WORST_FIRST.find((change) => changes.includes(change)) ?? "looks";

/** Pending approvals are few; a digest that is forgotten is judged again. */
const MOST_KEPT = 1_000;

export function createApprovalChange({ judge, home }: Pick<OperationDeps, "judge" | "home">) {
  const kept = new Map<string, Promise<ApprovalChange>>();

  async function judged({ content }: Approval): Promise<ApprovalChange> {
    // A skill lists what it changes, and an agent that has not begun may change what its contract lets it write.
    if ("details" in content || ("calls" in content && content.calls.length === 0)) return "changes";
    if ("steps" in content && content.proof !== undefined)
      return worstOf(content.proof.steps.map((step) => step.change));
    const contract = content.contract ?? withoutTask(content.intent, {});
    const steps: readonly (Step | null)[] =
      "steps" in content ? content.steps : content.calls.map(({ step }) => (step.kind === "skill_tool" ? null : step));
    const known = await judge(
      changesOf,
      steps.filter((step) => step !== null),
      shellContextOf(contract, home),
    );
    return worstOf([...known.map((change) => change ?? "cannot_tell"), ...(steps.includes(null) ? [UNKNOWN] : [])]);
  }

  const changeOf = (approval: Approval): Promise<ApprovalChange> => {
    const { digest } = approval;
    const found = kept.get(digest) ?? judged(approval);
    kept.delete(digest);
    kept.set(digest, found);
    const [oldest] = kept.size > MOST_KEPT ? kept.keys() : [];
    if (oldest !== undefined) kept.delete(oldest);
    found.catch(() => kept.delete(digest));
    return found;
  };

  /**
   * One after another: few requests may wait for the judge. Of what cannot be judged now nothing is known, and it is tried again the
   * next time. While the judge is busy the rest is not asked for.
   */
  return async (approvals: readonly Approval[]): Promise<readonly ApprovalChange[]> => {
    const changes: ApprovalChange[] = [];
    let is_busy = false;
    for (const approval of approvals) {
      const change = is_busy && !kept.has(approval.digest) ? UNKNOWN : await changeOf(approval).catch(unjudged);
      changes.push(change);
    }
    return changes;

    function unjudged(error: unknown): ApprovalChange {
      is_busy ||= error instanceof OrchError && error.code === "busy";
      return UNKNOWN;
    }
  };
}

const UNKNOWN: ApprovalChange = "cannot_tell";
