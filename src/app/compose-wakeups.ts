// Which wakeups a server has: those of its own process, or on PostgreSQL those of all servers of the database.
import type { Config } from "../config/config.ts";
import type { Log } from "../log/log.ts";
import type { Timer } from "../ports.ts";
import type { Database } from "../store/database.ts";
import { createMemoryWakeups } from "../wakeups/memory.ts";
import { createPgBossWakeups } from "../wakeups/pg-boss.ts";
import type { Wakeups } from "../wakeups/port.ts";

type Parts = {
  /** Of this server. */
  readonly labels: readonly string[];
  readonly timer: Timer;
  readonly log: Log;
};

export const composeWakeups = (
  { database_url }: Pick<Config, "database_url">,
  { provider }: Pick<Database, "provider">,
  { labels, timer, log }: Parts,
): Wakeups =>
  provider === "postgresql"
    ? createPgBossWakeups({ database_url, labels, timer, log })
    : createMemoryWakeups({ timer, log });
