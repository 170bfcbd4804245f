// Ends a server: after a signal, a drain, or because another one has taken over.
import type { Log } from "../log/log.ts";
import type { Readiness } from "./stages.ts";

type Closes = { readonly close: () => Promise<void> };

type Ending = {
  readonly readiness: Pick<Readiness, "become">;
  readonly stopHeartbeat: () => void;
  readonly http: { readonly stop: () => Promise<void> };
  readonly orch: { readonly stop: (drain_ms: number) => Promise<void> };
  readonly judges: Closes;
  readonly database: Closes;
};

export function createEnding({ drain_seconds }: { readonly drain_seconds: number }, ending: Ending) {
  const { readiness, stopHeartbeat, http, orch, judges, database } = ending;
  let ended: Promise<void> | null = null;
  const end = async (drain_ms: number, last: () => Promise<void> = async () => undefined): Promise<void> => {
    readiness.become("the server stops");
    stopHeartbeat();
    // Both at once: a slow client must not let another step start.
    await Promise.all([http.stop(), orch.stop(drain_ms)]);
    await last();
    await judges.close();
    await database.close();
  };
  const stop = (): Promise<void> => {
    ended ??= end(drain_seconds * 1000);
    return ended;
  };
  /** `end` waits for running steps for `drain_ms`; `last` is done before the database is closed. `stop` waits as is configured; a second call waits for the first. */
  return { end, stop };
}

// What a server does that was asked to drain (D-327): it answers while its running steps end, and then it ends.

type Draining = {
  /** Resolves when this server was asked. */
  readonly asked: Promise<void>;
  readonly readiness: Pick<Readiness, "leave">;
  /** Resolves when nothing runs here any more. */
  readonly leave: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly log: Pick<Log, "info">;
};

/** Resolves when the server has ended. */
export async function drainWhenAsked({ asked, readiness, leave, stop, log }: Draining): Promise<void> {
  await asked;
  log.info({}, "this server was asked to drain: it claims nothing more, and ends after its running steps");
  readiness.leave("The server drains: it claims nothing more, and ends after its running steps.");
  await leave();
  await stop();
}
