// explain: the outcome that a contract would have. Nothing runs on this machine: checks are tried in a world of their own. The
// routing model is not asked: where its answer would decide, explain says so.
import type { z } from "zod";
import { startFindings } from "../agent/ask-at-start.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { coverCriteria, type Sop } from "../domain/sop.ts";
import type { Step } from "../domain/step.ts";
import { targetSignature } from "../domain/target.ts";
import { ignoredFields } from "../domain/unknown-fields.ts";
import { uncovered, uncoveredSentence } from "../domain/verdict.ts";
import { planConsequences } from "../policy/category-consequences.ts";
import { inspectSteps } from "../policy/inspect-steps.ts";
import { examinePlan, permissionOf, strictestFirst } from "../policy/judge-plan.ts";
import { activeSop, noActiveSop } from "../tasks/active-sop.ts";
import { obstacleTo, skipRefusal } from "../tasks/admission.ts";
import { judgeOnDisk, withUncovered } from "../tasks/judge-on-disk.ts";
import { judgeTools, planContextOf } from "../tasks/plan.ts";
import { replacementIn } from "../tasks/replacement-plan.ts";
import { toolOf } from "../tasks/run-from-outside.ts";
import { outsideNow } from "../tasks/since-promotion.ts";
import { coverageOf } from "../tasks/step-on-disk.ts";
import { verifyRefusals } from "../tasks/verify-by.ts";
import { checkWarnings } from "./check-warnings.ts";
import type { OperationDeps } from "./deps.ts";
import { explainSkip } from "./explain-skip.ts";
import { explainVerification } from "./explain-verification.ts";
import type { OperationHandler } from "./operation.ts";
import { waitsForLabels } from "./queued-for.ts";
import type { explain } from "./shapes/explain.ts";
import { asker, completed, placeOf, unknownIntent } from "./submit-task.ts";

const NO_STEPS = { steps: [], skip: null, warnings: [] };

/** How the contract is verified, where it runs, and what holds it is said of all alike. */
type Explanation = Omit<z.infer<(typeof explain)["output"]>, keyof Common>;
type Common = Pick<
  z.infer<(typeof explain)["output"]>,
  "verification" | "runs_on" | "queued_for" | "held_by_freeze" | "ignored"
>;

export const handleExplain: OperationHandler<typeof explain> =
  (deps) =>
  async ({ contract: sent, ...given }, { token_id }) => {
    const contract = completed(sent, asker(deps, token_id));
    const explained = await explanationOf(deps, contract, given);
    const ignored = ignoredFields(contract);
    const common = {
      verification: await explainVerification(deps, contract),
      ...(await explainPlace(deps, contract)),
      ...(ignored !== null && { ignored }),
    };
    const [refused] = await verifyRefusals(deps, contract, given.steps);
    if (refused === undefined) return { ...explained, ...common };
    return { ...explained, ...common, would: "block", why: `${refused.path} ${refused.message}.` };
  };

async function explainPlace(
  deps: OperationDeps,
  contract: TaskContract,
): Promise<Omit<Common, "verification" | "ignored">> {
  const place = placeOf(deps, contract);
  const queued_for = await waitsForLabels(deps)({ status: "accepted", owner: null, ...place });
  const { intent, target } = contract;
  const held_by_freeze = deps.freezes.holdOn({ intent, target_signature: targetSignature(target) });
  return { runs_on: place.runs_on, queued_for, held_by_freeze };
}

type Given = Omit<z.output<(typeof explain)["input"]>, "contract">;

async function explanationOf(
  deps: OperationDeps,
  contract: TaskContract,
  { steps, safety_level, try_checks }: Given,
): Promise<Explanation> {
  if (contract.intent === "update_sop") return explainReplacement(deps, contract);
  if (contract.delegation_mode === "agent") return explainAgent(deps, contract);
  if (deps.skillOf(contract.intent) !== null) return explainSkill(deps, contract);
  const target_signature = targetSignature(contract.target);
  const key = { intent: contract.intent, target_signature };
  const sop = steps === undefined ? await activeSop(deps.store, key) : null;
  if (sop !== null && "reason_code" in sop)
    return { ...unknown(contract, "block", sop.message), sop: null, warnings: [] };
  const procedure = steps === undefined ? sop : asTaught(contract, steps, safety_level);
  const explained =
    procedure === null ? await unknownTo(deps, contract) : await judged(deps, contract, procedure, sop === null);
  // What policy blocks is refused by teach before its checks are tried.
  const tried = sop?.steps ?? (try_checks === true && explained.would !== "block" ? steps : undefined);
  const warnings = tried === undefined ? [] : await checkWarnings(deps, { contract, steps: tried });
  return { sop: briefOf(sop), ...explained, warnings, ...(await obstacleOf(deps, contract)) };
}

/** Only the handler knows what it will do. */
async function explainSkill(deps: OperationDeps, contract: TaskContract): Promise<Explanation> {
  const name = deps.skillOf(contract.intent)?.name;
  const why = `It would be handed to the skill ${name}, which judges the payload itself, asks where it has to, and is held to implicit_scope.`;
  const explained = { why, sop: null, target_signature: targetSignature(contract.target), ...NO_STEPS };
  return { ...explained, would: "run", ...(await obstacleOf(deps, contract)) };
}

/** The calls of an agent are not known in advance; each is judged when it is made. */
async function explainAgent(deps: OperationDeps, contract: TaskContract): Promise<Explanation> {
  const backend = contract.agent_backend ?? deps.agent.default_backend;
  const why = `An agent (${backend}, ${deps.agent.model?.name ?? "no model"}) would work on it with what implicit_scope names. Every call is judged before it is made.`;
  const places = await startFindings(deps.agent, contract);
  const asked = places.map(({ reason }) => ` It asks before it begins: ${reason}.`).join("");
  const explained = {
    why: `${why}${asked}`,
    sop: null,
    target_signature: targetSignature(contract.target),
    ...NO_STEPS,
  };
  const would = places.length === 0 ? "run" : "ask";
  return { ...explained, would, ...(await obstacleOf(deps, contract)) };
}

type Explained = Omit<Explanation, "sop" | "warnings">;

function briefOf(sop: Sop | null): Explanation["sop"] {
  if (sop === null) return null;
  const { sop_id, version, level, trial_left } = sop;
  return { sop_id, version, level, on_trial: trial_left > 0 };
}

/** Why the contract would not be run at all. */
async function obstacleOf(
  deps: OperationDeps,
  contract: TaskContract,
): Promise<Pick<Explanation, "would" | "why"> | null> {
  const blocked = (why: string) => ({ would: "block", why }) as const;
  const { intents } = deps;
  if (!intents.has(contract.intent)) return blocked(`${JSON.stringify(contract.intent)} ${unknownIntent(intents)}.`);
  const refused = skipRefused(deps, contract);
  if (refused !== null) return blocked(refused);
  const why = await obstacleTo(deps, contract);
  return why === null ? null : blocked(why.message);
}

function skipRefused(deps: OperationDeps, contract: TaskContract): string | null {
  const refusal = skipRefusal(deps, contract);
  return refusal === null ? null : `skip_if_done ${refusal}.`;
}

async function unknownTo({ store }: OperationDeps, contract: TaskContract): Promise<Explained> {
  const { intent, target, delegation_mode } = contract;
  const why = await noActiveSop(store, { intent, target_signature: targetSignature(target) });
  return unknown(contract, delegation_mode === "teach_if_unknown" ? "need_input" : "block", why);
}

const unknown = ({ target }: TaskContract, would: Explained["would"], why: string): Explained => ({
  ...{ would, why, target_signature: targetSignature(target) },
  steps: [],
  skip: null,
});

type Plan = Pick<Sop, "steps" | "criteria" | "safety_level"> & {
  /** Of a stored SOP. */
  readonly sop_id?: string;
  readonly version?: number;
  readonly trial_left?: number;
};

const asTaught = (contract: TaskContract, steps: Step[], safety_level: Plan["safety_level"] = "standard"): Plan => ({
  ...{ steps, safety_level },
  criteria: coverCriteria(contract.success_criteria, steps).criteria,
});

async function judged(deps: OperationDeps, contract: TaskContract, plan: Plan, isNew: boolean): Promise<Explained> {
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

function wouldBe(findings: readonly Finding[], asks: boolean, asks_model: boolean): Explanation["would"] {
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

async function explainReplacement(deps: OperationDeps, contract: TaskContract): Promise<Explanation> {
  const plan = await replacementIn(deps, contract);
  const refusal = skipRefused(deps, contract) ?? ("reason_code" in plan ? plan.message : null);
  if (refusal !== null || "reason_code" in plan) {
    const target_signature = targetSignature(contract.target);
    return { would: "block", why: refusal, sop: null, target_signature, ...NO_STEPS };
  }
  const { current, target, procedure } = plan;
  const { steps, safety_level } = procedure;
  const shown = { contract: { ...contract, target }, steps };
  const context = { home: deps.home, remote: false };
  const rules = { ...shown, safety_level, intent: current.intent, context, proved: true };
  const { steps: judged } = await deps.judge(examinePlan, rules);
  return {
    would: "ask",
    why: `An approval would put these steps in the place of version ${current.version} of ${current.intent}.`,
    sop: briefOf(current),
    target_signature: current.target_signature,
    steps: inspectSteps({ ...shown, findings: [], judged, asks_model: false }),
    skip: null,
    warnings: [],
  };
}
