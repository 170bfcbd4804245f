// What is new in a procedure that waits for a decision: its difference to the last version of its key that was approved.
import type { ProcedureContent } from "../domain/approval.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Sop } from "../domain/sop.ts";
import { sentStep } from "../domain/step-run.ts";
import { wasInUse } from "../tasks/active-sop.ts";
import { stepDiff } from "../tasks/step-diff.ts";
import type { OperationDeps } from "./deps.ts";
import type { Compared } from "./shapes/get-approval.ts";

const MOST_VERSIONS = 100;

/** The version that it is about, and the contract whose parameters its steps have resolved: that of a plan. */
type About = { readonly sop: Sop | null; readonly plan_of: TaskContract | null };

/** A version that was refused was never in use, and is nothing to compare with. */
export async function comparedWith(
  store: OperationDeps["store"],
  content: ProcedureContent,
  about: About,
): Promise<Compared | null> {
  const { sop, plan_of } = about;
  const { intent, target_signature, steps } = content;
  const versions = await store.listSops({ intent, target_signature, limit: MOST_VERSIONS });
  for (const version of sop !== null && plan_of !== null ? [sop] : inOrder(versions, content, sop)) {
    if (!(version.status === "active" || (await wasInUse(store, version)))) continue;
    const { sop_id, version: number, status } = version;
    const before = plan_of === null ? version.steps : version.steps.map((step) => sentStep(step, plan_of));
    const diff = stepDiff(before, steps);
    const terms = changedTerms(version, content);
    return { sop_id, version: number, status, same: diff.length === 0 && terms.length === 0, diff, terms };
  }
  return null;
}

/** First the one in use, then the version itself where it was in use and was set back, then the newest. */
function inOrder(versions: readonly Sop[], { set_back }: ProcedureContent, own: Sop | null): Sop[] {
  const isOwn = ({ sop_id }: Sop) => sop_id === own?.sop_id;
  const earlier = versions.filter((one) => (isOwn(one) ? set_back !== undefined : one.status !== "candidate"));
  const rank = (one: Sop) => (one.status === "active" ? 2 : isOwn(one) ? 1 : 0);
  return earlier.toSorted((a, b) => rank(b) - rank(a));
}

type Terms = Pick<ProcedureContent, "criteria" | "safety_level" | "preconditions">;

/** A check that proves another criterion, or none, is another procedure, also where its steps are the same. */
function changedTerms(before: Terms, after: Terms): Compared["terms"] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const without = (lines: typeof old, others: typeof old) =>
    lines.filter((line) => !others.some(({ of, text }) => of === line.of && text === line.text));
  return [
    ...without(old, now).map((line) => ({ is: "removed" as const, ...line })),
    ...without(now, old).map((line) => ({ is: "added" as const, ...line })),
  ];
}

const linesOf = ({ criteria, safety_level, preconditions }: Terms): Omit<Compared["terms"][number], "is">[] => [
  ...criteria.map(({ criterion, step_index }) => ({
    of: "criteria" as const,
    text: `step ${step_index}: ${criterion}`,
  })),
  { of: "safety_level", text: safety_level },
  ...preconditions.map((text) => ({ of: "preconditions" as const, text })),
];
