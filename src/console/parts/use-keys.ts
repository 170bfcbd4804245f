// Keys of a page. A key that is written into a field, or goes to a dialog or a menu, is not one.
import { type RefObject, useEffect, useRef } from "react";

export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** `g i` is i within a second after g. */
const SEQUENCE_MS = 1_000;

export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | null = null;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      const before = first !== null && event.timeStamp - first.at < SEQUENCE_MS ? first.key : "";
      first = { key: event.key, at: event.timeStamp };
      (latest.current[`${before} ${event.key}`] ?? latest.current[event.key])?.(event);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

const isTaken = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest("input,textarea,select,[contenteditable],[role=dialog],[role=menu]") !== null;

// `/` goes to the filter of a list.

/** The field has to be given the reference. */
export function useFilterKey<E extends HTMLInputElement | HTMLSelectElement = HTMLInputElement>(): RefObject<E | null> {
  const field = useRef<E>(null);
  useKeys({
    "/": (event) => {
      event.preventDefault();
      field.current?.focus();
      if (field.current instanceof HTMLInputElement) field.current.select();
    },
  });
  return field;
}

// Lists that are moved in by j and k, and opened by enter: the focus is the position. A row is a link, or it has one.

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
