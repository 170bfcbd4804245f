// The journal of a thread as the scorecard reads it: also one that cannot be acted on, because its chain is broken or an entry
// cannot be read. Then the row of the task says what the journal would have said of its end.
import { isUnreadable } from "../domain/errors.ts";
import { chain, type JournalEvent, type NewEvent } from "../domain/journal.ts";
import type { Task } from "../domain/task.ts";
import type { Store } from "../ports.ts";

type ScoredJournal = { readonly events: readonly JournalEvent[]; readonly is_whole: boolean };

const WHOLE = { after: 0, limit: 2 ** 31 - 1 };

export async function readScoredJournal(
  store: Pick<Store, "readJournal" | "findTask">,
  thread_id: string,
): Promise<ScoredJournal> {
  const whole = await store.readJournal(thread_id).catch(unlessDamaged);
  if (whole !== null) return { events: whole, is_whole: true };
  const broken = await store.readJournal(thread_id, WHOLE).catch(unlessDamaged);
  if (broken !== null) return { events: broken, is_whole: false };
  const task = await store.findTask(thread_id).catch(unlessDamaged);
  return { events: task === null ? [] : eventsIn(task), is_whole: false };
}

/** Null for a record that cannot be read; any other error is thrown. */
export function unlessDamaged(error: unknown): null {
  if (isUnreadable(error)) return null;
  throw error;
}

/** What the row knows of it. */
function eventsIn({ task_id, contract, contract_digest, outcome, verification, created_at, ended_at }: Task) {
  if (outcome === null || ended_at === null) return [];
  const accepted: NewEvent = { kind: "task_accepted", body: { contract, contract_digest } };
  const later: NewEvent[] = [{ kind: "reported", body: outcome }];
  if (verification !== null) {
    const { verified, source, note } = verification;
    later.push({ kind: "verification_recorded", body: { verified, source, note } });
  }
  const first = chain(task_id, null, [accepted], created_at);
  return [...first, ...chain(task_id, first.at(-1) ?? null, later, ended_at)];
}
