// What is judged apart from the event loop: pure functions over texts that others wrote. What they take and give back is plain data.

import { changesOf, previewObstacle, stepConsequences, worldAfter } from "../engine/policy/category-consequences.ts";
import { checksToLookAt, haveOnce, obstacleToSkip } from "../engine/policy/checks-to-look-at.ts";
import { examinePlan, isFreeOfFindings } from "../engine/policy/judge-plan.ts";
import { protectedResourceFindings } from "../engine/policy/protected-resources.ts";
import { definitionOf, teachingOf } from "../engine/tasks/teaching.ts";
import { readReply } from "../features/agents/model/read-reply.ts";
import { parametrised } from "../features/procedures/parametrised-step.ts";
import { proposeSop } from "../features/procedures/propose-sop.ts";
import { effectOf } from "../guard/guard.ts";
import { decoyOf, mendsOf, readCheck, runBy, textFacts } from "../proof/proof.ts";

type Judgement = (...given: never[]) => unknown;

const ALL: Readonly<Record<string, Judgement>> = {
  examinePlan,
  isFreeOfFindings,
  changesOf,
  previewObstacle,
  worldAfter,
  stepConsequences,
  effectOf,
  protectedResourceFindings,
  checksToLookAt,
  obstacleToSkip,
  mendsOf,
  decoyOf,
  textFacts,
  runBy,
  readCheck,
  teachingOf,
  definitionOf,
  proposeSop,
  parametrised,
  readReply,
  haveOnce,
};

const NAMES = new Map<unknown, string>(Object.entries(ALL).map(([name, judgement]) => [judgement, name]));

/** The name of a judgement in another thread. A function that has none there is a mistake in the code. */
export function nameOf(judgement: { readonly name: string }): string {
  const name = NAMES.get(judgement);
  if (name === undefined) throw new Error(`${judgement.name} is not among the judgements of src/judge/judgements.ts`);
  return name;
}

export function judgedBy(name: string, given: readonly unknown[]): unknown {
  const judgement = ALL[name];
  if (judgement === undefined) throw new Error(`there is no judgement ${name}`);
  return judgement(...(given as never[]));
}
