// Warns once, at start, when the clock of this server and that of the database differ: expiries and schedules go by the one, leases by the other.
import { clockSkew, MOST_SKEW_SECONDS } from "../domain/server.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";

type Deps = {
  readonly store: Pick<Store, "describeServers">;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
};

export async function warnOfSkew({ store, clock, log }: Deps): Promise<void> {
  const before = clock().getTime();
  const cluster = await store.describeServers();
  const ahead_seconds = clockSkew(before, clock().getTime(), cluster);
  if (Math.abs(ahead_seconds) <= MOST_SKEW_SECONDS) return;
  log.warn({ ahead_seconds }, "the clock of this server and that of the database differ: set both by NTP");
}
