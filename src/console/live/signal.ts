// Keeps values outside React that components follow, and what this browser has kept of them.
import { useSyncExternalStore } from "react";

export type SharedValue<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly subscribe: (changed: () => void) => () => void;
};

export function createSignal<T>(first: T): SharedValue<T> {
  let value = first;
  const followers = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const changed of followers) changed();
    },
    subscribe: (changed) => {
      followers.add(changed);
      return () => followers.delete(changed);
    },
  };
}

export const useSignal = <T>({ subscribe, get }: SharedValue<T>): T => useSyncExternalStore(subscribe, get, get);

// What this browser has kept. A text that is no JSON is of nothing that this version has written, and is forgotten.

export function kept(storage: Storage, name: string): unknown {
  const text = storage.getItem(name);
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    storage.removeItem(name);
    return null;
  }
}
