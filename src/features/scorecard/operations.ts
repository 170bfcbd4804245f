// Answers get_scorecard and rebuild_scorecard. The database adds up what was folded, and the rules of src/domain/scorecard
// do the rest. Each call looks through the journals whether they are as they were written, a page at a time.
import { setImmediate as turn } from "node:timers/promises";
import type { HandlersOf, OperationHandler } from "../../api/operations/operation.ts";
import { weeksUntil } from "../../domain/scorecard/arithmetic.ts";
import type { BrokenChain, ChainCheck, KeptChains } from "../../domain/scorecard/kept-scores.ts";
import { debtIn, type RowsBy, repeatedIn, rowsOf, sameStepsIn, standingOf } from "../../domain/scorecard/rows.ts";
import { targetsOf } from "../../domain/scorecard/targets.ts";
import { createRootReader, type KeptRoots } from "../../engine/tasks/anchors-in.ts";
import type { getScorecard, rebuildScorecard, SCORECARD_SHAPES } from "./shapes.ts";

const CATCH_UP_MS = 2_000;
/** The eight full weeks that T6 compares, and this one. */
const COMPARED_WEEKS = 9;
const SHOWN = 100;
const WHOLE = Number.POSITIVE_INFINITY;

const handleGetScorecard: OperationHandler<typeof getScorecard> = (deps) => {
  const rootsOf = createRootReader(deps.store);
  const checkChains = createChainCheck(deps.store);
  return async ({ weeks: count, by, group, ...filters }) => {
    const behind = await deps.scores.catchUp(CATCH_UP_MS);
    const now = deps.clock();
    const weeks = weeksUntil(now, count);
    const compared = weeksUntil(now, COMPARED_WEEKS);
    const wanted = { ...filters, cohort: group };
    const chains = await checkChains();
    const [tallies, first_weeks, versions] = await Promise.all([
      deps.store.readTallies({ from: [weeks, compared].map(([first = ""]) => first).sort()[0] ?? "", ...wanted }),
      deps.store.firstWeeks(),
      deps.store.readVersions(),
    ]);
    const shown = tallies.filter(({ week }) => weeks.includes(week));
    const took = await deps.store.readTook({ from: weeks[0] ?? "", ...wanted }, COLUMN_OF[by]);
    // The times of each group cost as much as all else, so only rows by group have them.
    const of_groups = by === "group" ? took : took.map((one) => ({ ...one, of: null }));
    const groups = rowsOf({ tallies: shown, took: of_groups, weeks, by: "group", limit: WHOLE });
    const rows = rowsOf({ tallies: shown, took, weeks, by, limit: SHOWN });
    return {
      weeks,
      targets: targetsOf({ tallies, weeks, full_weeks: compared.slice(0, -1), first_weeks, chains }),
      groups: groups.rows,
      ...rows,
      debt: debtIn(shown),
      repeated: repeatedIn(shown),
      same_steps: sameStepsIn(versions),
      sops: standingOf(versions),
      anchor: newestOf(await rootsOf()),
      behind,
    };
  };
};

function newestOf({ anchors }: KeptRoots) {
  const last = anchors.at(-1);
  return last === undefined ? null : { day: last.day, threads: last.threads, root: last.root };
}

const COLUMN_OF = {
  week: "week" as const,
  group: "cohort" as const,
  intent: "intent" as const,
  target: "target_signature" as const,
  sop: "sop_id" as const,
} satisfies Record<RowsBy, string>;

const handleRebuildScorecard: OperationHandler<typeof rebuildScorecard> = (deps) => async () => {
  await deps.scores.rebuild();
  return { behind: await deps.scores.catchUp(CATCH_UP_MS) };
};

export const SCORECARD_HANDLERS: HandlersOf<typeof SCORECARD_SHAPES> = {
  get_scorecard: handleGetScorecard,
  rebuild_scorecard: handleRebuildScorecard,
};

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
