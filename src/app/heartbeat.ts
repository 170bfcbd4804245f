// Says that this server lives, and hears at the latest then that it is to drain, or that another one has taken over.
import type { Log } from "../log/log.ts";
import type { Database } from "../store/database.ts";
import { LEASE_MS } from "../store/peers.ts";
import { createHeartbeat } from "../worker/heartbeat.ts";
import type { compose } from "./compose.ts";

export const HEARTBEAT_MS = 10_000;
/** What is killed has five seconds to end. */
const KILL_MS = 7_000;

type Beating = Pick<ReturnType<typeof compose>, "dispatcher" | "cutOff" | "lives">;

export const heartbeatOf = (
  { heartbeat, servers }: Database,
  { dispatcher, cutOff, lives }: Beating,
  { log, onDrain, now = monotonic }: { readonly log: Log; readonly onDrain: () => void; readonly now?: () => number },
) => {
  // A beat that is answered late says nothing about the lease that a later one has renewed.
  let renewed = Number.NEGATIVE_INFINITY;
  return createHeartbeat({
    renew: async () => {
      // The lease runs from some moment after this one, and the answer may come long after it.
      const began = now();
      const drains = await heartbeat();
      renewed = Math.max(renewed, began);
      if (servers.are_many) lives(Math.max(0, renewed + LEASE_MS - KILL_MS - now()));
      if (drains) onDrain();
      await dispatcher.renewLeases();
    },
    // The lock of a file ends with the process that holds it.
    lease_ms: servers.are_many ? LEASE_MS : null,
    every_ms: HEARTBEAT_MS,
    now,
    cutOff,
    log,
  });
};

const monotonic = (): number => performance.now();
