// The tasks that are DONE, whose contract sets a time for a check from outside, and whose time is over without one. Read from the
// rows as they are: nothing is written when a task ends (D-308).
import { isInDebt, type UnverifiedTask } from "../domain/verification.ts";
import type { Clock, Store } from "../ports.ts";

const PAGE = 500;
/** How many are read at most: those whose time is not over yet are read too. */
const MOST_READ = 10_000;

type Debt = { readonly tasks: readonly UnverifiedTask[]; readonly more: boolean };
/** `is_long`: more than one page was read. */
type Read = Debt & { readonly is_long: boolean };

type Deps = { readonly store: Pick<Store, "listUnverified" | "findTask">; readonly clock: Clock };

/** Reading thousands of tasks whose time is not over yet is repeated after so long; few are read each time. */
const KEPT_MS = 5_000;

/** The first `most` of those in debt, in the order of their ends. A verification ends a debt at once. */
export function createVerificationDebt(deps: Deps, most: number): () => Promise<Debt> {
  let last: { readonly at: number; readonly read: Promise<Read> } | null = null;
  return async () => {
    const now = deps.clock().getTime();
    const before =
      last !== null && now >= last.at && now - last.at < KEPT_MS ? await last.read.catch(() => null) : null;
    if (before?.is_long) return { ...before, tasks: await unverified(deps, before.tasks) };
    const read = readDebt(deps, most);
    last = { at: now, read };
    return read;
  };
}

async function unverified({ store }: Deps, tasks: readonly UnverifiedTask[]): Promise<readonly UnverifiedTask[]> {
  const now = await Promise.all(tasks.map(({ task_id }) => store.findTask(task_id)));
  return tasks.filter((_, nth) => now[nth]?.verification === null);
}

async function readDebt({ store, clock }: Deps, most: number): Promise<Read> {
  const now = clock();
  const tasks: UnverifiedTask[] = [];
  let after: string | undefined;
  let read = 0;
  for (; read < MOST_READ; read += PAGE) {
    const page = await store.listUnverified({ wants: "verify_within_hours", limit: PAGE, after });
    tasks.push(...page.filter((task) => isInDebt(task, now)));
    after = page.at(-1)?.task_id;
    if (page.length < PAGE) return { tasks: tasks.slice(0, most), more: tasks.length > most, is_long: read > 0 };
    if (tasks.length >= most) break;
  }
  return { tasks: tasks.slice(0, most), more: true, is_long: read > 0 };
}
