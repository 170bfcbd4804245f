// Chance with a seed: the same seed gives the same plans and the same order of faults. When a fault hits is up to the machine.

export type Random = {
  /** From 0 to below 1. */
  readonly next: () => number;
  /** A whole number, both ends included. */
  readonly between: (least: number, most: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly [T, ...T[]]) => T;
  readonly shuffled: <T>(from: readonly T[]) => T[];
  /** A source of its own, so that lanes do not disturb one another. */
  readonly fork: () => Random;
};

/** The generator "mulberry32". */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
    shuffled: (from) =>
      from
        .map((value) => ({ value, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ value }) => value),
    fork: () => createRandom(between(0, 2 ** 31)),
  };
}
