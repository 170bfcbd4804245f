// How R1 to R6 are read: what the specification says of judging, as numbers (D-289).
import { sum } from "./counts.ts";
import type { KeyedTally } from "./kept-scores.ts";
import { judgeable, leftOutOf } from "./lists.ts";
import type { TargetReading } from "./reading.ts";
import { unverifiedIn, verifiedReading } from "./readings.ts";
import { gateReading, teachingReading } from "./readings-of-growth.ts";
import { ratioTarget, type ScoreTarget, type TargetState } from "./target.ts";
import { worstOf } from "./worst.ts";

type Judged = { readonly shown: readonly KeyedTally[]; readonly targets: readonly ScoreTarget[] };

const VERIFIED = 0.95;

function qualityReading({ shown }: Judged): TargetReading {
  const { done, verified, refuted, done_unseen } = sum(shown);
  return {
    ...ratioTarget(verified, verified + refuted, VERIFIED),
    message: `${verified} of ${verified + refuted} verifications agree; ${done} DONE, ${done_unseen} of them with checks never seen to fail.`,
    worst: worstOf(shown, { cost: (tally) => tally.refuted, operation: () => "update_sop" }),
  };
}

function correctionReading({ targets }: Judged): TargetReading {
  const missed = targets.filter(({ state }) => state === "missed");
  const state = missed.length > 0 ? "missed" : targets.some((target) => target.state === "met") ? "met" : "unproven";
  return {
    ...{ state, value: missed.length, lower: null, upper: null },
    message:
      missed.length === 0
        ? "No target is missed."
        : `Missed: ${missed.map(({ id }) => id).join(", ")}. Correct what is named here before you change a model.`,
    worst: missed.flatMap(({ worst }) => worst.slice(0, 1)),
  };
}

function coverageReading({ shown: all }: Judged): TargetReading {
  const shown = judgeable(all);
  const { done, verified, refuted } = sum(shown);
  return {
    ...ratioTarget(verified + refuted, done, VERIFIED),
    message: `${done - verified - refuted} of ${done} DONE that an external source has not looked at; ${refuted} that were false.${leftOutOf(all)}`,
    worst: worstOf(shown, { cost: unverifiedIn, operation: () => "record_verification" }),
  };
}

function groupsReading({ shown }: Judged): TargetReading {
  const groups = (["agent", "teach"] as const).map((cohort) => {
    const of_group = shown.filter((tally) => tally.cohort === cohort);
    return { cohort, ...verifiedReading(of_group), ...sum(of_group) };
  });
  const counted = groups.filter(({ done }) => done > 0);
  const [worse] = [...counted].sort((a, b) => (a.value ?? 1) - (b.value ?? 1));
  return {
    state: together(counted.map(({ state }) => state)),
    ...{ value: worse?.value ?? null, lower: worse?.lower ?? null, upper: worse?.upper ?? null },
    message: groups.map(({ cohort, message }) => `${cohort}: ${message}`).join(" "),
    worst: worse?.worst ?? [],
  };
}

const together = (states: readonly TargetState[]): TargetState =>
  states.includes("missed") ? "missed" : states.length > 0 && states.every((one) => one === "met") ? "met" : "unproven";

export const requirementReadings = {
  R1: qualityReading,
  R2: correctionReading,
  R3: coverageReading,
  R4: groupsReading,
  R5: teachingReading,
  R6: gateReading,
} as const;
