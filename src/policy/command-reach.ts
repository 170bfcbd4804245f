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

/** Nothing of a step that is no command. */
export const stepReach = (step: AgentStep, shell: ShellContext): Partial<ReachOfCommand> =>
  step.kind === "cmd" || step.kind === "check" ? reachOf(consequencesOf(step.value, shell)) : {};

/** `of`: by the index of the step. */
export function withReach(findings: readonly Finding[], of: readonly (() => Partial<ReachOfCommand>)[]): Finding[] {
  const known = new Map<number, Partial<ReachOfCommand>>();
  return findings.map((finding) => {
    const { step_index } = finding;
    const reach = known.get(step_index) ?? of[step_index]?.() ?? {};
    known.set(step_index, reach);
    return { ...finding, ...reach };
  });
}

/** As findings were before they said what a command reaches. */
export const withoutReach = (findings: readonly Finding[]): Finding[] =>
  findings.map(({ change: _change, consequences: _consequences, blast: _blast, ...finding }) => finding);
