// What follows when an error of orch cuts a task off: it is recovered from its journal, and given up only after several
// attempts without progress (D-015), or at once where a record cannot be read. A database that does not work is waited for (D-225).

import { isQuarantined, OrchError } from "../domain/errors.ts";
import type { Clock, Store } from "../ports.ts";
import { isProgress } from "../tasks/projection/crashes.ts";
import { type GivenUp, giveUp } from "./give-up.ts";

type Deps = {
  readonly store: Store;
  readonly clock: Clock;
  /** Resolves once the database works again. */
  readonly usable: () => Promise<void>;
};

/** Attempts since the last progress. One object for as long as the task is held; `afterCutOff` keeps it up to date. */
export type Attempts = { count: number; progress: number };

type CutOff = { readonly task_id: string; readonly attempts: Attempts; readonly error: unknown };

export type AfterCutOff = { readonly is: "again"; readonly in_ms: number } | GivenUp;

const RETRY_MS = [1_000, 5_000, 30_000];
const LAST_RETRY_MS = 30_000;
/** A second apart. */
const DATABASE_ATTEMPTS = 30;

export async function afterCutOff(deps: Deps, { task_id, attempts, error }: CutOff): Promise<AfterCutOff> {
  const known = error instanceof OrchError ? error : null;
  const by_database = known?.code === "database_unusable";
  if (by_database) await deps.usable();
  const progress = await progressOf(deps.store, task_id);
  if (progress > attempts.progress) Object.assign(attempts, { count: 0, progress });
  const most = by_database ? DATABASE_ATTEMPTS : RETRY_MS.length;
  if (attempts.count >= most || isQuarantined(error)) {
    const given_up = await giveUp(deps, task_id, faultOf(error));
    if (given_up !== null) return given_up;
  }
  const in_ms = by_database ? 0 : (RETRY_MS[attempts.count] ?? LAST_RETRY_MS);
  attempts.count += 1;
  return { is: "again", in_ms };
}

/** For readers of the task: what an unexpected error says is in the log only. */
export const faultOf = (error: unknown): string =>
  error instanceof OrchError ? error.message : "an unexpected error, see the log";

const progressOf = (store: Store, task_id: string): Promise<number> =>
  store.readJournal(task_id).then(
    (journal) => journal.filter(isProgress).length,
    () => 0,
  );
