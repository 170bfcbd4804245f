// Categories of `require_approval_for` that code decides where it can: a contract that names a consequence of a command gets the
// approval without a question to the routing model (D-237). Code adds approvals and never removes one.

import type { AgentStep } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import type { Step } from "../domain/step.ts";
import { CONSEQUENCES, type Consequence } from "../guard/codes.ts";
import type { CommandConsequences } from "../guard/guard.ts";
import { reachOf } from "./command-reach.ts";

const DOES: Record<Consequence, string> = {
  deletes_data: "deletes data",
  restarts_service: "restarts or stops a service",
  changes_network: "changes the network",
  writes_device: "writes to a device",
  force_push: "rewrites or deletes what was pushed",
  changes_accounts: "changes accounts or what they may do",
  reboots: "restarts or stops a machine",
};

const namedBy = ({ constraints }: TaskContract): readonly Consequence[] =>
  CONSEQUENCES.filter((name) => constraints.require_approval_for.includes(name));

/** Those of a whole plan; `judged` are its steps. */
export const planConsequences = (
  steps: readonly Step[],
  contract: TaskContract,
  judged: readonly { readonly consequences: CommandConsequences | null }[],
): Finding[] =>
  judged.flatMap(({ consequences }, index) => {
    const step = steps[index];
    return step === undefined ? [] : consequenceFindings(step, index, contract, consequences);
  });

/** One finding for each category that the command certainly falls into. Empty: the routing model decides. */
export function consequenceFindings(
  step: AgentStep,
  step_index: number,
  contract: TaskContract,
  found: CommandConsequences | null,
): Finding[] {
  const named = namedBy(contract);
  if (found === null || (step.kind !== "cmd" && step.kind !== "check")) return [];
  return found.consequences
    .filter(({ is }) => named.includes(is))
    .map(({ is, command }) => ({
      step_index,
      verdict: "ask",
      code: "category.matched",
      reason: `${JSON.stringify(command)} ${DOES[is]}: "${is}", which the contract lists in require_approval_for.`,
      command: step.value,
      category: is,
      ...reachOf(found),
    }));
}
