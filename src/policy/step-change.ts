// Says whether a step changes something, as far as policy knows, and what policy has against its preview (D-200): a preview may
// only look, because it runs before anything is approved.

import type { AgentStep } from "../domain/agent-events.ts";
import type { Step } from "../domain/step.ts";
import { isPause } from "../domain/step-run.ts";
import type { StatedEffect } from "../domain/tool.ts";
import { effectOf, judge, type ShellContext, type World, worldLeftBy } from "../guard/guard.ts";

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
export const CHANGE_OF = { reads: "looks", changes: "changes", unknown: "cannot_tell" } as const;

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
