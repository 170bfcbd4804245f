// Moves the journals of tasks that ended long ago to files (D-373). A bundle is verified, written, flushed and read back, and only then, in one
// commit, its place is recorded and its events are deleted but for the last one. A stop at any moment leaves the journal where it was.
import { setImmediate as turn } from "node:timers/promises";
import type { Change } from "../../domain/change.ts";
import { isUnreadable, wordsOf } from "../../domain/errors.ts";
import type { Archivable, ArchivedTask, ArchiveFile } from "../../domain/task.ts";
import type { Clock, CommitResult, Store } from "../../ports.ts";

type Placed = Omit<ArchivedTask, "last_seq" | "last_hash" | "archived_at">;
type Journal = readonly { readonly seq: number; readonly hash: string }[];

type Deps = {
  readonly store: Pick<Store, "listArchivable" | "listArchiveFiles" | "archivedEnd" | "commit">;
  readonly clock: Clock;
  readonly keep_days: number;
  /** The bundle of a task, and what is wrong with it. */
  readonly verifiedBundle: (
    task_id: string,
  ) => Promise<{ readonly bundle: { readonly journal: Journal }; readonly faults: readonly string[] }>;
  /** Rejects where the archive has less than the database knows. */
  readonly ensureThere: (files: readonly ArchiveFile[]) => Promise<void>;
  readonly append: (
    month: string,
    endOf: (file: string) => Promise<number>,
    bundles: readonly { readonly task_id: string; readonly text: string }[],
  ) => Promise<readonly Placed[]>;
  readonly log: { info(details: object, message: string): void; warn(details: object, message: string): void };
};

const DAY_MS = 86_400_000;
/** DONE without a check from outside is likely to be looked at for so long. */
const UNVERIFIED_DAYS = 30;
const BATCH = 100;
/** Of a commit, for which the submits of others wait. */
const PER_COMMIT = 4;

export function createArchiver(deps: Deps) {
  const { store, clock, keep_days, log } = deps;
  return {
    async look(signal?: AbortSignal): Promise<void> {
      const now = clock().getTime();
      const daysAgo = (days: number) => new Date(now - days * DAY_MS).toISOString();
      const times = { ended_before: daysAgo(keep_days), unverified_since: daysAgo(UNVERIFIED_DAYS) };
      await deps.ensureThere(await store.listArchiveFiles());
      let count = 0;
      for (let after: Archivable | null = null; signal?.aborted !== true; ) {
        const page: Archivable[] = await store.listArchivable({ ...times, limit: BATCH, after });
        const last = page.at(-1);
        if (last === undefined) break;
        for (const [month, tasks] of byMonth(page)) count += await archiveAll(deps, month, tasks);
        after = last;
      }
      if (count > 0) log.info({ tasks: count }, "the journals of tasks were archived");
    },
  };
}

/** In which its tasks have ended. */
const byMonth = (page: readonly Archivable[]): Map<string, Archivable[]> =>
  Map.groupBy(page, ({ ended_at }) => ended_at.slice(0, 7));

type Ready = {
  readonly task_id: string;
  readonly text: string;
  readonly end: { readonly seq: number; readonly hash: string };
};

async function archiveAll(deps: Deps, month: string, tasks: readonly Archivable[]): Promise<number> {
  let ready: Ready[] = [];
  for (const { task_id } of tasks) {
    const one = await prepare(deps, task_id);
    if (one !== null) ready.push(one);
    await turn();
  }
  let count = 0;
  // What was added to a task since its bundle was made is no part of it: the others are written again without it.
  while (ready.length > 0) {
    const { done, changed } = await archiveReady(deps, month, ready);
    count += done;
    ready = ready.slice(done).filter(({ task_id }) => task_id !== changed);
  }
  return count;
}

async function prepare({ verifiedBundle, log }: Deps, task_id: string): Promise<Ready | null> {
  const { bundle, faults } = await verifiedBundle(task_id).catch((error: unknown) => {
    if (!isUnreadable(error)) throw error;
    return { bundle: { journal: [] }, faults: [wordsOf(error)] };
  });
  const end = bundle.journal.at(-1);
  if (faults.length === 0 && end !== undefined) return { task_id, text: `${JSON.stringify(bundle)}\n`, end };
  log.warn({ task_id, faults: faults.slice(0, 3) }, "a task is not archived: its bundle does not hold together");
  return null;
}

/** How many are archived, and the task that has changed meanwhile, which and what follows it are not. */
async function archiveReady({ store, clock, append }: Deps, month: string, ready: readonly Ready[]) {
  const placed = await append(month, store.archivedEnd, ready);
  const archived_at = clock().toISOString();
  const changes = ready.map(({ task_id, end }, nth): Change => {
    const place = placed[nth];
    if (place?.task_id !== task_id) throw new Error("every bundle has its place");
    return { on: "task_archived", archived: { ...place, last_seq: end.seq, last_hash: end.hash, archived_at } };
  });
  for (let done = 0; done < changes.length; done += PER_COMMIT) {
    const part = changes.slice(done, done + PER_COMMIT);
    const result = await store.commit({ thread_id: `archive/${month}`, after: "last", events: [], changes: part });
    if (!result.ok) return { done, changed: changedIn(month, result.conflict) };
    await turn();
  }
  return { done: changes.length, changed: null };
}

function changedIn(month: string, conflict: Extract<CommitResult, { ok: false }>["conflict"]): string {
  if (typeof conflict === "object" && conflict.on === "task_archived") return conflict.archived.task_id;
  throw new Error(`what was written to the archive of ${month} could not be recorded: ${JSON.stringify(conflict)}`);
}
