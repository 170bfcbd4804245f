// The time that all texts of a plan may take together, in ms of the processor. It bounds a list of texts that are made to cost.
import { cpuMs } from "./cpu-ms.ts";

/** Until when texts are judged whole, and until when by the commands that are written out in them. */
const WHOLE_MS = 1_000;
const WRITTEN_OUT_MS = 1_700;

const FIX = "use fewer or shorter steps";
export const PLAN_SPENT = `the steps together take more than ${WHOLE_MS} ms to judge; ${FIX}`;
/** Nothing of the text is known, so it cannot be approved either. */
export const PLAN_OVER = `the steps together take more than ${WRITTEN_OUT_MS} ms to judge, and this one was not judged; ${FIX}`;

/** When the judging of the plan began; null outside of one. Nothing in it waits, so there is one at a time in a thread. */
let began: number | null = null;

/** All texts that `judge` judges are those of one plan. */
export function withPlanTime<T>(judge: () => T): T {
  if (began !== null) return judge();
  began = cpuMs();
  try {
    return judge();
  } finally {
    began = null;
  }
}

const hasTaken = (limit_ms: number): boolean => began !== null && cpuMs() - began > limit_ms;

export const isPlanSpent = (): boolean => hasTaken(WHOLE_MS);
export const isPlanOver = (): boolean => hasTaken(WRITTEN_OUT_MS);
