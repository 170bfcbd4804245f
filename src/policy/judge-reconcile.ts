// The rules for the reconcile command of a step (D-299): those of a diagnostic step for every intent. It runs without a
// question of its own, so it must not change anything.
import type { Finding } from "../domain/finding.ts";
import type { CommandEffect } from "../guard/guard.ts";

type Found = Omit<Finding, "step_index" | "category">;

/** `found` is what the rules for every command say of it. */
export function reconcileFindings(
  found: readonly Found[],
  { is, why, command }: CommandEffect,
  { proved }: { readonly proved: boolean },
): readonly Found[] {
  const own = found.map((finding) => ({ ...finding, reason: `its reconcile command: ${finding.reason}` }));
  if (is === "changes") {
    const reason = `a reconcile command only looks, and this one ${why}; let it find out whether the step is done, and change nothing`;
    return [...own, { verdict: "block", code: "reconcile.changes_state", reason, command }];
  }
  if (is === "reads" || proved) return own;
  const reason = `a reconcile command only looks, and ${why}; approve it if it changes nothing, or use a command that is known`;
  return [...own, { verdict: "ask", code: "reconcile.unknown_effect", reason, command }];
}
