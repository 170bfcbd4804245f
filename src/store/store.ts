// The Store port on Prisma, for SQLite and PostgreSQL.
import type { Clock, Store } from "../ports.ts";
import { createApprovals } from "./approvals.ts";
import { createCommit } from "./commit.ts";
import type { Database } from "./database.ts";
import { unusable } from "./fault.ts";
import { createJournal } from "./journal.ts";
import { createSops } from "./sops.ts";
import { createTasks } from "./tasks.ts";

/** Rejects with `database_unusable` when the database fails, for example on a full disk; nothing is half done then. */
export function createStore({ database, clock }: { readonly database: Database; readonly clock: Clock }): Store {
  const tasks = createTasks(database);
  const sops = createSops(database);
  const approvals = createApprovals(database);
  const journal = createJournal(database);
  return {
    commit: guarded(createCommit({ database, clock })),
    renewLeases: guarded(tasks.renewLeases),
    readJournal: guarded(journal.readJournal),
    readMessages: guarded(journal.readMessages),
    findTask: guarded(tasks.findTask),
    listTasks: guarded(tasks.listTasks),
    unfinishedTasks: guarded(tasks.unfinishedTasks),
    findSop: guarded(sops.findSop),
    findActiveSop: guarded(sops.findActiveSop),
    listSops: guarded(sops.listSops),
    findApproval: guarded(approvals.findApproval),
    listApprovals: guarded(approvals.listApprovals),
    expiringApprovals: guarded(approvals.expiringApprovals),
  };
}

const guarded =
  <A extends unknown[], R>(operation: (...args: A) => Promise<R>) =>
  async (...args: A): Promise<R> => {
    try {
      return await operation(...args);
    } catch (error) {
      throw unusable(error);
    }
  };
