// Limits how often a caller may do something: a bucket for each token or address holds `amount` turns, is full at first, and
// refills in `per_ms`.
import type { Clock } from "../ports.ts";
import { type Problem, type ProblemCode, problem } from "./problem.ts";

/** An amount of 0 is no limit. */
export type Rate = { readonly amount: number; readonly per_ms: number };

// A caller can use any number of addresses. Above this many keys, the one unused for longest is dropped.
const MAX_KEYS = 10_000;

/** Takes a turn. Null when there was one, else the whole seconds until the next. */
export function createBuckets({ amount, per_ms }: Rate, clock: Clock): (key: string) => number | null {
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

export type Refusal = { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> };

/** Takes a turn for the key. Null when there was one, else an answer that says when to try again. */
export type Admit = (key: string) => Refusal | null;

/** `limit` is a sentence that says what the limit is and where it is set. */
export function createAdmission(
  { rate, code, limit }: { readonly rate: Rate; readonly code: ProblemCode; readonly limit: string },
  clock: Clock,
): Admit {
  const takeTurn = createBuckets(rate, clock);
  return (key) => {
    const wait = takeTurn(key);
    if (wait === null) return null;
    return { problem: problem(code, `${limit} Try again in ${wait} s.`), headers: { "Retry-After": String(wait) } };
  };
}
