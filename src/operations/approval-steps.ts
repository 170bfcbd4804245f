// What the steps of an approval do, as policy sees them now. Findings are those of the approval: a human decides on these.
import type { AgentContent, ProcedureContent } from "../domain/approval.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { pollingText } from "../domain/polling.ts";
import { reconcileOf, type Step } from "../domain/step.ts";
import { commandText, environmentOf, isIdempotent } from "../domain/step-run.ts";
import { readsTask } from "../domain/task-variables.ts";
import { notProbed, reachOfStep } from "../policy/command-reach.ts";
import { type Plan, permissionOf } from "../policy/judge-plan.ts";
import { changeOfTool } from "../policy/step-change.ts";
import { judgeOnDisk } from "../tasks/judge-on-disk.ts";
import { planContextOf } from "../tasks/plan.ts";
import { toolOf } from "../tasks/run-from-outside.ts";
import { coverageOf, type StepOnDisk } from "../tasks/step-on-disk.ts";
import type { ApprovalContext } from "./approval-context.ts";
import type { OperationDeps } from "./deps.ts";
import type { ApprovalStep } from "./shapes/get-approval.ts";

type Deps = Pick<OperationDeps, "home" | "judge" | "backendOf" | "toolServers">;

type Asked = Pick<ApprovalContext, "contract" | "is_of_task"> & { readonly signal: AbortSignal };

/** Judged as a plan, each step in what those before it have left. */
export async function procedureSteps(
  deps: Deps,
  content: Pick<ProcedureContent, "steps" | "criteria" | "findings" | "safety_level" | "intent" | "tools">,
  { contract, is_of_task, signal }: Asked,
): Promise<ApprovalStep[]> {
  const { steps, criteria, findings } = content;
  const judged = await judgedSteps(deps, content, contract);
  return Promise.all(
    steps.map(async (step, index) => ({
      ...shownStep(step, { index, contract, is_of_task, judged: judged[index], findings }),
      ...toolOf(step, content.tools ?? []),
      change: await changeOf(deps, step, judged[index], signal),
      proves: criteria.filter(({ step_index }) => step_index === index).map(({ criterion }) => criterion),
    })),
  );
}

/** Each call alone: what the calls before it have left is part of their findings already. */
export async function agentSteps(
  deps: Deps,
  { calls, findings, intent, tools = [] }: Pick<AgentContent, "calls" | "findings" | "intent" | "tools">,
  { contract, is_of_task, signal }: Asked,
): Promise<ApprovalStep[]> {
  return Promise.all(
    calls.map(async ({ index, step }) => {
      const own = findings.find(({ step_index }) => step_index === index);
      const alone = step.kind === "skill_tool" ? [] : [step];
      const [judged] = await judgedSteps(deps, { steps: alone, intent, safety_level: "standard" }, contract);
      const shown = shownStep(step, { index, contract, is_of_task, judged, findings });
      const change =
        own?.change ?? (step.kind === "skill_tool" ? "cannot_tell" : await changeOf(deps, step, judged, signal));
      return {
        ...shown,
        ...toolOf(step, tools),
        change,
        ...(own?.consequences !== undefined && { consequences: own.consequences }),
        ...(own?.blast !== undefined && { blast: own.blast }),
      };
    }),
  );
}

async function judgedSteps(
  deps: Deps,
  { steps, intent, safety_level }: Pick<Plan, "intent" | "safety_level" | "steps">,
  contract: TaskContract,
): Promise<readonly StepOnDisk[]> {
  const plan = { contract, steps, intent, safety_level, context: planContextOf(deps, contract), proved: true };
  return (await judgeOnDisk(deps.judge, plan, deps.backendOf(contract)?.disk)).steps;
}

type Shown = Pick<ApprovalContext, "contract" | "is_of_task"> & {
  readonly index: number;
  readonly judged: StepOnDisk | undefined;
  readonly findings: readonly Finding[];
};

function shownStep(
  step: Parameters<typeof commandText>[0],
  { index, contract, is_of_task, judged, findings }: Shown,
): Omit<ApprovalStep, "change"> {
  const own = findings.filter(({ step_index }) => step_index === index);
  const permission = permissionOf(own);
  const reconcile = step.kind === "skill_tool" ? undefined : reconcileOf(step);
  const polled = pollingText(step);
  const not_probed = notProbed(step, judged);
  const { consequences = [], blast = null } = reachOfStep(judged);
  return {
    ...{
      index,
      kind: step.kind,
      command: commandText(step),
      environment: is_of_task ? environmentOf(step, contract) : ofTarget(environmentOf(step, contract)),
    },
    ...(step.kind === "cmd" && step.preview !== undefined && { preview: step.preview }),
    ...(polled !== undefined && { polled }),
    ...(not_probed !== undefined && { not_probed }),
    ...(reconcile !== undefined && { reconcile }),
    ...(step.kind !== "skill_tool" && isIdempotent(step) && { idempotent: true }),
    ...coverageOf(judged),
    ...{ saw: [...(judged?.saw ?? [])], verdict: permission === "deny" ? "block" : permission },
    ...{ findings: own, consequences, blast, proves: [] },
  };
}

/** What no task has given yet is not made up. */
const ofTarget = (environment: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !readsTask(name)));

/** Of the call of a tool its server says it. */
async function changeOf(
  { toolServers }: Pick<Deps, "toolServers">,
  step: Step,
  judged: StepOnDisk | undefined,
  signal: AbortSignal,
): Promise<ApprovalStep["change"]> {
  if (step.kind === "mcp_call") return changeOfTool(await toolServers.effectOf(step, signal));
  return step.kind === "wait" ? "looks" : (reachOfStep(judged).change ?? "cannot_tell");
}
