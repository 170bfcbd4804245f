// Looks through the journals of all threads whether each is as it was written, a page at a time, and says how far that is.
import { setImmediate as turn } from "node:timers/promises";
import type { BrokenChain, ChainCheck, KeptChains } from "../../domain/scorecard/kept-scores.ts";

type Store = Pick<KeptChains, "judgeChains" | "missingEnds">;

const PAGE = 50;
/** A call waits so long at most. What is left is looked at meanwhile, for the next call. */
const PATIENCE_MS = 1_000;
/** A look through a large database is followed by a pause of so many times as long. */
const PAUSE_PER_LOOK = 10;

/** A row may be changed at any time, so each call begins a new look, unless a long one has just ended. */
export function createChainCheck(store: Store, now: () => number = () => performance.now()) {
  let ended: ChainCheck = { judged: 0, broken: [], is_whole: false };
  let running: Promise<void> | null = null;
  let seen: { judged: number; broken: BrokenChain[] } = { judged: 0, broken: [] };
  let due_at = 0;

  const lookThrough = async (): Promise<void> => {
    const began = now();
    seen = { judged: 0, broken: [] };
    for (const read of [store.judgeChains, store.missingEnds]) {
      for (let after: string | null = ""; after !== null; await turn()) {
        const page = await read(after, PAGE);
        if (read === store.judgeChains) seen.judged += page.judged;
        seen.broken.push(...page.broken);
        after = page.last;
      }
    }
    ended = { ...seen, is_whole: true };
    const took = now() - began;
    due_at = took > PATIENCE_MS ? now() + took * PAUSE_PER_LOOK : 0;
  };

  return async (): Promise<ChainCheck> => {
    if (running === null && now() >= due_at) {
      // A database that cannot be read now says nothing of its journals.
      running = lookThrough()
        .catch(() => undefined)
        .finally(() => {
          running = null;
        });
    }
    const patience = AbortSignal.timeout(PATIENCE_MS);
    await Promise.race([running, new Promise((resolve) => patience.addEventListener("abort", resolve))]);
    if (running === null) return ended;
    const { judged } = ended.is_whole ? ended : seen;
    return { judged, broken: withSeen(ended.broken, seen.broken), is_whole: ended.is_whole };
  };
}

const withSeen = (before: readonly BrokenChain[], now: readonly BrokenChain[]): BrokenChain[] => [
  ...new Map([...before, ...now].map((chain) => [chain.thread_id, chain])).values(),
];
