// Defines a fold of the journal: the part of a task's state that one subject makes of its events.
import type { JournalEvent } from "../../domain/journal.ts";

export type Fold<S> = {
  readonly initial: () => S;
  /** Changes the state in place, so that the cost of an event does not grow with the length of the journal. */
  readonly evolve: (state: S, event: JournalEvent) => void;
};

type Closed<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, V>
    : T extends Set<infer V>
      ? ReadonlySet<V>
      : T extends (infer V)[]
        ? readonly V[]
        : T;

/** The state for its readers. Only the fold changes the maps and arrays. */
export type ReadOnly<S> = { readonly [K in keyof S]: Closed<S[K]> };
