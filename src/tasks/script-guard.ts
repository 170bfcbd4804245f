// Looks again, directly before a step, at the scripts that it runs: what was judged, or approved, is what runs (D-239). A plan whose
// steps run no script reads nothing.
import type { TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { judgedTexts } from "../domain/script.ts";
import { isFreeOfFindings } from "../policy/judge-plan.ts";
import type { StepObserver } from "../ports.ts";
import { changedFiles, type JudgedOnDisk } from "./judge-on-disk.ts";
import { type PlanDeps, pinnedTo, planOf } from "./plan.ts";
import type { Projection } from "./projection.ts";

export type ScriptGuard = {
  /** The observer, which lets no step start whose scripts are not what was judged. */
  readonly watching: (observer: StepObserver) => StepObserver;
  /** Why the run was stopped; null when it was not. */
  readonly stale: () => Reason | null;
};

type Guarded = { readonly contract: TaskContract; readonly projection: Projection; readonly on_disk: JudgedOnDisk };

export function scriptGuard(deps: PlanDeps, { contract, projection, on_disk }: Guarded): ScriptGuard {
  const textAt = deps.backendOf(pinnedTo(contract, projection))?.textAt;
  const plan = planOf(deps, contract, projection);
  const judged = { ...plan, context: { ...plan.context, scripts: judgedTexts(on_disk.texts) } };
  const is_approved = projection.approvals.requests.size > 0;
  let stale: Reason | null = null;
  const isAsJudged = async (index: number): Promise<boolean> => {
    const step = on_disk.steps[index];
    if (step === undefined || step.known.size === 0 || textAt === undefined) return true;
    const changed = await changedFiles(step, textAt);
    const readable = new Map(
      [...changed].flatMap(([path, text]) => (text === null ? [] : [[path, text.judged] as const])),
    );
    // What the plan itself has written, or what was not there, is judged as it is now.
    const shown = [...changed.keys()].filter((path) => on_disk.texts.get(path)?.text === step.known.get(path));
    const isJudgeable = shown.length === 0 || (!is_approved && shown.every((path) => readable.has(path)));
    const isFree = async () => readable.size === 0 || (await deps.judge(isFreeOfFindings, judged, index, readable));
    if (isJudgeable && (await isFree())) return true;
    const path = shown[0] ?? [...readable.keys()][0];
    stale = reason(
      "approval_stale",
      `${path} is not what was ${is_approved ? "approved" : "judged"} with step ${index}.`,
      index,
    );
    return false;
  };
  return {
    watching: (observer) => ({
      ...observer,
      started: async (index, attempt, more) =>
        (await isAsJudged(index)) && (await observer.started(index, attempt, more)),
    }),
    stale: () => stale,
  };
}
