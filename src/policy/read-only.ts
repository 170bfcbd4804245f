// Judges what may only read: a check, and every step of an intent that only looks.
import { READ_ONLY_INTENTS } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { type CommandEffect, lastingChangeOf, type ShellContext } from "../guard/guard.ts";

type Found = Omit<Finding, "step_index" | "category">;

/** `proved`: the steps are in use. They were approved before a check had to read only, so they are asked about. */
type Judged = { readonly intent: string; readonly proved: boolean };

/** A check only reads. It may write files, and may make what it removes itself. */
export function checkFindings(text: string, { intent, proved }: Judged, shell: ShellContext): readonly Found[] {
  const change = READ_ONLY_INTENTS.has(intent) ? null : lastingChangeOf(text, shell);
  if (change === null) return [];
  const fix = proved
    ? "approve it if that may happen now, or teach a version without it"
    : "move that into a cmd step, and check its result";
  const reason = `a check only reads, and this one ${change.why}; ${fix}`;
  return [{ verdict: proved ? "ask" : "block", code: "read_only.changes_state", reason, command: change.command }];
}

/** `within` repeats a check, so orch must know that the check only reads. */
export function polledFindings({ is, why, command }: CommandEffect, { intent, proved }: Judged): readonly Found[] {
  if (is !== "unknown" || proved || READ_ONLY_INTENTS.has(intent)) return [];
  const reason = `within runs a check several times, and ${why}; approve it if it changes nothing, or use a command that is known`;
  return [{ verdict: "ask", code: "read_only.unknown_effect", reason, command }];
}

/** A read-only intent runs only steps that look. */
export function intentFindings({ is, why, command }: CommandEffect, { intent, proved }: Judged): readonly Found[] {
  if (is === "changes") {
    const reason = `intent ${intent} only looks, and this step ${why}; use a command that changes nothing, or another intent`;
    return [{ verdict: "block", code: "read_only.changes_state", reason, command }];
  }
  if (is === "reads" || proved) return [];
  const reason = `intent ${intent} only looks, and ${why}; approve it if it changes nothing, or use a command that is known`;
  return [{ verdict: "ask", code: "read_only.unknown_effect", reason, command }];
}
