// Which wakeups a server has: those of its own process, or on PostgreSQL those of all servers of the database.
import type { Timer } from "../ports.ts";
import { createMemoryWakeups } from "./memory.ts";
import { createPgBossWakeups } from "./pg-boss.ts";
import type { WakeupLog, Wakeups } from "./port.ts";

type Parts = {
  /** Of this server. */
  readonly labels: readonly string[];
  readonly timer: Timer;
  readonly log: WakeupLog;
};

export const createWakeups = (
  { database_url }: { readonly database_url: string },
  { provider }: { readonly provider: "sqlite" | "postgresql" },
  { labels, timer, log }: Parts,
): Wakeups =>
  provider === "postgresql"
    ? createPgBossWakeups({ database_url, labels, timer, log })
    : createMemoryWakeups({ timer, log });
