// Lists that are moved in by j and k, and opened by enter: the focus is the position. A row is a link, or it has one.
import { type RefObject, useRef } from "react";
import { useKeys } from "./use-keys.ts";

const ROWS = ".list-row, [data-row]";
const OPENS = "a, summary, button";

/** What has the lists has to be given the reference; j in the last row of one goes on in the next. */
export function useListKeys<E extends HTMLElement = HTMLUListElement>(): RefObject<E | null> {
  const lists = useRef<E>(null);
  // What is folded away cannot be moved to.
  const rows = () =>
    [...(lists.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])].filter((row) => row.checkVisibility());
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    const all = rows();
    const at = all.findIndex((row) => row.contains(document.activeElement));
    const next = all[at === -1 ? 0 : Math.max(0, Math.min(all.length - 1, at + by))];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
    next.scrollIntoView({ block: "nearest" });
  };
  const open = () => {
    const row = rows().find((one) => one === document.activeElement);
    if (row !== undefined && !row.matches(OPENS)) row.querySelector<HTMLElement>(OPENS)?.click();
  };
  useKeys({ j: move(1), k: move(-1), ArrowDown: move(1), ArrowUp: move(-1), Enter: open });
  return lists;
}

/** For a row that is no link itself. */
export const ROW = { "data-row": "", tabIndex: -1 } as const;
