// Explains what a task would do with the steps of a procedure: what policy lets run and what a human is asked, and what `skip_if_done`
// would change. Nothing of them runs.
import type { z } from "zod";
import { type TaskContract, targetSignature } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import { counted } from "../../domain/printable.ts";
import type { CriterionCheck, Sop } from "../../domain/sop.ts";
import { isCheck, type Step } from "../../domain/step.ts";
import { uncovered, uncoveredSentence } from "../../domain/verification.ts";
import { planConsequences } from "../../engine/policy/category-consequences.ts";
import { checksToLookAt, obstacleToSkip } from "../../engine/policy/checks-to-look-at.ts";
import { inspectSteps } from "../../engine/policy/inspect-steps.ts";
import { lookedAt, permissionOf, strictestFirst } from "../../engine/policy/judge-plan.ts";
import { outsideNow } from "../../engine/tasks/compare-before-step.ts";
import { coverageOf, judgeOnDisk, withUncovered } from "../../engine/tasks/judge-on-disk.ts";
import { judgeTools, planContextOf, toolOf } from "../../engine/tasks/plan.ts";
import type { OperationDeps } from "./deps.ts";
import type { explain } from "./shapes/explain.ts";

export type Explained = Pick<
  z.infer<(typeof explain)["output"]>,
  "would" | "why" | "target_signature" | "steps" | "skip"
>;

export type Plan = Pick<Sop, "steps" | "criteria" | "safety_level"> & {
  /** Of a stored SOP. */
  readonly sop_id?: string;
  readonly version?: number;
  readonly trial_left?: number;
};

/** `isNew`: its steps are of the request, and no version has them yet. */
export async function explainPlan(
  deps: OperationDeps,
  contract: TaskContract,
  plan: Plan,
  isNew: boolean,
): Promise<Explained> {
  const { intent, target } = contract;
  const { steps, safety_level, trial_left = 0 } = plan;
  const context = planContextOf(deps, contract);
  const proved = !isNew;
  const by_tools = await judgeTools({ intent, steps, proved }, deps.toolServers);
  const rules = { contract, steps, safety_level, intent, context, proved, on_trial: trial_left > 0 };
  const on_disk = await judgeOnDisk(deps.judge, rules, deps.backendOf(contract)?.disk);
  const { tools, changed } = await outsideNow(deps, {
    procedure: { sop_id: plan.sop_id ?? null, sop_version: plan.version ?? null, steps },
    on_disk,
    kept: deps.backendOf(contract)?.keptTexts,
  });
  const by_code = planConsequences(steps, contract, { judged: on_disk.steps, tools });
  const found = strictestFirst([...on_disk.findings, ...by_tools, ...changed, ...by_code]);
  const { findings } = withUncovered(found, on_disk.if_asked);
  const asks = contract.constraints.require_approval_for.length > 0;
  const asks_model = asks && deps.has_model;
  const would = wouldBe(findings, asks, asks_model);
  const unproved = uncoveredSentence(uncovered(contract.success_criteria, plan.criteria)) || null;
  const unasked = would === "ask" && asks && !deps.has_model ? NO_MODEL : null;
  return {
    would,
    why: would === "block" ? null : (serverMissing(deps, steps) ?? unasked ?? unproved),
    target_signature: targetSignature(target),
    steps: inspectSteps({ contract, steps, findings, judged: on_disk.steps, asks_model }).map((step) => ({
      ...step,
      ...coverageOf(on_disk.steps[step.index]),
      ...toolOf(steps[step.index], tools),
    })),
    skip: would === "block" ? null : await explainSkip(deps, contract, plan),
  };
}

const NO_MODEL =
  "The contract names categories that need an approval, and there is no routing model to tell which steps do.";

function wouldBe(findings: readonly Finding[], asks: boolean, asks_model: boolean): Explained["would"] {
  const permission = permissionOf(findings);
  if (permission === "deny") return "block";
  if (permission === "ask") return "ask";
  if (!asks) return "run";
  return asks_model ? "ask_model" : "ask";
}

/** Policy allows a call of a server that is not there; the step would fail. */
function serverMissing({ toolServers }: OperationDeps, steps: readonly Step[]): string | null {
  const index = steps.findIndex(
    (step) => step.kind === "mcp_call" && !toolServers.names.has(step.server.toLowerCase()),
  );
  const step = steps[index];
  if (step?.kind !== "mcp_call") return null;
  return `Step ${index} would fail: there is no tool server ${step.server}; set MCP_${step.server.toUpperCase()}_URL.`;
}

// What `skip_if_done` would change for a contract, as explain says it. Nothing is looked at: whether a check is true, and whether
// it can fail, is found out when the task runs.

type ExplainSkipPlan = { readonly steps: readonly Step[]; readonly criteria: readonly CriterionCheck[] };

type SkipDeps = Pick<OperationDeps, "backendOf" | "examiner" | "home" | "judge">;

/** Null where the contract does not ask for it. */
async function explainSkip(deps: SkipDeps, contract: TaskContract, plan: ExplainSkipPlan): Promise<string | null> {
  if (contract.skip_if_done !== true) return null;
  const { steps, criteria } = plan;
  const obstacle =
    (await deps.judge(obstacleToSkip, contract, { steps, criteria })) ?? (await obstacleHere(deps, contract, steps));
  if (obstacle !== null) return `skip_if_done has no effect: ${obstacle}.`;
  const checks = counted(plan.steps.filter(isCheck).length, "check");
  return `Before the first step, and after an approval, ${checks} would be looked at. If all are true and can fail, nothing would be run and the task would end ok, already_done.`;
}

async function obstacleHere(
  { backendOf, examiner, home, judge }: SkipDeps,
  contract: TaskContract,
  steps: readonly Step[],
): Promise<string | null> {
  if (backendOf(contract)?.look === undefined || examiner === null)
    return "checks are not looked at before the change here";
  const looked = new Set(
    (await judge(checksToLookAt, lookedAt(contract), steps, home)).map(({ step_index }) => step_index),
  );
  if (looked.size === 0) return "policy knows no check after a change to look only";
  const open = steps.findIndex((step, index) => isCheck(step) && !looked.has(index));
  return open === -1 ? null : `policy does not know check step ${open} to look only`;
}
