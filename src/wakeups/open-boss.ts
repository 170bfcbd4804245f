// pg-boss as orch uses it: a schema of its own in the database of orch, at most three connections, and the columns of a wakeup.
import { hostname } from "node:os";
import type { PgBoss, SendOptions } from "pg-boss";
import { FIRST_PAUSE_S, LONGEST_PAUSE_S, MOST_TRIES } from "./limits.ts";

export const SCHEMA = "orch_queue";
/** The queue that holds what is due later, for all the others. */
export const LATER = "later";
const NAME = `orch wakeups pid ${process.pid} on ${hostname()}`;

// As every connection of the store: one whose other end is gone is found out within a minute (D-216).
const SERVER_OPTIONS = [
  "tcp_keepalives_idle=30",
  "tcp_keepalives_interval=10",
  "tcp_keepalives_count=3",
  "idle_in_transaction_session_timeout=10s",
  "lock_timeout=8s",
];
const PATIENCE = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 15_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  options: SERVER_OPTIONS.map((setting) => `-c ${setting}`).join(" "),
};

// How long a server that was killed keeps a duty: its heartbeat, and the look for those that have none any more.
const HEARTBEAT_S = 10;
const LOOK_FOR_DEAD_S = 10;
const CLEAN_S = 600;
const NEVER_S = 86_400;

/** Two connections for statements, and one that listens. */
export async function openBoss(connectionString: string): Promise<PgBoss> {
  // Not for a server on SQLite.
  const { PgBoss } = await import("pg-boss");
  return new PgBoss({
    ...PATIENCE,
    ...{ connectionString, schema: SCHEMA, application_name: NAME, max: 2 },
    ...{ useListenNotify: true, schedule: false, registerInstance: false, openTelemetry: { enabled: false } },
    ...{ superviseIntervalSeconds: LOOK_FOR_DEAD_S, monitorIntervalSeconds: LOOK_FOR_DEAD_S },
    ...{ maintenanceIntervalSeconds: CLEAN_S, flowIntervalSeconds: NEVER_S },
  });
}

const TRIES = {
  retryLimit: MOST_TRIES,
  retryDelay: FIRST_PAUSE_S,
  retryBackoff: true,
  retryDelayMax: LONGEST_PAUSE_S,
  heartbeatSeconds: HEARTBEAT_S,
};

export const WAKEUP: SendOptions = { ...TRIES, expireInSeconds: 60, deleteAfterSeconds: 60 };

/** An act that does not end is begun anew after an hour. A done one keeps its period for as long as that lasts. */
export const dutyEvery = (seconds: number): SendOptions => ({
  ...TRIES,
  expireInSeconds: 3_600,
  deleteAfterSeconds: seconds + 60,
});

// How often a server looks by itself. What is new is announced, and a server knows when what it has written is due, or what it has failed
// is tried again: only what a lost server leaves waits for these looks (D-377).
export const LOOKS = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 10, heartbeatRefreshSeconds: 3 };
/** A duty that failed, or that a server has left, is tried again by whichever looks first. */
export const LOOKS_FOR_DUTY = { ...LOOKS, notifyPollingIntervalSeconds: 5 };
export const LOOKS_FOR_LATER = { pollingIntervalSeconds: 5, batchSize: 100, burstWhenBatchFull: true };
/** After the moment by the clock of this process, when it is due by that of the database. */
export const DUE_MARGIN_MS = 50;
