// Finds the values of a target that stand in the text of steps as they are. In a copy for another target they keep the old value.
import { canonicalJson } from "../domain/json-values.ts";
import { reconcileOf, type Step } from "../domain/step.ts";
import { commandText } from "../domain/step-run.ts";
import type { Target } from "../domain/target.ts";

/** A value of the target in a step, which does not follow another target. */
type TargetLiteral = { readonly step_index: number; readonly key: string; readonly value: string };

/** A shorter value occurs in texts by chance. */
const MIN_VALUE = 2;
const WORD = /[A-Za-z0-9_]/;

/** Of the values in which `target` differs from `other`. */
export function targetLiterals(steps: readonly Step[], target: Target, other: Target): TargetLiteral[] {
  const values = Object.entries(target).filter(([key, value]) => value.length >= MIN_VALUE && other[key] !== value);
  return steps.flatMap((step, step_index) =>
    values
      .filter(([, value]) => textsOf(step).some((text) => hasWord(text, value)))
      .map(([key, value]) => ({ step_index, key, value })),
  );
}

function textsOf(step: Step): string[] {
  const looks = [reconcileOf(step) ?? "", step.kind === "cmd" ? (step.preview ?? "") : ""];
  const own =
    step.kind === "mcp_call"
      ? [canonicalJson(step.arguments), canonicalJson(step.expect ?? null)]
      : [commandText(step)];
  return [...own, ...looks];
}

function hasWord(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    if (!WORD.test(text[at - 1] ?? "") && !WORD.test(text[at + value.length] ?? "")) return true;
  }
  return false;
}
