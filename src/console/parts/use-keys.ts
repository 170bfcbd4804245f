// Keys of a page. A key that is written into a field, or goes to a dialog or a menu, is not one.
import { useEffect, useRef } from "react";

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
