// The type of a part of the projection for its readers. Only the reducers change the maps and arrays.

type Closed<T> =
  T extends Map<infer K, infer V>
    ? ReadonlyMap<K, V>
    : T extends Set<infer V>
      ? ReadonlySet<V>
      : T extends (infer V)[]
        ? readonly V[]
        : T;

export type ReadOnly<S> = { readonly [K in keyof S]: Closed<S[K]> };
