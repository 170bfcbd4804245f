// What a target is read from, and what a reading says.
import type { BrokenChain } from "./kept-chains.ts";
import type { KeyedTally } from "./kept-scores.ts";
import type { Ratio, Worst } from "./target.ts";

export type ChainCheck = {
  readonly judged: number;
  readonly broken: readonly BrokenChain[];
  /** Every journal was looked at since this server has started. */
  readonly is_whole: boolean;
};

export type Scored = {
  /** Of the weeks shown, and at least of the eight full weeks before this one. */
  readonly tallies: readonly KeyedTally[];
  /** The weeks shown, oldest first; the last one is not over. */
  readonly weeks: readonly string[];
  /** The eight full weeks before this one, oldest first. */
  readonly full_weeks: readonly string[];
  readonly first_weeks: ReadonlyMap<string, string>;
  readonly chains: ChainCheck;
};

/** `shown`: of the weeks shown. */
export type Given = Scored & { readonly shown: readonly KeyedTally[] };

/** What is read of a target, without its wording. */
export type TargetReading = Ratio & { readonly message: string; readonly worst: Worst[] };
