// Chooses the checks of a plan that are run once before its first change (D-194).
import { READ_ONLY_INTENTS, type TaskContract } from "../domain/contract.ts";
import type { LookRequest } from "../domain/run-request.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { readsBefore } from "../domain/step-run.ts";
import { effectOf } from "../guard/guard.ts";
import { type PlanContract, planContract, shellContextOf } from "../policy/judge-plan.ts";
import { hasOnce } from "./before.ts";

type LookedAt = PlanContract & Pick<TaskContract, "intent" | "skip_if_done">;

/** What is read of a contract for it. */
export const lookedAt = ({ intent, skip_if_done, ...contract }: LookedAt): LookedAt => ({
  ...planContract(contract),
  intent,
  ...(skip_if_done !== undefined && { skip_if_done }),
});

/**
 * Those that policy knows to look only, and that come after the first step that may change something. Where a task may be done
 * already, also those before it.
 */
export function checksToLookAt(contract: LookedAt, steps: readonly Step[], home: string): LookRequest["checks"] {
  if (READ_ONLY_INTENTS.has(contract.intent)) return [];
  const looksOnly = (step: Step): boolean => {
    if (step.kind === "wait") return true;
    if (step.kind === "mcp_call") return isCheck(step);
    return effectOf(step.value, shellContextOf(contract, home)).is === "reads";
  };
  const change = steps.findIndex((step) => !looksOnly(step));
  if (change === -1) return [];
  const isInTime = (step: Step, index: number): boolean =>
    index > change || (contract.skip_if_done === true && !readsBefore(step.value));
  return steps.flatMap((step, step_index) =>
    isInTime(step, step_index) && isCheck(step) && !hasOnce(step.value) && looksOnly(step)
      ? [{ step_index, step }]
      : [],
  );
}
