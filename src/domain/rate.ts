// Limits how often something is done. A bucket for each key holds `amount` turns, is full at first, and refills in `per_ms`.

/** An amount of 0 is no limit. */
export type Rate = { readonly amount: number; readonly per_ms: number };

// A caller can use any number of addresses. Above this many keys, the one unused for longest is dropped.
const MAX_KEYS = 10_000;

/** Takes a turn. Null when there was one, else the whole seconds until the next. */
export function createBuckets({ amount, per_ms }: Rate, clock: () => Date): (key: string) => number | null {
  const turn_ms = per_ms / amount;
  const full_at = new Map<string, number>();
  return (key) => {
    if (amount === 0) return null;
    const now = clock().getTime();
    // Bounded, so that a clock that is set back locks no caller out.
    const missing_ms = Math.min(per_ms, Math.max(0, (full_at.get(key) ?? now) - now));
    const wait_ms = missing_ms + turn_ms - per_ms;
    // Less than that is an error of rounding.
    const refused = wait_ms >= 1;
    // Set anew, because a Map keeps the order of insertion.
    full_at.delete(key);
    const [unused] = full_at.size >= MAX_KEYS ? full_at.keys() : [];
    if (unused !== undefined) full_at.delete(unused);
    full_at.set(key, now + missing_ms + (refused ? 0 : turn_ms));
    return refused ? Math.ceil(wait_ms / 1000) : null;
  };
}
