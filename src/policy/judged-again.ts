// Decides when a judgement that the time has cut off may be compared with the one that was approved, and how (D-269): each says
// less of the same text than the one before.
import type { Finding } from "../domain/finding.ts";
import { canonicalJson } from "../domain/json-values.ts";
import { withoutReach } from "./category-consequences.ts";

/** A judgement that was cut off once is followed to its end when the processor is free, or the code is warm. */
const TRIES = 3;

const isOfTime = ({ code }: Finding): boolean => code === "cap.time";

const isCut = (findings: readonly Finding[]): boolean => findings.some(isOfTime);

/** Judges again what was not cut off before and is now. */
export async function judgedAgain<T extends { readonly findings: readonly Finding[] }>(
  judge: () => Promise<T>,
  before: readonly Finding[],
): Promise<T> {
  let judged = await judge();
  for (let tries = 1; tries < TRIES && isCut(judged.findings) && !isCut(before); tries += 1) judged = await judge();
  return judged;
}

/** What does not follow from the text of a command, so that no time can cut it off. */
const isOfOthers = ({ code }: Finding): boolean => /^(tool|category|safety)\./.test(code);

type Compared = { readonly now: readonly Finding[]; readonly before: readonly Finding[]; readonly from: number };

/**
 * Whether the same is found now as before of the steps from `from` on. Of a step that either judgement did not follow to its end,
 * and of those after it, the texts are the same and what is found of them is not compared, but for a block.
 */
export function isFoundAsBefore({ now, before, from }: Compared): boolean {
  const cut = Math.min(...[...now, ...before].filter(isOfTime).map(({ step_index }) => step_index));
  if (now.some((one) => one.step_index >= cut && one.verdict === "block" && !isOfTime(one))) return false;
  const compared = (findings: readonly Finding[]): string =>
    findings
      .filter((one) => one.step_index >= from && (one.step_index < cut || isOfOthers(one)))
      .flatMap((one) => (one.step_index < cut ? [one] : withoutReach([one])))
      .map(canonicalJson)
      .toSorted()
      .join("\n");
  return compared(now) === compared(before);
}
