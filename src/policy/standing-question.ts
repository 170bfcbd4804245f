// The approval that a procedure asks for each time it runs, or while it is on trial, for any steps.
import type { z } from "zod";
import type { Finding } from "../domain/finding.ts";
import type { SafetyLevel } from "../domain/sop.ts";
import { isCheck, type Step } from "../domain/step.ts";

const ALWAYS = {
  code: "safety.approval_required",
  reason: "the procedure asks for approval every time it runs; have its steps approved",
} as const;
const ON_TRIAL = {
  code: "safety.on_trial",
  reason: "this version is on trial: no run has proved it on this target yet; have its steps approved",
} as const;

type Standing = {
  readonly safety_level: z.infer<typeof SafetyLevel>;
  readonly on_trial?: boolean | undefined;
  readonly steps: readonly Step[];
};

/** What a procedure asks of its own, before its steps are judged. */
export function standingQuestion({ safety_level, on_trial, steps }: Standing): readonly Finding[] {
  if (on_trial === true) return approvals(steps, ON_TRIAL);
  return safety_level === "approval_required" ? approvals(steps, ALWAYS) : [];
}

/** One question per step that may change something; for a plan without such a step, one at its start. */
function approvals(steps: readonly Step[], why: typeof ALWAYS | typeof ON_TRIAL): readonly Finding[] {
  const acting = steps.flatMap((step, index) => (step.kind === "wait" || isCheck(step) ? [] : [index]));
  return (acting.length === 0 ? [0] : acting).map((step_index) => {
    const step = steps[step_index];
    return {
      step_index,
      verdict: "ask",
      ...why,
      command: step?.kind === "cmd" || step?.kind === "check" ? step.value : null,
      category: null,
    };
  });
}
