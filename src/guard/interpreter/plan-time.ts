// The time that all texts of a plan may take together, in ms of the processor. It bounds a list of texts that are made to cost, and
// no list of ordinary ones, each of which takes less than its share.
import { cpuMs } from "./cpu-ms.ts";

/** Until when texts are judged whole, and until when by the commands that are written out in them. */
const WHOLE_MS = 1_000;
const WRITTEN_OUT_MS = 1_700;
/** More of both for each text. */
const SHARE_MS = 3;

const FIX = "use fewer or shorter steps";
export const PLAN_SPENT = `the steps together take more than ${WHOLE_MS} ms to judge; ${FIX}`;
/** Nothing of the text is known, so it cannot be approved either. */
export const PLAN_OVER = `the steps together take more than ${WRITTEN_OUT_MS} ms to judge, and this one was not judged; ${FIX}`;

/** The plan that is being judged: when that began, and how many texts were judged whole. Nothing in it waits, so there is one in a thread. */
let plan: { readonly began: number; texts: number; is_cut: boolean } | null = null;

/** All texts that `judge` judges are those of one plan. */
export function withPlanTime<T>(judge: () => T): T {
  if (plan !== null) return judge();
  plan = { began: cpuMs(), texts: 0, is_cut: false };
  try {
    return judge();
  } finally {
    plan = null;
  }
}

/** Only a text that is judged whole has a share: what is spent stays spent. */
export function countText(): void {
  if (plan !== null) plan.texts += 1;
}

/** The time has ended something before its end: with more of it, more may be found. */
export function noteCut(): void {
  if (plan !== null) plan.is_cut = true;
}

export const isPlanCut = (): boolean => plan?.is_cut === true;

function hasTaken(limit_ms: number): boolean {
  const is_over = plan !== null && cpuMs() - plan.began > limit_ms + SHARE_MS * plan.texts;
  if (is_over) noteCut();
  return is_over;
}

export const isPlanSpent = (): boolean => hasTaken(WHOLE_MS);
export const isPlanOver = (): boolean => hasTaken(WRITTEN_OUT_MS);
