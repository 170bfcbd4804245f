// What a ratio of few cases can show: Wilson's bounds, each one-sided at 95 %. One success of one is no proof.

export const Z = 1.645;

export type Bounds = { readonly lower: number; readonly upper: number };

/** Between the two lies the true ratio, as far as `good` of `all` shows it. Without cases, anywhere. */
export function wilson(good: number, all: number): Bounds {
  if (all === 0) return { lower: 0, upper: 1 };
  const ratio = good / all;
  const weight = Z ** 2 / all;
  const middle = ratio + weight / 2;
  const spread = Z * Math.sqrt((ratio * (1 - ratio)) / all + weight / (4 * all));
  return {
    lower: Math.max(0, (middle - spread) / (1 + weight)),
    upper: Math.min(1, (middle + spread) / (1 + weight)),
  };
}
