// How a server ends, after a signal, a drain, or because another one has taken over.
import type { Config } from "../config/config.ts";
import type { HttpServer } from "../http/server.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Database } from "../store/database.ts";
import type { compose } from "./compose.ts";
import type { Readiness } from "./readiness.ts";

type Ending = {
  readonly readiness: Pick<Readiness, "become">;
  readonly heartbeat: NodeJS.Timeout;
  readonly http: Pick<HttpServer, "stop">;
  readonly orch: Pick<ReturnType<typeof compose>, "stop">;
  readonly judges: Pick<Judges, "close">;
  readonly database: Pick<Database, "close">;
};

export function createEnding({ drain_seconds }: Config, ending: Ending) {
  const { readiness, heartbeat, http, orch, judges, database } = ending;
  let ended: Promise<void> | null = null;
  const end = async (drain_ms: number, last: () => Promise<void> = async () => undefined): Promise<void> => {
    readiness.become("the server stops");
    clearInterval(heartbeat);
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
