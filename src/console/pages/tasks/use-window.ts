// Which rows of a long list are in view: only they are in the page, in the room that all of them take.
import { type RefObject, useLayoutEffect, useState } from "react";

const AROUND = 12;

type Window = { readonly from: number; readonly to: number };

/** All rows have one height, which the style sheet gives by the width of the page. */
export function useWindow(list: RefObject<HTMLElement | null>, rows: number, height: number): Window {
  const [shown, setShown] = useState<Window>({ from: 0, to: 3 * AROUND });
  useLayoutEffect(() => {
    const look = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const first = Math.floor(-top / height) - AROUND;
      const last = Math.ceil((innerHeight - top) / height) + AROUND;
      const from = Math.max(0, Math.min(rows, first));
      const to = Math.max(from, Math.min(rows, last));
      setShown((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
    };
  }, [list, rows, height]);
  return shown;
}
