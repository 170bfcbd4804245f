// How many parts of what would run have been in view: a yes is for all of them.
import { useCallback, useEffect, useRef, useState } from "react";

/** The reference callback of a part, by its number. */
export type Watch = (index: number) => (element: Element | null) => void;

/** The part of an element that has to be seen, or of the window where the element is taller. */
const ENOUGH = 0.5;

export function useSeen(digest: string): { readonly seen: number; readonly watch: Watch } {
  const [seen, setSeen] = useState<ReadonlySet<number>>(new Set());
  const numbers = useRef(new Map<Element, number>());
  const observer = useRef<IntersectionObserver | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another digest is another content, of which nothing was seen
  useEffect(() => {
    const found = new IntersectionObserver(
      (entries) => {
        const shown = entries.filter(isSeen).flatMap(({ target }) => numbers.current.get(target) ?? []);
        if (shown.length > 0) setSeen((before) => new Set([...before, ...shown]));
      },
      { threshold: [0, 0.1, 0.25, ENOUGH, 0.75, 1] },
    );
    observer.current = found;
    for (const element of numbers.current.keys()) found.observe(element);
    return () => found.disconnect();
  }, [digest]);

  const watch = useCallback<Watch>(
    (index) => (element) => {
      if (element === null || numbers.current.has(element)) return;
      numbers.current.set(element, index);
      observer.current?.observe(element);
    },
    [],
  );
  return { seen: seen.size, watch };
}

const isSeen = ({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  intersectionRatio >= ENOUGH || intersectionRect.height >= (rootBounds?.height ?? Number.POSITIVE_INFINITY) * ENOUGH;
