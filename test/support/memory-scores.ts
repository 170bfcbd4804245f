// What the Store in memory keeps for the scorecard.
import { NOTHING, sum } from "../../src/domain/scorecard/counts.ts";
import { type KeptScores, type KeyedTally, TALLY_KEY } from "../../src/domain/scorecard/kept-scores.ts";
import type { SopRun } from "../../src/domain/scorecard/record.ts";
import type { TaskScore } from "../../src/domain/scorecard/task-score.ts";
import type { Sop } from "../../src/domain/sop.ts";

type Kept = {
  readonly scores: ReadonlyMap<string, TaskScore>;
  readonly duties: ReadonlyMap<string, number>;
  readonly sops: ReadonlyMap<string, Sop>;
  /** The thread of each event that changes a score, in order. */
  readonly scoring: readonly string[];
};

export const memoryScores = (kept: () => Kept): KeptScores => ({
  readScoring: async (after, limit) =>
    kept()
      .scoring.map((thread_id, nth) => ({ cursor: nth + 1, thread_id }))
      .slice(after, after + limit),
  findDuty: async (name) => kept().duties.get(name) ?? 0,
  findScore: async (task_id) => kept().scores.get(task_id) ?? null,
  scoresOfSop: async (sop_id, limit, only) =>
    runsIn(kept(), sop_id)
      .filter(({ external }) => only !== "verified" || external !== null)
      .slice(0, limit),
  readRuns: async (sop_ids, limit) =>
    new Map(sop_ids.map((sop_id) => [sop_id, runsIn(kept(), sop_id).slice(0, limit).map(runOf)])),
  readVersions: async () => [...kept().sops.values()].filter(({ status }) => status !== "deprecated"),
  readTallies: async ({ from, ...wanted }) => {
    const tallies = new Map<string, KeyedTally>();
    for (const score of countedIn(kept(), from, wanted)) {
      const key = Object.fromEntries(TALLY_KEY.map((part) => [part, score[part]])) as KeyedTally;
      const text = JSON.stringify(key);
      tallies.set(text, { ...key, ...sum([tallies.get(text) ?? NOTHING, { ...score, tasks: 1 }]) });
    }
    return [...tallies.values()];
  },
  readTook: async ({ from, ...wanted }, by) => {
    const took = new Map<string, { of: string | null; rank: number; tasks: number }>();
    for (const { [by]: of, took_rank: rank } of countedIn(kept(), from, wanted)) {
      const text = JSON.stringify([of, rank]);
      took.set(text, { of, rank, tasks: (took.get(text)?.tasks ?? 0) + 1 });
    }
    return [...took.values()];
  },
  firstWeeks: async () => {
    const first = new Map<string, string>();
    for (const { target_signature, week } of kept().scores.values()) {
      const known = first.get(target_signature);
      if (known === undefined || week < known) first.set(target_signature, week);
    }
    return first;
  },
});

const runOf = ({ passed, ended_at, done, done_unseen, verified, refuted }: TaskScore): SopRun => ({
  passed,
  ended_at,
  done,
  done_unseen,
  verified,
  refuted,
});

const runsIn = ({ scores }: Kept, sop_id: string): TaskScore[] =>
  [...scores.values()]
    .filter((score) => score.sop_id === sop_id)
    .sort((a, b) => b.ended_at.localeCompare(a.ended_at) || a.task_id.localeCompare(b.task_id));

const countedIn = ({ scores }: Kept, from: string, wanted: object): TaskScore[] =>
  [...scores.values()].filter(
    (score) =>
      score.week >= from &&
      Object.entries(wanted).every(([key, value]) => value === undefined || Reflect.get(score, key) === value),
  );
