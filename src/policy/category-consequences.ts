// Categories of `require_approval_for` that code decides where it can: a contract that names a consequence of a command gets the
// approval without a question to the routing model (D-237). Code adds approvals and never removes one.

import type { AgentStep } from "../domain/agent-events.ts";
import { descriptionIn } from "../domain/bound-tool.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { printable } from "../domain/printable.ts";
import { type BoundTool, toolName } from "../domain/script.ts";
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

type KnownOfSteps = {
  readonly judged: readonly { readonly consequences: CommandConsequences | null }[];
  /** The tools that the steps call. */
  readonly tools: readonly BoundTool[];
};

/** Those of a whole plan. */
export const planConsequences = (
  steps: readonly Step[],
  contract: TaskContract,
  { judged, tools }: KnownOfSteps,
): Finding[] =>
  steps.flatMap((step, index) => [
    ...consequenceFindings(step, index, contract, judged[index]?.consequences ?? null),
    ...destructiveTool(step, index, contract, tools),
  ]);

/** A category in words of the contract that speak of destroying. */
const DESTROYS = /delet|destr|remov|eras|wip(e|ing)|purg|drop|overwrit|irrevers|los(s|e|es|ing)\b/i;
/** What a tool may do that destroys something, most likely first. */
const OF_DESTRUCTION: readonly Consequence[] = ["deletes_data", "writes_device", "force_push"];

/**
 * A tool that its server calls destructive falls into the category that speaks of destroying. Its server does not say what it destroys, so
 * where the contract names another consequence only, that one is asked about.
 */
export function destructiveTool(
  step: AgentStep,
  step_index: number,
  contract: TaskContract,
  tools: readonly BoundTool[],
): Finding[] {
  if (step.kind !== "mcp_call") return [];
  const name = toolName({ server: step.server.toLowerCase(), tool: step.tool });
  const tool = tools.find((one) => toolName(one) === name);
  if (tool?.destructive !== true) return [];
  const named = namedBy(contract);
  const category =
    OF_DESTRUCTION.find((one) => named.includes(one)) ??
    contract.constraints.require_approval_for.find((one) => DESTROYS.test(one)) ??
    named[0];
  if (category === undefined) return [];
  const described = descriptionIn(tool);
  const words = described === "" ? "" : ` Its server describes it as ${described}.`;
  return [
    {
      step_index,
      verdict: "ask",
      code: "category.matched",
      reason: `the server of ${printable(name)} says that this tool may destroy something: ${JSON.stringify(category)}, which the contract lists in require_approval_for.${words}`,
      command: null,
      category,
    },
  ];
}

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
