// Answers explain: the outcome that a contract would have, and how it would be verified from outside. Nothing runs on this machine:
// checks are tried in a world of their own. The routing model is not asked: where its answer would decide, explain says so.
import type { z } from "zod";
import { type TaskContract, targetSignature } from "../../domain/contract.ts";
import { coverCriteria, type Sop } from "../../domain/sop.ts";
import type { Step } from "../../domain/step.ts";
import { ignoredFields } from "../../domain/unknown-fields.ts";
import { verificationText, verifierIntent } from "../../domain/verification.ts";
import { inspectSteps } from "../../engine/policy/inspect-steps.ts";
import { examinePlan } from "../../engine/policy/judge-plan.ts";
import { activeSop, noActiveSop, replacementIn } from "../../engine/tasks/active-sop.ts";
import { obstacleTo, skipRefusal, verifierFault, verifyRefusals } from "../../engine/tasks/admission.ts";
import { startFindings } from "../../features/agents/ask-at-start.ts";
import { checkWarnings } from "./check-warnings.ts";
import type { OperationDeps } from "./deps.ts";
import { type Explained, explainPlan, type Plan } from "./explain-plan.ts";
import type { OperationHandler } from "./operation.ts";
import type { explain } from "./shapes/explain.ts";
import { asker, completed, placeOf, unknownIntent } from "./submit-task.ts";
import { waitsForLabels } from "./task-view.ts";

const NO_STEPS = { steps: [], skip: null, warnings: [] };

type Answer = z.infer<(typeof explain)["output"]>;
/** How the contract is verified, where it runs, and what holds it is said of all alike. */
type Explanation = Explained & Pick<Answer, "sop" | "warnings">;
type Place = Pick<Answer, "runs_on" | "queued_for" | "held_by_freeze">;

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

async function explainPlace(deps: OperationDeps, contract: TaskContract): Promise<Place> {
  const place = placeOf(deps, contract);
  const queued_for = await waitsForLabels(deps)({ status: "accepted", owner: null, ...place });
  const { intent, target } = contract;
  const held_by_freeze = deps.task_holds.holdOn({ intent, target_signature: targetSignature(target) });
  return { runs_on: place.runs_on, queued_for, held_by_freeze };
}

type Given = Pick<z.output<(typeof explain)["input"]>, "steps" | "safety_level" | "try_checks">;

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
    procedure === null ? await unknownTo(deps, contract) : await explainPlan(deps, contract, procedure, sop === null);
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
  would,
  why,
  target_signature: targetSignature(target),
  steps: [],
  skip: null,
});

const asTaught = (contract: TaskContract, steps: Step[], safety_level: Plan["safety_level"] = "standard"): Plan => ({
  steps,
  safety_level,
  criteria: coverCriteria(contract.success_criteria, steps).criteria,
});

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

// How a contract is verified from outside once it is done, as explain says it: by which version, or why it would give no verdict.

type Deps = Pick<OperationDeps, "store">;

/** Null where the contract does not say. */
async function explainVerification({ store }: Deps, contract: TaskContract): Promise<string | null> {
  const text = verificationText(contract);
  const intent = verifierIntent(contract);
  if (text === null || intent === null) return text;
  const fault = await verifierFault(store, contract, []);
  if (fault !== null) return `${text}. As it is now, it would give no verdict: ${fault}`;
  const sop = await activeSop(store, { intent, target_signature: targetSignature(contract.target) });
  return sop === null || "reason_code" in sop
    ? text
    : `${text}. It would run SOP ${sop.sop_id}, version ${sop.version}.`;
}
