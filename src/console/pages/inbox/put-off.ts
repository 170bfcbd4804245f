// What a person has put off: hidden on this device only, never decided. What waits no more is forgotten, and what
// is refused by itself within the hour comes back: no silence may become a refusal unseen.
import { expiresSoon } from "../../../domain/inbox-order.ts";
import type { InboxItem } from "../../../features/approvals/shapes.ts";
import { createSignal, kept, useSignal } from "../../live/signal.ts";
import { useNow } from "../../parts/time.tsx";

const STORED = "orch.put-off";

/** The same question again after another moment is another item. */
export const keyOf = ({ kind, thread_id, approval_id, since }: InboxItem): string =>
  [kind, thread_id, approval_id ?? "", since].join(" ");

const read = (): string[] => {
  const last = kept(localStorage, STORED);
  return Array.isArray(last) ? last.map(String) : [];
};

const putOffKeys = createSignal<ReadonlySet<string>>(new Set(read()));

export const isHidden = (item: InboxItem, keys: ReadonlySet<string>, now_ms: number): boolean =>
  keys.has(keyOf(item)) && !expiresSoon(item, now_ms);

export function usePutOff(items: readonly InboxItem[]) {
  const now_ms = useNow();
  const keys = useSignal(putOffKeys);
  const keep = (next: ReadonlySet<string>) => {
    const waiting = new Set(items.map(keyOf));
    const left = [...next].filter((key) => waiting.has(key));
    localStorage.setItem(STORED, JSON.stringify(left));
    putOffKeys.set(new Set(left));
  };
  return {
    isPutOff: (item: InboxItem) => isHidden(item, keys, now_ms),
    mayPutOff: (item: InboxItem) => !expiresSoon(item, now_ms),
    putOff: (item: InboxItem) => keep(new Set([...keys, keyOf(item)])),
    takeBack: (item: InboxItem) => keep(new Set([...keys].filter((key) => key !== keyOf(item)))),
  };
}
