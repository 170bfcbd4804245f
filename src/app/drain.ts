// What a server does that was asked to drain (D-327): it answers while its running steps end, and then it ends.
import type { Log } from "../log/log.ts";
import type { Readiness } from "./readiness.ts";

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
