// The threads that this server works on, with what is remembered of late results and the traces of the work.
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import { handsOn } from "../traces/hand-on.ts";
import type { Traces } from "../traces/port.ts";
import type { Freezes } from "../worker/freezes.ts";
import { createLateResults } from "../worker/late-results.ts";
import { createThreads } from "../worker/threads.ts";

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: string;
  /** Of this server. */
  readonly name: string;
  readonly freezes: Freezes;
  readonly log: Log;
  readonly traces?: Traces | undefined;
};

export function composeThreads({ name, log, traces = handsOn(), ...parts }: Parts) {
  const { store, owner } = parts;
  const late = createLateResults({ store, owner, name, log });
  return { threads: createThreads({ ...parts, late, traces }), late, traces };
}
