// One orch server per database (D-047). The operating system or the database server holds the lock for this process and
// releases it when the process ends, even on SIGKILL.
import { OrchError } from "../domain/errors.ts";

export type Lock = {
  /** Resolves while the lock is held. Acquires it again after its session was lost, or rejects. */
  readonly ensure: () => Promise<void>;
  readonly release: () => Promise<void>;
};

export const inUse = (holder: string, cause?: unknown): OrchError =>
  new OrchError("database_unusable", `another orch server (${holder}) is using this database`, {
    fix: "stop it first, or give this server its own database",
    cause,
  });
