// Whether a yes to an approval changes something, as far as policy knows: the worst of its steps. Of what was judged for the approval
// that is on record; the rest is judged once for each digest. The call of a tool is `cannot_tell`: its server is not asked for a list.
import type { Approval } from "../domain/approval.ts";
import { OrchError } from "../domain/errors.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import type { Step } from "../domain/step.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import { changesOf } from "../policy/step-change.ts";
import { withoutTask } from "../tasks/without-task.ts";
import type { OperationDeps } from "./deps.ts";

export type ApprovalChange = SopProof["steps"][number]["change"];

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
