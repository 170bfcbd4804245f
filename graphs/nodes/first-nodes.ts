// Holds the nodes with which a task begins: who handles it, from the contract alone, by which procedure, and what policy says of its plan.
import { interrupt } from "@langchain/langgraph";
import { type TaskContract, targetSignature } from "../../src/domain/contract.ts";
import type { Finding } from "../../src/domain/finding.ts";
import { reason } from "../../src/domain/outcome.ts";
import type { ReasonCode } from "../../src/domain/reason-code.ts";
import { isCheck, type Step } from "../../src/domain/step.ts";
import { commandText, isPause, sentStep } from "../../src/domain/step-run.ts";
import { planConsequences, reachOfStep } from "../../src/engine/policy/category-consequences.ts";
import { isOfTools } from "../../src/engine/policy/inspect-steps.ts";
import { permissionOf, strictestFirst } from "../../src/engine/policy/judge-plan.ts";
import { activeSop, noActiveSop } from "../../src/engine/tasks/active-sop.ts";
import { obstacleTo } from "../../src/engine/tasks/admission.ts";
import { categoryFinding, createAnswering, questionOn } from "../../src/engine/tasks/category-answers.ts";
import { keepTexts, outsideNow } from "../../src/engine/tasks/compare-before-step.ts";
import { type JudgedOnDisk, withUncovered } from "../../src/engine/tasks/judge-on-disk.ts";
import {
  judged,
  judgeTools,
  pinned,
  pinnedTo,
  planContextOf,
  type RunFromOutside,
  recorded,
  toolPlan,
} from "../../src/engine/tasks/plan.ts";
import { hasStarted } from "../../src/engine/tasks/progress.ts";
import { taughtBy, teachable, teachingQuestion } from "../../src/engine/tasks/teaching.ts";
import type { Thread } from "../../src/engine/tasks/thread.ts";
import { assertHasContract, type Facts, type Pipeline, type PipelineDeps } from "../state.ts";

export const admit =
  (deps: PipelineDeps) =>
  async (state: Pipeline): Promise<Facts> => {
    assertHasContract(state);
    const { contract } = state;
    if (contract.intent === "update_sop") return { path: "update_sop" };
    const { journal } = await deps.threadOf(contract.task_id);
    if (contract.delegation_mode === "agent") {
      const isUnderWay = journal.projection.agent.turns.length > 0;
      const obstacle = isUnderWay ? null : await obstacleTo(deps, contract);
      return obstacle === null ? { path: "agent" } : { path: "unavailable", reason: obstacle };
    }
    const hasSteps = journal.projection.skill.steps.length > 0;
    const isSkills = deps.skillOf(contract.intent) !== null || hasSteps;
    const obstacle = await obstacleTo(deps, isSkills ? contract : pinnedTo(contract, journal.projection));
    if (hasSteps || (isSkills && obstacle === null)) return { path: "skill" };
    // A task that has begun runs to its end, or is asked about.
    return obstacle === null || hasStarted(journal.projection)
      ? { path: "sop" }
      : { path: "unavailable", reason: obstacle };
  };

/**
 * Finds the active SOP by intent and normalized target [2.key.exact] and pins the task to that version. A task that is pinned or was
 * taught keeps its procedure when the SOP changes.
 */
export const lookUpSop =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (journal.projection.procedure !== null) return { lookup: "known" };
    const key = { intent: contract.intent, target_signature: targetSignature(contract.target) };
    const sop = await activeSop(deps.store, key);
    if (sop === null) {
      if (contract.delegation_mode === "teach_if_unknown") return { lookup: "teachable" };
      return { lookup: "unknown", reason: reason("sop_not_found", await noActiveSop(deps.store, key)) };
    }
    if ("reason_code" in sop) return { lookup: "unknown", reason: sop };
    const { sop_id, version, steps, criteria, safety_level, preconditions, trial_left } = sop;
    const on_trial = trial_left > 0 && ({ on_trial: true } as const);
    const body = { sop_id, sop_version: version, steps, criteria, safety_level, preconditions, ...on_trial };
    journal.note({ kind: "sop_pinned", body });
    return { lookup: "known" };
  };

/**
 * [3.rule.1] An unknown SOP in mode teach_if_unknown asks the supervisor for the steps. `teach` writes them to the journal; only an
 * inbox that answers the interrupt itself brings them along.
 */
export const awaitTeaching =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const { journal } = await deps.threadOf(contract.task_id);
    if (journal.projection.procedure !== null) return {};
    // An answer that does not fit is refused: the run fails with what is wrong, and the question stays open.
    const context = planContextOf(deps, pinnedTo(contract, journal.projection));
    const { intent, target } = contract;
    const none = await noActiveSop(deps.store, { intent, target_signature: targetSignature(target) });
    const answer: unknown = interrupt(teachingQuestion(contract, none), {
      responseSchema: teachable(contract, context),
    });
    await journal.commit([{ kind: "taught", body: taughtBy(answer, contract, context) }]);
    return {};
  };

// Judges the whole plan before anything runs [1.A.5.policy]. The model is asked only about what the rules leave open, and
// only when the contract names categories: whether commands fall into those of require_approval_for [4.gate.approval]. Where code
// finds a category that has a name of its own, the model is not asked (D-237).

export const checkPolicy =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const { journal, cancel } = thread;
    const procedure = pinned(journal.projection);
    if (mayAsk(contract, procedure.steps)) deps.gate.warm();
    const plan = toolPlan(contract, procedure);
    const by_tools = await judgeTools(plan, deps.toolServers, cancel);
    const on_disk = await judged(deps, contract, journal.projection);
    const outside = await outsideOf(deps, thread, { contract, on_disk });
    const found = strictestFirst([...on_disk.findings, ...by_tools, ...outside.changed]);
    const { findings } = withUncovered(found, on_disk.if_asked);
    const permission = permissionOf(findings);
    const isUndecided = permission !== "deny" && asksForCategories(contract);
    // match_categories judges the rules again, and reads what was found out of the tools.
    if (!isUndecided || by_tools.length > 0) journal.note(policyJudged(findings, outside));
    if (isUndecided) return { permission: "undecided" };
    const block = findings.find((finding) => finding.verdict === "block");
    return block === undefined ? { permission } : { permission, reason: reasonOfBlock(block) };
  };

type JudgedContract = { readonly contract: TaskContract; readonly on_disk: JudgedOnDisk };

/** The texts of a version in use are kept, so that a later change can be shown. */
async function outsideOf(deps: PipelineDeps, { journal, cancel }: Thread, { contract, on_disk }: JudgedContract) {
  const procedure = pinned(journal.projection);
  const kept = deps.backendOf(pinnedTo(contract, journal.projection))?.keptTexts;
  if (procedure.sop_id !== null) await keepTexts(kept, on_disk);
  return outsideNow(deps, { procedure, on_disk, kept }, cancel);
}

const policyJudged = (findings: Finding[], outside: RunFromOutside) =>
  ({ kind: "policy_judged", body: { findings, ...recorded(outside) } }) as const;

const asksForCategories = (contract: TaskContract): boolean => contract.constraints.require_approval_for.length > 0;

/** Whether orch may ask the model about a category or about a failed step. */
const mayAsk = (contract: TaskContract, steps: readonly Step[]): boolean =>
  asksForCategories(contract) || steps.some((step) => !isPause(step) && !isCheck(step));

const REASON_OF: Partial<Record<Finding["code"], ReasonCode>> = {
  "scope.server": "outside_scope",
  "scope.program": "outside_scope",
  "parameter.unknown": "parameter_unknown",
  "engine.reference": "engine_reference",
  "read_only.changes_state": "read_only_intent",
  "tool.changes_state": "read_only_intent",
  "tool.list_unread": "tool_list_unread",
  "parameter.too_large": "parameter_unknown",
};

const reasonOfBlock = ({ code, reason: rule, step_index }: Finding) =>
  reason(REASON_OF[code] ?? "always_blocked", `Step ${step_index}: ${rule}`, step_index);

export const matchCategories =
  (deps: PipelineDeps) =>
  async ({ contract }: Pipeline): Promise<Facts> => {
    const thread = await deps.threadOf(contract.task_id);
    const procedure = pinned(thread.journal.projection);
    const answerFor = createAnswering(deps, thread, contract);
    const { findings: noted } = thread.journal.projection;
    const on_disk = await judged(deps, contract, thread.journal.projection);
    const { findings: by_rules, steps } = on_disk;
    const outside = await outsideOf(deps, thread, { contract, on_disk });
    const findings = [...by_rules, ...noted.filter(isOfTools), ...outside.changed];
    const by_code = planConsequences(procedure.steps, contract, { judged: steps, tools: outside.tools });
    findings.push(...by_code);
    const isFound = (index: number) => by_code.some(({ step_index }) => step_index === index);
    for (const [step_index, step] of procedure.steps.entries()) {
      if (isPause(step) || isFound(step_index)) continue;
      const sent = sentStep(step, contract);
      const finding = categoryFinding(await answerFor(questionOn(sent, contract)), step_index, commandText(sent));
      if (finding !== null) findings.push({ ...finding, ...reachOfStep(steps[step_index]) });
    }
    const all = withUncovered(findings, on_disk.if_asked).findings;
    thread.journal.note(policyJudged(all, outside));
    return { permission: permissionOf(all) };
  };
