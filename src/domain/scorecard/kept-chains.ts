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
