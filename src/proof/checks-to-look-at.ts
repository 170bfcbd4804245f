// Chooses the checks of a plan that are run once before its first change (D-194).
import { READ_ONLY_INTENTS, type TaskContract } from "../domain/contract.ts";
import { isCheck, type Step } from "../domain/step.ts";
import { effectOf } from "../guard/guard.ts";
import { shellContextOf } from "../policy/judge-plan.ts";
import type { LookRequest } from "../ports.ts";
import { hasOnce } from "./before.ts";

/** Those that policy knows to look only, and that come after the first step that may change something. */
export function checksToLookAt(contract: TaskContract, steps: readonly Step[], home: string): LookRequest["checks"] {
  if (READ_ONLY_INTENTS.has(contract.intent)) return [];
  const looksOnly = (step: Step): boolean => {
    if (step.kind === "wait") return true;
    if (step.kind === "mcp_call") return isCheck(step);
    return effectOf(step.value, shellContextOf(contract, home)).is === "reads";
  };
  const change = steps.findIndex((step) => !looksOnly(step));
  if (change === -1) return [];
  return steps.flatMap((step, step_index) =>
    step_index > change && isCheck(step) && !hasOnce(step.value) && looksOnly(step) ? [{ step_index, step }] : [],
  );
}
