// Which pixels of a part have been in view, as spans from its top.

export type PixelSpan = readonly [from: number, to: number];

/** Spans that touch become one, in their order. */
export function add(spans: readonly PixelSpan[], added: PixelSpan): PixelSpan[] {
  const apart = spans.filter(([from, to]) => to < added[0] || from > added[1]);
  const joined = spans.filter((span) => !apart.includes(span));
  const whole: PixelSpan = [
    Math.min(added[0], ...joined.map(([from]) => from)),
    Math.max(added[1], ...joined.map(([, to]) => to)),
  ];
  return [...apart, whole].toSorted(([a], [b]) => a - b);
}

/** One of them holds all of it. */
export const covers = (spans: readonly PixelSpan[], [from, to]: PixelSpan): boolean =>
  spans.some(([start, end]) => start <= from && end >= to);
