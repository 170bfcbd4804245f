// Finds what an update_sop contract would replace, and with what, or why it cannot [3.update.1]. It changes nothing, so
// `explain` uses it too.
import { Intent, type TaskContract } from "../domain/contract.ts";
import { type Reason, reason } from "../domain/outcome.ts";
import { coverCriteria, type Procedure, type Sop, SopDefinition } from "../domain/sop.ts";
import { GivenTarget, type Target, targetSignature } from "../domain/target.ts";
import type { Judge, Store, ToolServers } from "../ports.ts";
import { parseInput } from "../schema/parse-input.ts";
import { noActiveSop, replaceableSop } from "./active-sop.ts";
import { toolBlocks } from "./plan.ts";
import { definitionOf } from "./teaching.ts";

const UpdatePayload = SopDefinition.extend({ intent: Intent, target: GivenTarget.optional() });

export type Replacement = { readonly current: Sop; readonly target: Target; readonly procedure: Procedure };

type ReplacementPlanDeps = {
  readonly store: Pick<Store, "findActiveSop" | "listSops" | "listApprovals">;
  readonly toolServers: Pick<ToolServers, "effectOf">;
  readonly home: string;
  readonly judge: Judge;
};

export async function replacementIn(
  { store, toolServers, ...judging }: ReplacementPlanDeps,
  contract: Pick<TaskContract, "payload" | "target">,
): Promise<Replacement | Reason> {
  const payload = parseInput(UpdatePayload, contract.payload);
  if (!payload.ok) {
    const wrong = payload.issues.map(
      ({ path, message }) => `${["payload", path].filter(Boolean).join(".")}: ${message}`,
    );
    return reason("update_invalid", `${wrong.slice(0, 5).join("; ")}.`);
  }
  const { intent, target = contract.target, ...definition } = payload.value;
  const key = { intent, target_signature: targetSignature(target) };
  const current = await replaceableSop(store, key);
  if (current === null) return reason("sop_not_found", await noActiveSop(store, key));
  const procedure = await procedureFrom(judging, definition, target, current);
  if ("reason_code" in procedure) return procedure;
  const [changes] = await toolBlocks({ intent, steps: procedure.steps }, toolServers);
  if (changes !== undefined) {
    return reason("update_invalid", `payload.steps.${changes.step_index}: ${changes.reason}.`);
  }
  return { current, target, procedure };
}

/** Without a map of its own, the new version has to prove, in order, what the current one proves. */
async function procedureFrom(
  { home, judge }: Pick<ReplacementPlanDeps, "home" | "judge">,
  definition: SopDefinition,
  target: Target,
  current: Sop,
): Promise<Procedure | Reason> {
  const inStepOrder = current.criteria.toSorted((a, b) => a.step_index - b.step_index);
  const proved = inStepOrder.map(({ criterion }) => criterion);
  const inOrder = coverCriteria(proved, definition.steps);
  const { procedure, issues } = await judge(definitionOf, current.intent, target, definition, { home, remote: false });
  const all = definition.criteria === undefined ? [...inOrder.issues, ...issues] : issues;
  const [first] = all;
  if (first !== undefined) return reason("update_invalid", `payload.${first.path}: ${first.message}`);
  return definition.criteria === undefined ? { ...procedure, criteria: inOrder.criteria } : procedure;
}
