// Judges the steps of a plan one after the other in one world: each with what the ones before it left there.
import type { AgentStep } from "../domain/agent-events.ts";
import { type ShellContext, type World, worldLeftBy } from "../guard/guard.ts";

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
