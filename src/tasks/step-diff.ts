// How a version differs from the active one, step by step, as a promotion shows it.
import { diffArrays } from "diff";
import { canonicalJson } from "../domain/json-values.ts";
import { pollingText } from "../domain/polling.ts";
import type { SopProof } from "../domain/sop-proof.ts";
import { reconcileOf, type Step } from "../domain/step.ts";
import { commandText, isIdempotent } from "../domain/step-run.ts";

type Difference = NonNullable<SopProof["diff"]>;

/** `step_index` is that of the version in which the step is: the older one for `removed`. */
export function stepDiff(older: readonly Step[], newer: readonly Step[]): Difference {
  let [old_index, new_index] = [0, 0];
  return diffArrays(older.map(canonicalJson), newer.map(canonicalJson)).flatMap(({ added, removed, count }) => {
    const from = removed ? old_index : new_index;
    if (!added) old_index += count;
    if (!removed) new_index += count;
    if (!(added || removed)) return [];
    const steps = (removed ? older : newer).slice(from, from + count);
    const is = removed ? ("removed" as const) : ("added" as const);
    return steps.map((step, position) => ({ is, step_index: from + position, step: shownStep(step) }));
  });
}

const shownStep = (step: Step): string => {
  const preview = step.kind === "cmd" && step.preview !== undefined ? ` (preview: ${step.preview})` : "";
  const looks = reconcileOf(step);
  const reconcile = looks === undefined ? "" : ` (reconcile: ${looks})`;
  const polling = pollingText(step);
  const polled = polling === undefined ? "" : ` (${polling})`;
  const repeats = isIdempotent(step) ? " (idempotent)" : "";
  return `${step.kind} ${commandText(step)}${polled}${preview}${reconcile}${repeats}`;
};
