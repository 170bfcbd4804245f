// The tasks that are DONE, whose contract sets a time for a check from outside, and whose time is over without one. Read from the
// rows as they are: nothing is written when a task ends (D-308).
import { isInDebt, type UnverifiedTask } from "../domain/verification.ts";
import type { Clock, Store } from "../ports.ts";

const PAGE = 500;
/** How many are read at most: those whose time is not over yet are read too. */
const MOST_READ = 10_000;

type Debt = { readonly tasks: readonly UnverifiedTask[]; readonly more: boolean };

/** The first `most` of those in debt, in the order of their ends. */
export async function verificationDebt(
  { store, clock }: { readonly store: Pick<Store, "listUnverified">; readonly clock: Clock },
  most: number,
): Promise<Debt> {
  const now = clock();
  const tasks: UnverifiedTask[] = [];
  let after: string | undefined;
  for (let read = 0; read < MOST_READ; read += PAGE) {
    const page = await store.listUnverified({ wants: "verify_within_hours", limit: PAGE, after });
    tasks.push(...page.filter((task) => isInDebt(task, now)));
    after = page.at(-1)?.task_id;
    if (page.length < PAGE) return { tasks: tasks.slice(0, most), more: tasks.length > most };
    if (tasks.length >= most) break;
  }
  return { tasks: tasks.slice(0, most), more: true };
}
