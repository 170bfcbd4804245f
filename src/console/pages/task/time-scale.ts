// A scale of time in which a long wait takes little room: hours of waiting for a person beside seconds of work would leave nothing of
// the work to be seen.
import type { LaneSpan } from "./run-of.ts";

export type TimeScale = {
  /** From 0 to 1. */
  readonly at: (ms: number) => number;
  /** The places where time is left out. */
  readonly breaks: readonly number[];
  readonly from: number;
  readonly to: number;
};

/** What no step and no model works in. */
const IDLE_SHARE = 0.35;
const LEAST_MS = 1_000;

export function timeScale(spans: readonly LaneSpan[], now_ms: number): TimeScale {
  const endOf = ({ to }: LaneSpan) => to ?? now_ms;
  const from = Math.min(...spans.map((span) => span.from), now_ms);
  const to = Math.max(...spans.map(endOf), from + 1);
  const marks = [...new Set([from, to, ...spans.flatMap((span) => [span.from, endOf(span)])])].sort((a, b) => a - b);
  const busy = spans.filter(({ lane }) => lane === "steps" || lane === "model");
  const parts = marks.slice(1).map((end, at) => {
    const begin = marks[at] ?? from;
    return {
      begin,
      end,
      is_busy: busy.some((span) => span.from <= begin && endOf(span) >= end && endOf(span) > span.from),
    };
  });
  const worked = parts.reduce((sum, { begin, end, is_busy }) => sum + (is_busy ? end - begin : 0), 0);
  const most = Math.max(LEAST_MS, worked * IDLE_SHARE);
  let shown = 0;
  const drawn = parts.map((part) => {
    const length = part.end - part.begin;
    const width = part.is_busy ? length : Math.min(length, most);
    const start = shown;
    shown += width;
    return { ...part, start, width, is_cut: width < length };
  });
  const at = (ms: number): number => {
    const part = drawn.find(({ end }) => ms <= end) ?? drawn.at(-1);
    if (part === undefined || shown === 0) return 0;
    const share = part.end === part.begin ? 0 : (Math.max(ms, part.begin) - part.begin) / (part.end - part.begin);
    return (part.start + share * part.width) / shown;
  };
  const breaks = drawn.filter(({ is_cut }) => is_cut).map(({ start, width }) => (start + width / 2) / shown);
  return { at, breaks, from, to };
}
