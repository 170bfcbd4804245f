// What a person has put off: hidden on this device only, never decided. What waits no more is forgotten.
import { useState } from "react";
import type { InboxItem } from "../../../operations/shapes/inbox.ts";

const STORED = "orch.put-off";

/** The same question again after another moment is another item. */
export const keyOf = ({ kind, thread_id, approval_id, since }: InboxItem): string =>
  [kind, thread_id, approval_id ?? "", since].join(" ");

const read = (): string[] => {
  const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
  return Array.isArray(found) ? found.map(String) : [];
};

export function usePutOff(items: readonly InboxItem[]) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => new Set(read()));
  const keep = (next: ReadonlySet<string>) => {
    const waiting = new Set(items.map(keyOf));
    const kept = [...next].filter((key) => waiting.has(key));
    localStorage.setItem(STORED, JSON.stringify(kept));
    setKeys(new Set(kept));
  };
  return {
    isPutOff: (item: InboxItem) => keys.has(keyOf(item)),
    putOff: (item: InboxItem) => keep(new Set([...keys, keyOf(item)])),
    takeBack: (item: InboxItem) => keep(new Set([...keys].filter((key) => key !== keyOf(item)))),
  };
}
