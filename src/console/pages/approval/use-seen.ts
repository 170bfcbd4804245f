// Which parts of what would run have been in view from their beginning to their end: a yes is for all of them. A part that is taller
// than the window is seen when every line of it was. What arrives later, such as the output of a preview, is a part of its own.
import { useCallback, useEffect, useRef, useState } from "react";

/** The reference callback of a part, by its name. Another element of the same name has not been seen. */
export type Watch = (part: string) => (element: Element | null) => void;

/** Of the edges of a part that need not be in view, in pixels: its border and padding. */
const EDGE = 24;

type Watched = { readonly part: string; shown: readonly PixelSpan[]; width: number };

/** Of the window above the decision, in pixels. */
export const freeHeight = (): number => document.querySelector(".decision")?.getBoundingClientRect().top ?? innerHeight;

/** Whether all of it has been in view, where this is the bottom of what can be seen. In another width its lines are elsewhere. */
function isSeen(element: Element, watched: Watched, bottom: number): boolean {
  const { top, height } = element.getBoundingClientRect();
  if (innerWidth !== watched.width) watched.shown = [];
  watched.width = innerWidth;
  const [from, to] = [Math.max(0, -top), Math.min(height, bottom - top)];
  if (to > from) watched.shown = add(watched.shown, [from, to]);
  return covers(watched.shown, [Math.min(EDGE, height / 2), height - EDGE]);
}

export function useSeen(): { readonly seen: ReadonlySet<string>; readonly watch: Watch } {
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const parts = useRef(new Map<Element, Watched>());
  const resized = useRef<ResizeObserver>(null);

  useEffect(() => {
    const look = () => {
      const bottom = freeHeight();
      const all = [...parts.current].filter(([element]) => element.isConnected);
      const now = new Set(all.flatMap(([element, part]) => (isSeen(element, part, bottom) ? [part.part] : [])));
      setSeen((before) => (now.size === before.size && [...now].every((part) => before.has(part)) ? before : now));
    };
    const observer = new ResizeObserver(look);
    resized.current = observer;
    for (const element of parts.current.keys()) observer.observe(element);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    look();
    return () => {
      observer.disconnect();
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, []);

  const watch = useCallback<Watch>(
    (part) => (element) => {
      if (element === null || parts.current.has(element)) return;
      parts.current.set(element, { part, shown: [], width: innerWidth });
      resized.current?.observe(element);
    },
    [],
  );
  return { seen, watch };
}

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
