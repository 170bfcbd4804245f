// Which pixels of a part have been in view, as spans from its top.

export type Span = readonly [from: number, to: number];

/** Spans that touch become one, in their order. */
export function add(spans: readonly Span[], added: Span): Span[] {
  const apart = spans.filter(([from, to]) => to < added[0] || from > added[1]);
  const joined = spans.filter((span) => !apart.includes(span));
  const whole: Span = [
    Math.min(added[0], ...joined.map(([from]) => from)),
    Math.max(added[1], ...joined.map(([, to]) => to)),
  ];
  return [...apart, whole].toSorted(([a], [b]) => a - b);
}

/** One of them holds all of it. */
export const covers = (spans: readonly Span[], [from, to]: Span): boolean =>
  spans.some(([start, end]) => start <= from && end >= to);
