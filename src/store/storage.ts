// Makes what a server keeps in its database: its records, its checkpoints, and the list of what cannot be read.
import type { FindOutputRoute } from "../domain/live-output.ts";
import { createQuarantine, type Quarantine } from "../domain/quarantine.ts";
import type { Clock, Store } from "../ports.ts";
import { PrismaSaver } from "./checkpoint-saver.ts";
import type { Database } from "./database.ts";
import { outputRoutes } from "./read-servers.ts";
import { createShrink } from "./shrink.ts";
import { createStore } from "./store.ts";

type Parts = {
  readonly clock: Clock;
  /** This version, as the author of checkpoints. */
  readonly written_by: string;
  /** Is put between orch and its database. Tests make faults there. */
  readonly storeOn?: ((store: Store) => Store) | undefined;
};

/** What is asked of the threads that a server works on. */
type OpenThreads = {
  readonly hasEnded: (thread_id: string) => boolean;
  readonly isNew: (thread_id: string) => boolean;
  readonly ensureClaimed: (thread_id: string) => Promise<void>;
};

export type Storage = {
  readonly store: Store;
  readonly quarantine: Quarantine;
  readonly checkpointsOf: (threads: OpenThreads) => PrismaSaver;
  /** Makes the file of the database shorter. */
  readonly shrink: (signal?: AbortSignal) => Promise<number>;
  /** Where to read what a task writes that runs on another server. */
  readonly outputRouteOf: FindOutputRoute;
};

export function createStorage(
  { archive_dir }: { readonly archive_dir: string | null },
  database: Database,
  { clock, written_by, storeOn }: Parts,
): Storage {
  const { are_many } = database.servers;
  const quarantine = createQuarantine();
  const store = createStore({ database, clock, archive_dir, onDamaged: quarantine.add });
  return {
    store: storeOn?.(store) ?? store,
    quarantine,
    checkpointsOf: ({ hasEnded: isEnded, isNew, ensureClaimed }) => {
      const ensureMine = (thread_id: string) => ensureClaimed(thread_id).then(() => database.confirmOwned());
      return new PrismaSaver(database, { isEnded, isNew, written_by, ...(are_many && { ensureMine }) });
    },
    shrink: createShrink(database),
    outputRouteOf: outputRoutes(database),
  };
}
