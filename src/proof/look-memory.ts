// Remembers what is kept of checks, so that a known check costs no query. A look is never changed, only replaced by a later one.
import type { CheckLook } from "../domain/proof.ts";
import type { Store } from "../ports.ts";

type LookStore = Pick<Store, "findCheckLook" | "commit">;

const MAX_LOOKS = 2_048;

const keyOf = ({ kind, digest }: Pick<CheckLook, "kind" | "digest">): string => `${kind} ${digest}`;

/** What another process of the same database keeps later is not seen until it is asked for here the first time. */
export function withMemory(store: LookStore): LookStore {
  const known = new Map<string, CheckLook>();
  const remember = (look: CheckLook): void => {
    const key = keyOf(look);
    known.delete(key);
    known.set(key, look);
    const [oldest] = known.keys();
    if (known.size > MAX_LOOKS && oldest !== undefined) known.delete(oldest);
  };
  return {
    findCheckLook: async (kind, digest) => {
      const found = known.get(keyOf({ kind, digest })) ?? (await store.findCheckLook(kind, digest));
      if (found !== null) remember(found);
      return found;
    },
    commit: async (given) => {
      const committed = await store.commit(given);
      const changes = committed.ok ? (given.changes ?? []) : [];
      for (const change of changes) if (change.on === "check_look") remember(change.look);
      return committed;
    },
  };
}
