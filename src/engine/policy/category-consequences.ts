// Says what steps do, as far as policy knows: which categories of `require_approval_for` code decides without a question to the routing
// model (D-237), whether a step changes something, and what world each leaves to the next. Code adds approvals and never removes one.
import type { AgentStep } from "../../domain/agent-events.ts";
import { descriptionIn } from "../../domain/bound-tool.ts";
import type { TaskContract } from "../../domain/contract.ts";
import type { Finding } from "../../domain/finding.ts";
import { printable } from "../../domain/printable.ts";
import { type BoundTool, toolName } from "../../domain/script.ts";
import type { Step } from "../../domain/step.ts";
import { isPause } from "../../domain/step-run.ts";
import type { StatedEffect } from "../../domain/tool.ts";
import { CONSEQUENCES, type Consequence } from "../../guard/codes.ts";
import {
  type CommandConsequences,
  consequencesOf,
  effectOf,
  judge,
  type ShellContext,
  type World,
  worldLeftBy,
} from "../../guard/guard.ts";

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

// Says whether a step changes something, as far as policy knows, and what policy has against its preview (D-200): a preview may
// only look, because it runs before anything is approved.

/** Why a procedure with this preview is refused; null when it is not. */
export function previewFault(step: Step, shell: ShellContext): string | null {
  if (step.kind !== "cmd" || step.preview === undefined) return null;
  const block = judge(step.preview, shell).find(({ verdict }) => verdict === "block");
  if (block !== undefined) return block.reason;
  const { is, why } = effectOf(step.preview, shell);
  return is === "changes" ? `a preview only looks, and this one ${why}` : null;
}

/** Why the preview is not run without an approval; null where policy knows that it only looks. */
export function previewObstacle(preview: string, shell: ShellContext): string | null {
  const [finding] = judge(preview, shell);
  if (finding !== undefined) return finding.reason;
  const { is, why } = effectOf(preview, shell);
  return is === "reads" ? null : why;
}

/** Effects in the words of a finding and of a promotion. */
const CHANGE_OF = { reads: "looks", changes: "changes", unknown: "cannot_tell" } as const;

/** Of the call of a tool its server says it. */
export const changeOfTool = (effect: StatedEffect): Change =>
  typeof effect === "string" ? CHANGE_OF[effect] : "cannot_tell";

type Change = (typeof CHANGE_OF)[keyof typeof CHANGE_OF];

/** Whether each step changes something, as far as policy knows; null for the call of a tool, of which its server says it. */
export const changesOf = (steps: readonly Step[], shell: ShellContext): (Change | null)[] =>
  inOrder(steps, shell, (step, context) => {
    const world = worldAfter(step, context);
    if (step.kind === "mcp_call") return { found: null, world };
    return { found: isPause(step) ? "looks" : CHANGE_OF[effectOf(step.value, context).is], world };
  });

// Judges the steps of a plan one after the other in one world: each with what the ones before it left there.

/** What was found of a step, and the world after it. */
export type Judged<T> = { readonly found: T; readonly world: World | undefined };

/** Each step with the context that it runs in; `origin` is how it is named in what is said of files that it wrote. */
export function inOrder<S, T>(
  steps: readonly S[],
  shell: ShellContext,
  judge: (step: S, context: ShellContext) => Judged<T>,
): T[] {
  let { world } = shell;
  return steps.map((step, index) => {
    const judged = judge(step, { ...shell, world, origin: `step ${index}` });
    world = judged.world;
    return judged.found;
  });
}

/** What the step leaves in the world of its context. */
export const worldAfter = (step: AgentStep, context: ShellContext): World | undefined =>
  step.kind === "cmd" || step.kind === "check" ? worldLeftBy(step.value, context) : context.world;
