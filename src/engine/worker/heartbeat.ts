// Renews the leases of this server at intervals. When it could not for so long that another server may take its tasks up, it
// kills its running steps: both would work on one target otherwise (D-232).
import { LEASE_MS } from "../../domain/server.ts";
import type { Servers } from "../../ports.ts";
import type { Dispatcher } from "./dispatcher.ts";

type Deps = {
  /** Rejects when the database does not work, or another server has it. */
  readonly renew: () => Promise<unknown>;
  /** Null where no other server can get the database before this one has ended. */
  readonly lease_ms: number | null;
  readonly every_ms: number;
  /** In milliseconds, on a clock that is never set. */
  readonly now: () => number;
  readonly cutOff: () => void;
  readonly log: { error(details: object, message: string): void };
};

/** The returned function is one beat; it never rejects. A beat that is late is not waited for. */
export function createHeartbeat({ renew, lease_ms, every_ms, now, cutOff, log }: Deps): () => Promise<void> {
  let renewed = now();
  let isCut = false;

  function checkLease(): void {
    const is_over = lease_ms !== null && now() - renewed > lease_ms - every_ms;
    if (is_over && !isCut) {
      log.error(
        {},
        "the leases could not be renewed in time: the running steps are killed, another server may take over",
      );
      cutOff();
    }
    isCut = is_over;
  }

  return async () => {
    checkLease();
    const began = now();
    try {
      await renew();
      renewed = Math.max(renewed, began);
    } catch (error) {
      log.error({ err: error }, "leases were not renewed");
    }
  };
}

// The heartbeat of a server: it says that it lives, and hears at the latest then that it is to drain, or that another one has taken over.

const HEARTBEAT_MS = 10_000;
/** What is killed has five seconds to end. */
const KILL_MS = 7_000;

type Beating = {
  readonly servers: Pick<Servers, "are_many">;
  /** Writes that this server lives; resolves with whether it was asked to drain. */
  readonly beat: () => Promise<boolean>;
  readonly dispatcher: Pick<Dispatcher, "renewLeases">;
  readonly cutOff: () => void;
  /** This server has its tasks for so long. */
  readonly lives: (ms: number) => void;
  readonly onDrain: () => void;
  readonly log: Deps["log"];
  readonly now?: () => number;
};

export function createServerHeartbeat(beating: Beating): () => Promise<void> {
  const { servers, beat, dispatcher, cutOff, lives, onDrain, log, now = monotonic } = beating;
  // A beat that is answered late says nothing about the lease that a later one has renewed.
  let renewed = Number.NEGATIVE_INFINITY;
  return createHeartbeat({
    renew: async () => {
      // The lease runs from some moment after this one, and the answer may come long after it.
      const began = now();
      const drains = await beat();
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
}

const monotonic = (): number => performance.now();

/** Beats until the returned function is called; with several servers also at once. */
export function startHeartbeat(beating: Beating): () => void {
  const beat = createServerHeartbeat(beating);
  const timer = setInterval(() => void beat(), HEARTBEAT_MS).unref();
  if (beating.servers.are_many) void beat();
  return () => clearInterval(timer);
}
