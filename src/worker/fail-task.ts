// Ends a task that orch itself could not continue.
import { outcome } from "../domain/outcome.ts";
import type { Clock, Store } from "../ports.ts";
import { withdrawn } from "../tasks/approval-record.ts";
import { projection } from "../tasks/projection.ts";
import { end } from "../tasks/transitions.ts";

type Deps = { readonly store: Store; readonly clock: Clock };

/** False when the end could not be written either. */
export async function failTask({ store, clock }: Deps, task_id: string, fault: string): Promise<boolean> {
  const message = `orch could not carry the task on: ${fault}.`;
  const failed = outcome("failed", "internal_error", message, { thread_id: task_id });
  try {
    const journal = await store.readJournal(task_id);
    const at = clock().toISOString();
    const state = projection(journal);
    const { procedure } = state;
    const ended = end({ task_id, outcome: failed, at, procedure, withdrawn: withdrawn(state) });
    return (await store.commit({ thread_id: task_id, after: journal.at(-1) ?? null, ...ended })).ok;
  } catch {
    return false;
  }
}
