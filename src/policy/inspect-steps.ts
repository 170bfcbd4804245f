// The verdict of policy on each step of a plan, with the commands that the guard saw in it.
import type { TaskContract } from "../domain/contract.ts";
import type { Finding } from "../domain/finding.ts";
import { pollingText } from "../domain/polling.ts";
import { reconcileOf, type Step } from "../domain/step.ts";
import { commandText, environmentOf, isIdempotent, sentStep } from "../domain/step-run.ts";
import { notProbed, reachOfStep } from "./command-reach.ts";
import { type JudgedStep, permissionOf } from "./judge-plan.ts";

type InspectedPlan = {
  readonly contract: TaskContract;
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
  readonly judged: readonly Pick<JudgedStep, "consequences" | "saw">[];
  /** Whether the routing model is asked about what the rules let run. */
  readonly asks_model: boolean;
};

type InspectedStep = {
  readonly index: number;
  readonly kind: string;
  readonly command: string;
  /** How long a check is polled. */
  readonly polled?: string;
  /** Why a check is not run before the change. */
  readonly not_probed?: string;
  /** The command that finds out whether the step is done. */
  readonly reconcile?: string;
  /** It says that running it again has no further effect. */
  readonly idempotent?: true;
  /** The variables of the contract that the command is given. */
  readonly environment: Record<string, string>;
  /** The commands in a shell step, with every word resolved. */
  readonly saw: string[];
  readonly verdict: "allow" | "ask" | "block";
  readonly findings: Finding[];
  readonly model_would_be_asked: boolean;
} & Pick<Finding, "change" | "consequences" | "blast">;

export function inspectSteps({ contract, steps, findings, judged, asks_model }: InspectedPlan): InspectedStep[] {
  return steps.map((step, index) => {
    const own = findings.filter((finding) => finding.step_index === index);
    const permission = permissionOf(own);
    const reconcile = reconcileOf(step);
    const polled = pollingText(step);
    const not_probed = notProbed(step, judged[index]);
    return {
      index,
      kind: step.kind,
      command: commandText(sentStep(step, contract)),
      ...(polled !== undefined && { polled }),
      ...(not_probed !== undefined && { not_probed }),
      ...(reconcile !== undefined && { reconcile }),
      ...(isIdempotent(step) && { idempotent: true as const }),
      environment: environmentOf(step, contract),
      saw: [...(judged[index]?.saw ?? [])],
      verdict: permission === "deny" ? "block" : permission,
      findings: own,
      model_would_be_asked: asks_model && permission !== "deny" && step.kind !== "wait" && !own.some(isByCode),
      ...reachOfStep(judged[index]),
    };
  });
}

const isByCode = ({ code }: Finding): boolean => code === "category.matched";
