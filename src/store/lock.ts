// Refuses a second orch server at start (D-047). The operating system or the database server holds the lock for this process
// and releases it when the process ends, even on SIGKILL. A lock can be lost: what fences is the epoch (server-row.ts).
import { OrchError } from "../domain/errors.ts";

export type Lock = {
  /** Identifies what is locked, where a second process can lock it only after the first has ended; else null. */
  readonly identity: string | null;
  /** Takes the lock again when it was lost. Whether it is held; never rejects. */
  readonly check: () => Promise<boolean>;
  readonly release: () => Promise<void>;
};

export const inUse = (holder: string, cause?: unknown): OrchError =>
  new OrchError("database_unusable", `another orch server (${holder}) is using this database`, {
    fix: "stop it first, or give this server its own database",
    holder,
    cause,
  });
