// Timers that can be unset together, of any length.
import type { Timer } from "../ports.ts";

/** Returns what unsets it. */
export type Later = (act: () => void, ms: number) => () => void;

/** A timer of the process fires at once when its time is longer. */
const LONGEST_MS = 2 ** 31 - 1;

export function createTimers(timer: Timer) {
  const set = new Set<() => void>();
  const later: Later = (act, ms) => {
    let clear: () => void = () => undefined;
    const unset = () => {
      clear();
      set.delete(unset);
    };
    const wait = (rest: number): void => {
      clear = timer(
        () => {
          if (rest > LONGEST_MS) return wait(rest - LONGEST_MS);
          set.delete(unset);
          act();
        },
        Math.min(rest, LONGEST_MS),
      );
    };
    set.add(unset);
    wait(ms);
    return unset;
  };
  const unsetAll = () => {
    for (const unset of set) unset();
  };
  return { later, count: () => set.size, unsetAll };
}
