// Figures that `orch eval` computes for every model: latencies, and counts by reason.

export type Latency = { readonly median_ms: number; readonly p95_ms: number; readonly max_ms: number };

/** Null without times. A percentile is a measured time: the smallest that at least this share does not exceed. */
export function latencyOf(times_ms: readonly number[]): Latency | null {
  if (times_ms.length === 0) return null;
  const sorted = times_ms.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { median_ms: at(0.5), p95_ms: at(0.95), max_ms: at(1) };
}

export type Tally = readonly { readonly reason: string; readonly count: number }[];

/** Each reason once, the most frequent first. */
export function tallyOf(reasons: readonly string[]): Tally {
  const groups = Map.groupBy(reasons, (reason) => reason);
  return [...groups].map(([reason, { length: count }]) => ({ reason, count })).toSorted((a, b) => b.count - a.count);
}
