// What of the scorecard can be worked off: what was never looked at from outside, what had to be taught again, what repeats itself.
import { READ_ONLY_INTENTS } from "../contract.ts";
import { sum } from "./counts.ts";
import type { KeyedTally, ListedVersion } from "./kept-scores.ts";

const SHOWN = 20;
/** Fewer may be chance. */
const SAME_UNDER = 3;

const keyOf = ({ intent, target_signature }: Pick<KeyedTally, "intent" | "target_signature">): string =>
  `${intent}|${target_signature}`;

/** What has changed something. The answer of a task that only looks is what it saw, and orch submits many of them by itself. */
const claiming = (tallies: readonly KeyedTally[]): readonly KeyedTally[] =>
  tallies.filter(({ intent }) => !READ_ONLY_INTENTS.has(intent));

/** The same, and diagnostic DONE that something outside has judged, which is true or false like the rest. */
export const judgeable = (tallies: readonly KeyedTally[]): readonly KeyedTally[] =>
  tallies.map((tally) => {
    if (!READ_ONLY_INTENTS.has(tally.intent)) return tally;
    const judged = tally.verified + tally.refuted;
    return { ...tally, tasks: judged, done: judged, done_unseen: Math.min(tally.done_unseen, judged) };
  });

/** As a sentence; empty where nothing is left out. */
export function leftOutOf(tallies: readonly KeyedTally[]): string {
  const left = sum(tallies).done - sum(judgeable(tallies)).done;
  return left === 0 ? "" : ` Left out: ${left} DONE of diagnostic intents that nothing outside has judged.`;
}

export function debtIn(tallies: readonly KeyedTally[]) {
  const unseen = claiming(tallies).filter(({ done, verified, refuted }) => done > verified + refuted);
  return [...Map.groupBy(unseen, (tally) => `${tally.sop_id} ${keyOf(tally)}`).values()]
    .flatMap((of_one) => {
      const { done, verified, refuted } = sum(of_one);
      const [oldest] = [...of_one].sort((a, b) => a.week.localeCompare(b.week));
      if (oldest === undefined) return [];
      const about = `${keyOf(oldest)}${oldest.sop_version === null ? "" : ` v${oldest.sop_version}`}`;
      const { sop_id, week: oldest_week } = oldest;
      return [{ about, sop_id, unverified: done - verified - refuted, oldest_week }];
    })
    .sort((a, b) => b.unverified - a.unverified || a.oldest_week.localeCompare(b.oldest_week))
    .slice(0, SHOWN);
}

/** Keys that were taught more than once, or whose version was rejected. */
export function repeatedIn(tallies: readonly KeyedTally[]) {
  return [...Map.groupBy(tallies, keyOf)]
    .map(([about, of_key]) => ({ about, ...sum(of_key) }))
    .filter(({ taught, turned_down }) => taught > 1 || (taught > 0 && turned_down > 0))
    .map(({ about, taught, turned_down }) => ({ about, taught, turned_down }))
    .sort((a, b) => b.taught - a.taught || b.turned_down - a.turned_down)
    .slice(0, SHOWN);
}

/** The same steps under several targets hint that an attribute of the target is missing in them. */
export function sameStepsIn(versions: readonly ListedVersion[]) {
  const active = versions.filter(({ status }) => status === "active");
  return [...Map.groupBy(active, ({ intent, steps_digest }) => `${intent} ${steps_digest}`).values()]
    .filter((same) => same.length >= SAME_UNDER)
    .map((same) => ({
      intent: same[0]?.intent ?? "",
      targets: same.map(({ target_signature }) => target_signature).sort(),
    }))
    .sort((a, b) => b.targets.length - a.targets.length)
    .slice(0, SHOWN);
}

export function standingOf(versions: readonly ListedVersion[]) {
  const candidates = versions.filter(({ status }) => status === "candidate").map(({ created_at }) => created_at);
  return {
    active: versions.filter(({ status }) => status === "active").length,
    candidates: candidates.length,
    oldest_candidate_at: candidates.sort()[0] ?? null,
  };
}
