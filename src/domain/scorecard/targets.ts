// Every target of the service and its state, from the tallies of the weeks [8.target.T1]. The readings are those of D-289.
import type { Scored, TargetReading } from "./reading.ts";
import { CHAIN, readings } from "./readings.ts";
import type { ScoreTarget, TargetId } from "./target.ts";

const WORDINGS: Readonly<Record<TargetId, readonly [wording: string, wanted: string]>> = {
  T1: ["verified success ratio (verified_ok over orchestrator-DONE) at least 95%", "at least 95 %"],
  T2: ["a further count, whose metric is unnamed, must be 0 (read as: broken promises)", "0"],
  T3: ["success ratio of the teach_if_unknown group at least 90%", "at least 90 %"],
  T4: ["delegated tasks over all tasks must not worsen week over week", "not worse than the week before"],
  T5: ["new SOPs over new tasks roughly at least 30% in new areas", "at least 30 %"],
  T6: ["a reduction of at least 20% in a further unnamed measure (read as: questions per task)", "at least 20 % less"],
};

export function targetsOf(scored: Scored): ScoreTarget[] {
  const shown = scored.tallies.filter(({ week }) => scored.weeks.includes(week));
  const isBroken = scored.chains.broken.length > 0 || shown.some(({ broken_why }) => broken_why === CHAIN);
  const held = (reading: TargetReading) => (isBroken ? withoutProof(reading) : reading);
  return entriesOf(readings).map(([id, read]) => named(id, held(read({ ...scored, shown }))));
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
