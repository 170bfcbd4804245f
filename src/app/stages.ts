// What a server does before it takes calls, and what it does from then on at set times.
import { clockSkew, MOST_SKEW_SECONDS } from "../domain/server.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import type { compose } from "./compose.ts";
import type { Stage } from "./readiness.ts";

const TIMERS_MS = 30_000;

type Composed = ReturnType<typeof compose>;

type Preparing = Readonly<Record<"preparation" | "webhook", () => Promise<unknown>>> & {
  readonly clock: Clock;
  readonly log: Log;
};

/** In the order of a start. */
export const stagesOf = (orch: Composed, { preparation, webhook, clock, log }: Preparing): Stage[] => [
  { what: "the preparation of this machine", run: preparation },
  { what: "the start of the webhook", run: webhook },
  { what: "the look at the clocks", run: () => warnOfSkew({ ...orch, clock, log }) },
  { what: "the look at what is frozen", run: orch.freezes.look },
  { what: "the recovery of unfinished tasks", run: orch.dispatcher.recover },
  { what: "the recovery of promotions", run: orch.promotions.reconcile },
  { what: "the expiry of approvals", run: orch.expiry.arm },
  { what: "the verification by procedures", run: orch.verifications.arm },
  { what: "the schedules", run: orch.schedules.arm },
];

/** What one server does at a time. */
export function shareDuties(orch: Composed): void {
  orch.shareFold(orch.wakeups);
  orch.wakeups.every("timers", TIMERS_MS, armTimers(orch));
}

/** What was to happen at a time, and whose server has ended meanwhile, happens here. */
const armTimers =
  ({ expiry, verifications, schedules }: Composed) =>
  async (): Promise<void> => {
    await expiry.arm();
    await verifications.arm();
    await schedules.arm();
  };

// Warns once, at start, when the clock of this server and that of the database differ: expiries and schedules go by the one, leases by the other.

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
