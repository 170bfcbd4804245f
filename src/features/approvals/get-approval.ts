// Answers get_approval: reads everything that is known of what a human decides on, with what is new in it and what its
// steps do. No step runs. Its checks are tried in a sandbox, where nothing of the target is, and what was found is kept.

import type { OperationDeps } from "../../api/operations/deps.ts";
import type { OperationHandler } from "../../api/operations/operation.ts";
import { summarised } from "../../api/operations/read-tasks.ts";
import type { AgentStep } from "../../domain/agent-events.ts";
import type { AgentContent, Approval, ProcedureContent } from "../../domain/approval.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import { parseOrigin, type Sop } from "../../domain/sop.ts";
import { reconcileOf, type Step } from "../../domain/step.ts";
import {
  commandText,
  environmentOf,
  isIdempotent,
  isPause,
  pollingText,
  readsTask,
  sentStep,
} from "../../domain/step-run.ts";
import { changeOfTool, notProbed, reachOfStep } from "../../engine/policy/category-consequences.ts";
import { type Plan, permissionOf } from "../../engine/policy/judge-plan.ts";
import { wasInUse } from "../../engine/tasks/active-sop.ts";
import { type ApprovalContext, approvalContext } from "../../engine/tasks/approval-record.ts";
import { coverageOf, judgeOnDisk, type StepOnDisk } from "../../engine/tasks/judge-on-disk.ts";
import { planContextOf, toolOf } from "../../engine/tasks/plan.ts";
import { looksAt } from "../../engine/tasks/sop-checks.ts";
import { stepDiff } from "../../engine/tasks/sop-proof.ts";
import { recordOfSop } from "../../engine/tasks/version-runs.ts";
import type { ApprovalStep, Compared, getApproval } from "./shapes.ts";

export const handleGetApproval: OperationHandler<typeof getApproval> =
  (deps) =>
  async ({ approval_id }, { signal }) => {
    const { approval, task, sop, contract, is_of_task } = await approvalContext(deps, approval_id);
    const { content } = approval;
    const steps = await stepsOf(deps, approval, { contract, is_of_task, signal });
    const plan_of = approval.kind === "plan" ? contract : null;
    const known = { steps, counts: countsOf(steps) };
    return {
      approval,
      asked_by: askedBy(approval, { task, sop }),
      ...known,
      checks: "steps" in content ? await checksOf(deps, content, contract, signal) : [],
      compared_with: "steps" in content ? await comparedWith(deps.store, content, { sop, plan_of }) : null,
      sop: sop === null ? null : { ...shownSop(sop), record: await recordOfSop(deps.store, sop) },
      task: task === null ? null : await summarised(deps, task),
    };
  };

type Asked = Pick<ApprovalContext, "contract" | "is_of_task"> & { readonly signal: AbortSignal };

async function stepsOf(deps: OperationDeps, { content }: Approval, asked: Asked): Promise<ApprovalStep[]> {
  if ("steps" in content) return procedureSteps(deps, content, asked);
  return "calls" in content ? agentSteps(deps, content, asked) : [];
}

function countsOf(steps: readonly ApprovalStep[]) {
  const of = (wanted: ApprovalStep["change"]) => steps.filter(({ change }) => change === wanted).length;
  return { looks: of("looks"), changes: of("changes"), cannot_tell: of("cannot_tell") };
}

/** Those of a promotion were looked at when it was asked for. Any other are tried where nothing of the target is. */
async function checksOf(
  deps: OperationDeps,
  { proof, steps, criteria }: ProcedureContent,
  contract: TaskContract,
  signal: AbortSignal,
) {
  if (proof !== undefined) return proof.checks;
  return looksAt(deps, { contract, sop: { steps, criteria, origin: "teach" }, lookable: [] }, signal);
}

function shownSop({ sop_id, version, status, level, trial_left, ...counted }: Sop) {
  const { last_success_at, success_count, failure_count } = counted;
  return { sop_id, version, status, level, trial_left, last_success_at, success_count, failure_count };
}

function askedBy({ kind, thread_id, content }: Approval, { task, sop }: Pick<ApprovalContext, "task" | "sop">): string {
  if (task === null) return promotedBy(sop, "set_back" in content && content.set_back !== undefined);
  const by = `${JSON.stringify(task.contract.requested_by)} with task ${thread_id}`;
  switch (kind) {
    case "agent":
      return `The agent that works on what was asked for by ${by}.`;
    case "skill":
      return `The skill that handles ${content.intent}, asked for by ${by}.`;
    case "replacement":
      return `The replacement of a version was asked for by ${by}.`;
    default:
      return `Asked for by ${by}.`;
  }
}

function promotedBy(sop: Sop | null, was_set_back: boolean): string {
  if (sop === null) return "The promotion of a version that is not there any more.";
  const what = `The promotion of version ${sop.version}`;
  if (was_set_back) return `${what}, which was in use and was set back.`;
  if (sop.promotion_round > 1) return `${what}, which passed its first run without a proof.`;
  const from = parseOrigin(sop.origin);
  switch (from.by) {
    case "task":
      return `${what}, which task ${from.task_id} has proved.`;
    case "teach":
      return `${what}, which was taught or imported.`;
    case "copy":
      return `${what}, a copy of ${from.sop_id}.`;
    case "rollback":
      return `${what}, with the steps of ${from.sop_id}.`;
    case "update_sop":
      return `${what}, of the update task ${from.task_id}.`;
  }
}

// What is new in a procedure that waits for a decision: its difference to the last version of its key that was approved.

const MOST_VERSIONS = 100;

/** The version that it is about, and the contract whose parameters its steps have resolved: that of a plan. */
type About = { readonly sop: Sop | null; readonly plan_of: TaskContract | null };

/** A version that was refused was never in use, and is nothing to compare with. */
async function comparedWith(
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

type Term = Pick<Compared["terms"][number], "of" | "text">;

const linesOf = ({ criteria, safety_level, preconditions }: Terms): Term[] => [
  ...criteria.map(({ criterion, step_index }) => ({
    of: "criteria" as const,
    text: `step ${step_index}: ${criterion}`,
  })),
  { of: "safety_level", text: safety_level },
  ...preconditions.map((text) => ({ of: "preconditions" as const, text })),
];

// What the steps of an approval do, as policy sees them now. Findings are those of the approval: a human decides on these.

type Deps = Pick<OperationDeps, "home" | "judge" | "backendOf" | "toolServers">;

/** Judged as a plan, each step in what those before it have left. */
async function procedureSteps(
  deps: Deps,
  content: Pick<ProcedureContent, "steps" | "criteria" | "findings" | "safety_level" | "intent" | "tools">,
  { contract, is_of_task, signal }: Asked,
): Promise<ApprovalStep[]> {
  const { steps, criteria, findings } = content;
  const judged = await judgedSteps(deps, content, contract);
  return Promise.all(
    steps.map(async (step, index) => ({
      ...shownStep(step, {
        index,
        contract,
        is_of_task,
        judged: judged[index],
        findings,
        change: await changeOf(deps, step, judged[index], signal),
      }),
      ...toolOf(step, content.tools ?? []),
      proves: criteria.filter(({ step_index }) => step_index === index).map(({ criterion }) => criterion),
    })),
  );
}

/** Each call alone: what the calls before it have left is part of their findings already. */
async function agentSteps(
  deps: Deps,
  { calls, findings, intent, tools = [] }: Pick<AgentContent, "calls" | "findings" | "intent" | "tools">,
  { contract, is_of_task, signal }: Asked,
): Promise<ApprovalStep[]> {
  return Promise.all(
    calls.map(async ({ index, step }) => {
      const own = findings.find(({ step_index }) => step_index === index);
      const alone = step.kind === "skill_tool" ? [] : [step];
      const [judged] = await judgedSteps(deps, { steps: alone, intent, safety_level: "standard" }, contract);
      const change =
        own?.change ?? (step.kind === "skill_tool" ? "cannot_tell" : await changeOf(deps, step, judged, signal));
      return {
        ...shownStep(step, { index, contract, is_of_task, judged, findings, change }),
        ...toolOf(step, tools),
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
  readonly change: ApprovalStep["change"];
};

function shownStep(step: AgentStep, { index, contract, is_of_task, judged, findings, change }: Shown): ApprovalStep {
  const own = findings.filter(({ step_index }) => step_index === index);
  const permission = permissionOf(own);
  const reconcile = step.kind === "skill_tool" ? undefined : reconcileOf(step);
  const polled = pollingText(step);
  const not_probed = notProbed(step, judged);
  const { consequences = [], blast = null } = reachOfStep(judged);
  return {
    index,
    kind: step.kind,
    command: commandText(step),
    environment: is_of_task ? environmentOf(step, contract) : ofTarget(environmentOf(step, contract)),
    ...(step.kind === "cmd" && step.preview !== undefined && { preview: step.preview }),
    ...(polled !== undefined && { polled }),
    ...(not_probed !== undefined && { not_probed }),
    ...(reconcile !== undefined && { reconcile }),
    ...(step.kind !== "skill_tool" && isIdempotent(step) && { idempotent: true }),
    ...coverageOf(judged),
    saw: [...(judged?.saw ?? [])],
    verdict: permission === "deny" ? "block" : permission,
    findings: own,
    change,
    consequences,
    blast,
    proves: [],
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
  return isPause(step) ? "looks" : (reachOfStep(judged).change ?? "cannot_tell");
}
