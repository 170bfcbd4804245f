// A seeded source of choices, so that a run can be repeated.
export type Choices<T> = readonly [T, ...T[]];

export type Random = {
  /** From 0 up to and without `below`. */
  readonly int: (below: number) => number;
  readonly pick: <T>(list: Choices<T>) => T;
  readonly chance: (share: number) => boolean;
};

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick: (list) => list[int(list.length)] ?? list[0],
    chance: (share) => next() < share,
  };
}

/** A variable name; two are rarely the same. */
export const freshName = (random: Random): string => `${random.pick(["v", "w", "q", "_k", "Z"])}${random.int(500)}`;
