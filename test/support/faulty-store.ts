// Faults between orch and a real database: the next commits that match are lost, as a broken connection loses them. `done`:
// the database has the commit and only the response is lost. `not_done`: nothing was written.
import { OrchError } from "../../src/domain/errors.ts";
import type { Commit, CommitResult, Store } from "../../src/ports.ts";

type Fault = "done" | "not_done";
type Order = { readonly matches: (commit: Commit) => boolean; readonly fault: Fault; left: number };

export type FaultyStore = ReturnType<typeof faultyStore>;

/** The events of a commit by their kinds, and what it reports, as in `step_finished reported:ok`. */
const wordsOf = ({ events }: Commit): string =>
  events.map(({ kind, body }) => (kind === "reported" ? `reported:${body.status}` : kind)).join(" ");

export function faultyStore() {
  const orders: Order[] = [];
  const lost: string[] = [];
  let isAway = false;

  const unusable = () => new OrchError("database_unusable", "the database did not do what was asked: connection lost");
  const commit =
    (real: Store["commit"]) =>
    async (given: Commit): Promise<CommitResult> => {
      const order = orders.find(({ left, matches }) => left > 0 && matches(given));
      if (isAway) throw unusable();
      if (order === undefined) return real(given);
      order.left -= 1;
      if (order.fault === "done") await real(given);
      lost.push(`${given.thread_id} ${wordsOf(given)}`);
      throw unusable();
    };
  return {
    storeOn: (store: Store): Store => ({
      ...store,
      commit: commit(store.commit),
      renewLeases: (...given) => (isAway ? Promise.reject(unusable()) : store.renewLeases(...given)),
    }),
    /** Loses the next commit of this thread that contains these words. */
    lose: (thread_id: string, words: string, fault: Fault = "done", left = 1): void => {
      orders.push({
        matches: (given) => given.thread_id.startsWith(thread_id) && wordsOf(given).includes(words),
        fault,
        left,
      });
    },
    /** Nothing can be written until it is back. */
    setAway: (away: boolean): void => {
      isAway = away;
    },
    /** The commits that were lost. */
    lost,
  };
}
