// The judge of unit tests: the same functions, in this thread.
import { asOnePlan } from "../../src/guard/guard.ts";
import { nameOf } from "../../src/judge/judgements.ts";
import type { Judge } from "../../src/ports.ts";

export const judgeHere: Judge = async (judgement, ...given) => {
  nameOf(judgement);
  return asOnePlan(() => judgement(...structuredClone(given)));
};
