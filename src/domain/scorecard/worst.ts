// What costs most of a target: the tallies of each procedure, reason or group together, worst first.
import type { KeyedTally } from "./kept-scores.ts";
import type { Worst } from "./target.ts";

const SHOWN = 5;

type Costs = {
  readonly cost: (tally: KeyedTally) => number;
  readonly operation: (tally: KeyedTally) => string;
  /** By procedure where it is not given. */
  readonly about?: (tally: KeyedTally) => string;
};

export function worstOf(tallies: readonly KeyedTally[], { cost, operation, about }: Costs): Worst[] {
  const found = new Map<string, Worst>();
  for (const tally of tallies) {
    const count = cost(tally);
    if (count === 0) continue;
    const { sop_id, sop_version } = about === undefined ? tally : NO_VERSION;
    const name = about?.(tally) ?? procedureOf(tally);
    const key = `${name} ${sop_id}`;
    const before = found.get(key)?.count ?? 0;
    found.set(key, { about: name, sop_id, sop_version, count: before + count, operation: operation(tally) });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || a.about.localeCompare(b.about)).slice(0, SHOWN);
}

const NO_VERSION = { sop_id: null, sop_version: null };

const procedureOf = ({ intent, target_signature, sop_version, cohort }: KeyedTally): string =>
  `${intent} on "${target_signature}"${sop_version === null ? ` (${cohort})` : ` v${sop_version}`}`;
