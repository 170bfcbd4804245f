// Compares the scripts that a step runs, and the tool that it calls, directly before it starts: what was judged, or approved, is what
// runs (D-239). A plan whose steps run no script and call no tool reads nothing.

import type { TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { type BoundTool, judgedTexts } from "../domain/script.ts";
import { isFreeOfFindings, type JudgedStep } from "../policy/judge-plan.ts";
import type { StepObserver } from "../ports.ts";
import { changedFiles, type JudgedOnDisk } from "./judge-on-disk.ts";
import { type PlanDeps, pinned, pinnedTo, planOf } from "./plan.ts";
import type { Projection } from "./projection.ts";
import { boundTools, staleText, type ToolDeps } from "./run-from-outside.ts";

export type ScriptGuard = {
  /** The observer, which lets no step start whose scripts are not what was judged. */
  readonly watching: (observer: StepObserver) => StepObserver;
  /** Why the run was stopped; null when it was not. */
  readonly stale: () => Reason | null;
};

/** All tools were compared when the run began: the steps of a quick run share a list. */
const FRESH_MS = 1_000;

type Guarded = {
  readonly contract: TaskContract;
  readonly projection: Projection;
  readonly on_disk: JudgedOnDisk;
  /** As their servers defined them when the run began. */
  readonly tools: readonly BoundTool[];
};

export function scriptGuard(deps: PlanDeps & ToolDeps, { contract, projection, on_disk, tools }: Guarded): ScriptGuard {
  const backend = deps.backendOf(pinnedTo(contract, projection));
  const textAt = backend?.textAt;
  const { steps, sop_id } = pinned(projection);
  const plan = planOf(deps, contract, projection);
  const judged = { ...plan, context: { ...plan.context, scripts: judgedTexts(on_disk.texts) } };
  const is_approved = projection.approvals.requests.size > 0;
  const is_bound = is_approved || sop_id !== null;
  let stale: Reason | null = null;
  /** Until a step may have changed them, the scripts of a version in use are those of its promotion. */
  const isUntouched = (index: number): boolean =>
    steps.slice(0, index).every(({ kind }, at) => kind === "wait" || hasOnlyRead(on_disk.steps[at]));
  const isSameTool = async (index: number): Promise<boolean> => {
    if (!is_bound || backend?.remote === true) return true;
    const now = await boundTools(deps, steps.slice(index, index + 1), { before: tools, max_age_ms: FRESH_MS });
    const how = staleText({ scripts: [], tools }, { scripts: [], tools: now });
    if (how === "") return true;
    stale = reason("approval_stale", `Step ${index} is not what was approved.${how}`, index);
    return false;
  };
  const isSameScript = async (index: number): Promise<boolean> => {
    const step = on_disk.steps[index];
    if (step === undefined || step.known.size === 0 || textAt === undefined) return true;
    const changed = await changedFiles(step, textAt);
    const readable = new Map(
      [...changed].flatMap(([path, text]) => (text === null ? [] : [[path, text.judged] as const])),
    );
    // What the plan itself has written, or what was not there, is judged as it is now.
    const shown = [...changed.keys()].filter((path) => on_disk.texts.get(path)?.text === step.known.get(path));
    const isFixed = is_approved || (sop_id !== null && isUntouched(index));
    const isJudgeable = shown.length === 0 || (!isFixed && shown.every((path) => readable.has(path)));
    const isFree = async () => readable.size === 0 || (await deps.judge(isFreeOfFindings, judged, index, readable));
    if (isJudgeable && (await isFree())) return true;
    const path = shown[0] ?? [...readable.keys()][0];
    stale = reason(
      "approval_stale",
      `${path} is not what was ${isFixed ? "approved" : "judged"} with step ${index}.`,
      index,
    );
    return false;
  };
  return {
    watching: (observer) => ({
      ...observer,
      started: async (index, attempt, more) =>
        (await isSameTool(index)) && (await isSameScript(index)) && (await observer.started(index, attempt, more)),
    }),
    stale: () => stale,
  };
}

const hasOnlyRead = (step: JudgedStep | undefined): boolean => step?.consequences?.effect.is === "reads";
