// Decides categories of `require_approval_for` by code where it can: a contract that names a consequence of a command gets the
// approval without a question to the routing model (D-237). Code adds approvals and never removes one.
import type { AgentStep } from "../domain/agent-events.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { printable } from "../domain/printable.ts";
import { type BoundTool, toolName } from "../domain/script.ts";
import type { Step } from "../domain/step.ts";
import { descriptionIn } from "../domain/tool.ts";
import { CONSEQUENCES, type Consequence } from "../guard/codes.ts";
import { type CommandConsequences, consequencesOf, type ShellContext } from "../guard/guard.ts";
import { CHANGE_OF } from "./step-change.ts";

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

type ReachOfCommand = Required<Pick<Finding, "change" | "consequences" | "blast">>;

/**
 * What the findings say of the command that they are about: whether it changes something, with what consequences, and what it
 * reaches (D-237).
 */
export function reachOf({ effect, consequences, reach }: CommandConsequences): ReachOfCommand {
  const { paths, containers, hosts, more } = reach;
  return {
    change: CHANGE_OF[effect.is],
    consequences: consequences.map(({ is }) => is),
    blast: { paths: [...paths], containers: [...containers], hosts: [...hosts], more },
  };
}

/** The consequences of a step; null of one that is no command. */
export const stepConsequences = (step: AgentStep, shell: ShellContext): CommandConsequences | null =>
  step.kind === "cmd" || step.kind === "check" ? consequencesOf(step.value, shell) : null;

type WithConsequences = { readonly consequences: CommandConsequences | null };

/** Nothing of a step that is no command. */
export const reachOfStep = (step: WithConsequences | undefined): Partial<ReachOfCommand> =>
  step?.consequences == null ? {} : reachOf(step.consequences);

/** Why a check runs only when its turn comes, and not before; undefined for every other step. */
export function notProbed(step: AgentStep, judged: WithConsequences | undefined): string | undefined {
  const { change } = reachOfStep(judged);
  if (step.kind !== "check" || change === undefined || change === "looks") return undefined;
  return `orch does not run it before the change: ${change === "changes" ? "it changes something" : "it may change something"}`;
}

/** `of`: by the index of the step. */
export const withReach = (findings: readonly Finding[], of: readonly WithConsequences[]): Finding[] =>
  findings.map((finding) => ({ ...finding, ...reachOfStep(of[finding.step_index]) }));

/** As findings were before they said what a command reaches. */
export const withoutReach = (findings: readonly Finding[]): Finding[] =>
  findings.map(({ change: _change, consequences: _consequences, blast: _blast, ...finding }) => finding);
