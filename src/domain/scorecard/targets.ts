// Every target of the service and its state, from the tallies of the weeks [8.target.T1]. The readings are those of D-289.

import { sum } from "./counts.ts";
import type { KeyedTally } from "./kept-scores.ts";
import { judgeable, leftOutOf } from "./lists.ts";
import type { Scored, TargetReading } from "./reading.ts";
import { CHAIN, readings, unverifiedIn, verifiedReading } from "./readings.ts";
import { percent, quotient, ratioTarget, type ScoreTarget, type TargetId, type TargetState } from "./target.ts";
import { worstOf } from "./worst.ts";

const WORDINGS: Readonly<Record<TargetId, readonly [wording: string, wanted: string]>> = {
  T1: ["verified success ratio (verified_ok over orchestrator-DONE) at least 95%", "at least 95 %"],
  T2: ["a further count, whose metric is unnamed, must be 0 (read as: broken promises)", "0"],
  T3: ["success ratio of the teach_if_unknown group at least 90%", "at least 90 %"],
  T4: ["delegated tasks over all tasks must not worsen week over week", "not worse than the week before"],
  T5: ["new SOPs over new tasks roughly at least 30% in new areas", "at least 30 %"],
  T6: ["a reduction of at least 20% in a further unnamed measure (read as: questions per task)", "at least 20 % less"],
  R1: ["judged on verified success, not raw success counts", "at least 95 % of what was verified"],
  R2: [
    "if any target is missed, operating flow and SOP quality are corrected before the model is swapped",
    "none missed",
  ],
  R3: [
    "DONE alone is not sufficient proof; direct verification against an external source is preferred",
    "95 % verified",
  ],
  R4: ["agent-mode and teach_if_unknown results are verified separately", "each at least 95 %"],
  R5: ["1.8: what to do grows through data (the SOP store; frequent, automatic)", "80 % taught once"],
  R6: ["4, 7.1: the routing model's answers are usable, and not shown to be wrong", "at least 90 %"],
};

export function targetsOf(scored: Scored): ScoreTarget[] {
  const shown = scored.tallies.filter(({ week }) => scored.weeks.includes(week));
  const isBroken = scored.chains.broken.length > 0 || shown.some(({ broken_why }) => broken_why === CHAIN);
  const held = (reading: TargetReading) => (isBroken ? withoutProof(reading) : reading);
  const targets = entriesOf(readings).map(([id, read]) => named(id, held(read({ ...scored, shown }))));
  const others = entriesOf(requirementReadings).map(([id, read]) => named(id, held(read({ shown, targets }))));
  return [...targets, ...others];
}

/** Numbers from a journal that is not as it was written prove nothing. */
const withoutProof = (reading: TargetReading): TargetReading =>
  reading.state === "met"
    ? { ...reading, state: "unproven", message: `${reading.message} Not met while a journal does not verify: see T2.` }
    : reading;

const entriesOf = <T extends object>(table: T) => Object.entries(table) as [keyof T & TargetId, T[keyof T]][];

function named(id: TargetId, reading: TargetReading): ScoreTarget {
  const [wording, wanted] = WORDINGS[id];
  return { id, wording, wanted, ...reading };
}

// How R1 to R6 are read: what the specification says of judging, as numbers (D-289).

// R5 and R6: how often the same had to be taught, and how good the routing model's answers were (D-289).

type Shown = { readonly shown: readonly KeyedTally[] };

const ONCE = 0.8;
const USABLE = 0.9;

function teachingReading({ shown }: Shown): TargetReading {
  const keys = taughtByKey(shown);
  const taught = keys.reduce((total, key) => total + key.taught, 0);
  return {
    ...ratioTarget(keys.length, taught, ONCE),
    message: `${taught} teachings of ${keys.length} procedures; ${taught - keys.length} taught again.`,
    worst: worstOf(
      shown.filter((tally) => keys.some((key) => key.taught > 1 && key.name === keyOf(tally))),
      { cost: (tally) => tally.taught, operation: () => "approve", about: keyOf },
    ),
  };
}

const keyOf = ({ intent, target_signature }: KeyedTally): string => `${intent}|${target_signature}`;

function taughtByKey(shown: readonly KeyedTally[]) {
  const taught = Map.groupBy(
    shown.filter((tally) => tally.taught > 0),
    keyOf,
  );
  return [...taught].map(([name, tallies]) => ({ name, taught: sum(tallies).taught }));
}

function gateReading({ shown }: Shown): TargetReading {
  const total = sum(shown);
  const asked = total.gate_errors + total.gate_approvals;
  const fallbacks = total.gate_error_fallbacks + total.gate_approval_fallbacks;
  const decided = total.gate_right + total.gate_wrong;
  return {
    ...ratioTarget(Math.max(0, asked - fallbacks - total.gate_wrong), asked, USABLE),
    message: `${asked} questions, ${fallbacks} fallbacks; ${total.gate_right} of ${decided} retries that it granted passed (${percent(quotient(total.gate_right, decided))}); a human rejected ${total.gate_useful} of ${total.gate_asked} that it asked about. Whether "no approval" was right, no journal knows: orch eval routing measures it.`,
    worst: worstOf(shown, {
      cost: ({ gate_wrong, gate_error_fallbacks, gate_approval_fallbacks }) =>
        gate_wrong + gate_error_fallbacks + gate_approval_fallbacks,
      operation: () => "get_evidence",
    }),
  };
}

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
    state,
    value: missed.length,
    lower: null,
    upper: null,
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
    value: worse?.value ?? null,
    lower: worse?.lower ?? null,
    upper: worse?.upper ?? null,
    message: groups.map(({ cohort, message }) => `${cohort}: ${message}`).join(" "),
    worst: worse?.worst ?? [],
  };
}

const together = (states: readonly TargetState[]): TargetState =>
  states.includes("missed") ? "missed" : states.length > 0 && states.every((one) => one === "met") ? "met" : "unproven";

const requirementReadings = {
  R1: qualityReading,
  R2: correctionReading,
  R3: coverageReading,
  R4: groupsReading,
  R5: teachingReading,
  R6: gateReading,
} as const;
