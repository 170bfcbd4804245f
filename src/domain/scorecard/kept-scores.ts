// What a Store keeps of what is folded from the journal for the scorecard. All of it may be deleted: it is folded again (D-287).
import type { Sop } from "../sop.ts";
import type { Took } from "./arithmetic.ts";
import type { ScoreTally } from "./counts.ts";
import type { SopRun } from "./record.ts";
import type { TaskScore } from "./task-score.ts";

export const TALLY_KEY = [
  ...(["week", "cohort", "intent", "target_signature", "sop_id", "sop_version"] as const),
  ...(["status", "reason_code", "broken_why"] as const),
] as const satisfies readonly (keyof TaskScore)[];

export type KeyedTally = Pick<TaskScore, (typeof TALLY_KEY)[number]> & ScoreTally;

/** From a week on, of the tasks that fit. */
export type Counted = { readonly from: string } & {
  readonly [K in "cohort" | "intent" | "target_signature" | "sop_id"]?: string | undefined;
};

type CountedBy = "week" | "cohort" | "intent" | "target_signature" | "sop_id";

export type ListedVersion = Pick<Sop, "intent" | "target_signature" | "status" | "steps_digest" | "created_at">;

export type ScoreChange =
  /** Replaces the earlier one of the task. */
  | { readonly on: "task_scored"; readonly score: TaskScore }
  | { readonly on: "scores_deleted" }
  /** The duty has done what belongs to the events up to this one. */
  /** `expect`: the cursor that it went on from, where another server may do the same. */
  | { readonly on: "duty_done"; readonly name: string; readonly cursor: number; readonly expect?: number };

export interface KeptScores {
  /** The threads of the events that change a score, after the cursor and in their order. */
  readScoring(after: number, limit: number): Promise<{ readonly cursor: number; readonly thread_id: string }[]>;
  /** Up to which event the duty is done; 0 for one that is not known, or is damaged. */
  findDuty(name: string): Promise<number>;
  /** Null too for one that is damaged. */
  findScore(task_id: string): Promise<TaskScore | null>;
  /** Of one version, newest first, without those that are damaged; on request only those that were verified outside of orch. */
  scoresOfSop(sop_id: string, limit: number, only?: "verified"): Promise<TaskScore[]>;
  /** The same of many versions, so many of each, without a look at checksums: for records that are shown. */
  readRuns(sop_ids: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly SopRun[]>>;
  /** Of candidates and active ones, by columns. */
  readVersions(): Promise<ListedVersion[]>;
  /** Added up by the database, which does not look at checksums. */
  readTallies(counted: Counted): Promise<KeyedTally[]>;
  /** How many tasks of each value took how long. */
  readTook(counted: Counted, by: CountedBy): Promise<(Took & { readonly of: string | null })[]>;
  /** The week in which the first task of each target ended. */
  firstWeeks(): Promise<ReadonlyMap<string, string>>;
}

// What a Store says of its journals: whether each is as it was written.

export type BrokenChain = {
  readonly thread_id: string;
  /** The first entry that is not as it was written, or does not follow; null where the end is missing. */
  readonly seq: number | null;
};

export type JudgedPage = {
  readonly judged: number;
  readonly broken: readonly BrokenChain[];
  /** The thread that the next page follows; null after the last one. */
  readonly last: string | null;
};

export interface KeptChains {
  /** The journals of so many threads, in the order of their ids, after this one. */
  judgeChains(after: string, limit: number): Promise<JudgedPage>;
  /** Of so many tasks that have ended, those whose journal does not say so, though no archive has it. */
  missingEnds(after: string, limit: number): Promise<JudgedPage>;
}

export type ChainCheck = {
  readonly judged: number;
  readonly broken: readonly BrokenChain[];
  /** Every journal was looked at since this server has started. */
  readonly is_whole: boolean;
};
