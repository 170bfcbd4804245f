// Gives the verdict of policy on each step of a plan, with the commands that the guard saw in it and what the server of a tool
// says against it (D-187).
import type { TaskContract } from "../../domain/contract.ts";
import type { Finding, RuleFinding } from "../../domain/finding.ts";
import { reconcileOf, type Step } from "../../domain/step.ts";
import { commandText, environmentOf, isIdempotent, isPause, pollingText, sentStep } from "../../domain/step-run.ts";
import { type StatedEffect, unreadText } from "../../domain/tool.ts";
import { notProbed, reachOfStep } from "./category-consequences.ts";
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
      model_would_be_asked: asks_model && permission !== "deny" && !isPause(step) && !own.some(isByCode),
      ...reachOfStep(judged[index]),
    };
  });
}

const isByCode = ({ code }: Finding): boolean => code === "category.matched";

/** What the server of a tool says against it. */
export type ToolFinding = RuleFinding & { readonly category: null };

/**
 * The finding on a tool that may only look, from what its server says of it (D-187). Null for a tool that only reads. `looks` is
 * what may only look.
 */
export function toolFinding(tool: string, effect: StatedEffect, looks: string): ToolFinding | null {
  if (effect === "reads") return null;
  const none = { command: null, category: null };
  if (effect === "changes") {
    const reason = `${looks} only looks, and the server of ${tool} says that it changes something; leave it out, or use a tool that only reads`;
    return { ...none, verdict: "block", code: "tool.changes_state", reason };
  }
  if (effect === "unknown") {
    const reason = `${looks} only looks, and the server of ${tool} says nothing about whether it changes something; approve it if it changes nothing, or use a tool that only reads`;
    return { ...none, verdict: "ask", code: "tool.unknown_effect", reason };
  }
  // Nothing is approved on a list that was not read: it may say that the tool changes something.
  const reason = `${unreadText(effect)}; ${looks} only looks, and only the list says whether ${tool} does`;
  return { ...none, verdict: "block", code: "tool.list_unread", reason };
}

/** Found out from tool servers, and not by the rules. */
export const isOfTools = ({ code }: Finding): boolean => code.startsWith("tool.");
