// How many parts of what would run have been in view from their beginning to their end: a yes is for all of them. A part that is
// taller than the window is seen when every line of it was.
import { useCallback, useEffect, useRef, useState } from "react";
import { add, covers, type PixelSpan } from "./spans.ts";

/** The reference callback of a part, by its number. */
export type Watch = (index: number) => (element: Element | null) => void;

/** Of the edges of a part that need not be in view, in pixels: its border and padding. */
const EDGE = 24;

/** Of the window above the decision, in pixels. */
export const freeHeight = (): number => document.querySelector(".decision")?.getBoundingClientRect().top ?? innerHeight;

export function useSeen(digest: string): { readonly seen: number; readonly watch: Watch } {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const parts = useRef(new Map<Element, { readonly index: number; shown: readonly PixelSpan[] }>());

  // biome-ignore lint/correctness/useExhaustiveDependencies: another digest is another content, of which nothing was seen
  useEffect(() => {
    const look = () => {
      const bottom = freeHeight();
      const shown: number[] = [];
      for (const [element, part] of parts.current) {
        const { top, height } = element.getBoundingClientRect();
        const [from, to] = [Math.max(0, -top), Math.min(height, bottom - top)];
        if (to > from) part.shown = add(part.shown, [from, to]);
        if (covers(part.shown, [EDGE, height - EDGE])) shown.push(part.index);
      }
      setSeen((before) => (shown.every((index) => before.has(index)) ? before : new Set([...before, ...shown])));
    };
    const resized = new ResizeObserver(look);
    for (const element of parts.current.keys()) resized.observe(element);
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    look();
    return () => {
      resized.disconnect();
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [digest]);

  const watch = useCallback<Watch>(
    (index) => (element) => {
      if (element !== null && !parts.current.has(element)) parts.current.set(element, { index, shown: [] });
    },
    [],
  );
  return { seen: seen.size, watch };
}
