// Says whether a step changes something, as far as policy knows, and what policy has against its preview (D-200): a preview may
// only look, because it runs before anything is approved.
import { isPause } from "../domain/polling.ts";
import type { Step } from "../domain/step.ts";
import type { StatedEffect } from "../domain/tool.ts";
import { effectOf, judge, type ShellContext } from "../guard/guard.ts";
import { inOrder, worldAfter } from "./plan-world.ts";

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
