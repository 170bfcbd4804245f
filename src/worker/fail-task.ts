// Ends a task that orch itself could not continue.
import type { JournalEvent } from "../domain/journal.ts";
import { outcome } from "../domain/outcome.ts";
import type { Clock, Store } from "../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { initial, projection } from "../tasks/projection.ts";
import { end } from "../tasks/transitions.ts";

type Deps = { readonly store: Store; readonly clock: Clock };

/** False when the end could not be written either. */
export async function failTask({ store, clock }: Deps, task_id: string, fault: string): Promise<boolean> {
  const message = `orch could not carry the task on: ${fault}.`;
  const failed = outcome("failed", "internal_error", message, { thread_id: task_id });
  try {
    const journal = await readable(store, task_id);
    const at = clock().toISOString();
    const state = journal === null ? initial() : projection(journal);
    const { procedure } = state;
    const ended = end({ task_id, outcome: failed, at, procedure, withdrawn: withdrawn(state) });
    const after = journal === null ? "last" : (journal.at(-1) ?? null);
    return (await store.commit({ thread_id: task_id, after, ...ended })).ok;
  } catch {
    return false;
  }
}

/** Null for a journal with a damaged row. Its task must end all the same, because it holds its target. */
const readable = (store: Store, task_id: string): Promise<JournalEvent[] | null> =>
  store.readJournal(task_id).catch(() => null);
