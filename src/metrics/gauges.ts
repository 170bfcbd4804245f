// What is read from the database when the metrics are asked for. The bounds of procedures cost a look at all scores, and are read
// again after minutes only.
import { sum } from "../domain/scorecard/counts.ts";
import type { KeyedTally } from "../domain/scorecard/kept-scores.ts";
import { weeksUntil } from "../domain/scorecard/week.ts";
import { wilson } from "../domain/scorecard/wilson.ts";
import type { Clock, Store } from "../ports.ts";

export type GaugeStore = Pick<Store, "listTaskColumns" | "listApprovals" | "readTallies">;

type Deps = { readonly store: GaugeStore; readonly clock: Clock; readonly behind: () => Promise<number> };

type SopBound = {
  readonly intent: string;
  readonly target: string;
  readonly version: string;
  readonly lower: number;
};

const MOST_QUEUED = 10_000;
const MOST_PENDING = 500;
/** Series are dear: those with the lowest bound are those to look at. */
const MOST_SOPS = 200;
const MAX_LABEL = 200;
const BOUNDS_MS = 300_000;
const WEEKS = 13;

export function readGauges({ store, clock, behind }: Deps) {
  let bounds: { readonly at: number; readonly found: Promise<SopBound[]> } | null = null;
  const boundsNow = (): Promise<SopBound[]> => {
    const at = clock().getTime();
    if (bounds !== null && at - bounds.at < BOUNDS_MS) return bounds.found;
    const found = store.readTallies({ from: weeksUntil(clock(), WEEKS)[0] ?? "" }).then(boundsIn);
    bounds = { at, found };
    // The next look asks again.
    found.catch(() => {
      bounds = null;
    });
    return found;
  };
  return async () => {
    const [queued, pending, left, found] = await Promise.all([
      store.listTaskColumns({ status: ["accepted"], limit: MOST_QUEUED }),
      store.listApprovals({ status: "pending", limit: MOST_PENDING }),
      behind(),
      boundsNow(),
    ]);
    const [oldest] = pending;
    const waited = oldest === undefined ? 0 : clock().getTime() - Date.parse(oldest.created_at);
    return { queue: queued.length, pending: pending.length, oldest: waited / 1000, behind: left, bounds: found };
  };
}

function boundsIn(tallies: readonly KeyedTally[]): SopBound[] {
  const of_versions = tallies.filter(({ sop_id }) => sop_id !== null);
  return [...Map.groupBy(of_versions, ({ sop_id }) => sop_id).values()]
    .flatMap((of_one) => {
      const [one] = of_one;
      const { done, verified, refuted } = sum(of_one);
      if (one === undefined || done === 0) return [];
      const { lower } = wilson(verified, verified + refuted);
      const target = one.target_signature.slice(0, MAX_LABEL).toWellFormed();
      return [{ intent: one.intent, target, version: String(one.sop_version), lower }];
    })
    .sort((a, b) => a.lower - b.lower)
    .slice(0, MOST_SOPS);
}
