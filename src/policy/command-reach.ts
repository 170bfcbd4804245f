// What the findings say of the command that they are about: whether it changes something, with what consequences, and what it
// reaches (D-237).

import type { AgentStep } from "../domain/agent-events.ts";
import type { Finding } from "../domain/finding.ts";
import { type CommandConsequences, consequencesOf, type ShellContext } from "../guard/guard.ts";
import { CHANGE_OF } from "./step-change.ts";

type ReachOfCommand = Required<Pick<Finding, "change" | "consequences" | "blast">>;

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

type Judged = { readonly consequences: CommandConsequences | null };

/** Nothing of a step that is no command. */
export const reachOfStep = (step: Judged | undefined): Partial<ReachOfCommand> =>
  step?.consequences == null ? {} : reachOf(step.consequences);

/** Why a check runs only when its turn comes, and not before; undefined for every other step. */
export function notProbed(step: AgentStep, judged: Judged | undefined): string | undefined {
  const { change } = reachOfStep(judged);
  if (step.kind !== "check" || change === undefined || change === "looks") return undefined;
  return `orch does not run it before the change: ${change === "changes" ? "it changes something" : "it may change something"}`;
}

/** `of`: by the index of the step. */
export const withReach = (findings: readonly Finding[], of: readonly Judged[]): Finding[] =>
  findings.map((finding) => ({ ...finding, ...reachOfStep(of[finding.step_index]) }));

/** As findings were before they said what a command reaches. */
export const withoutReach = (findings: readonly Finding[]): Finding[] =>
  findings.map(({ change: _change, consequences: _consequences, blast: _blast, ...finding }) => finding);
