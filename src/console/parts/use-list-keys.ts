// A list that is moved in by j and k, and opened by enter: the rows are links, so the focus is the position.
import { useRef } from "react";
import { useKeys } from "./use-keys.ts";

/** The list has to be given the reference; its rows are the elements with the class list-row. */
export function useListKeys() {
  const list = useRef<HTMLUListElement>(null);
  const move = (by: 1 | -1) => (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(".list-row") ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[at === -1 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))];
    event.preventDefault();
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  useKeys({ j: move(1), k: move(-1), ArrowDown: move(1), ArrowUp: move(-1) });
  return list;
}
