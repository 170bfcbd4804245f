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
  { log, onDrain }: { readonly log: Log; readonly onDrain: () => void },
) =>
  createHeartbeat({
    renew: async () => {
      if (await heartbeat()) onDrain();
      if (servers.are_many) lives(LEASE_MS - KILL_MS);
      await dispatcher.renewLeases();
    },
    // The lock of a file ends with the process that holds it.
    lease_ms: servers.are_many ? LEASE_MS : null,
    every_ms: HEARTBEAT_MS,
    now: () => performance.now(),
    cutOff,
    log,
  });
