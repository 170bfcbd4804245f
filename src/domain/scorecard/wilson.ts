// The Wilson score interval: what a ratio may really be, after few or many trials. One-sided, 95 %.

const Z = 1.645;

function centreAndMargin(good: number, n: number): readonly [centre: number, margin: number] {
  const ratio = good / n;
  const scale = 1 + Z ** 2 / n;
  const centre = (ratio + Z ** 2 / (2 * n)) / scale;
  const margin = (Z / scale) * Math.sqrt((ratio * (1 - ratio)) / n + Z ** 2 / (4 * n ** 2));
  return [centre, margin];
}

/** The ratio is hardly below this. Without a trial it may be anything. */
export function lower(good: number, n: number): number {
  if (n === 0) return 0;
  const [centre, margin] = centreAndMargin(good, n);
  return Math.max(0, centre - margin);
}

/** The ratio is hardly above this. */
export function upper(good: number, n: number): number {
  if (n === 0) return 1;
  const [centre, margin] = centreAndMargin(good, n);
  return Math.min(1, centre + margin);
}
