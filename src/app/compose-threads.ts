// The threads that this server works on, with what is remembered of late results and the traces of the work.
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import { findTracer } from "../traces/find-tracer.ts";
import { createTraces } from "../traces/traces.ts";
import type { Freezes } from "../worker/freezes.ts";
import { createLateResults } from "../worker/late-results.ts";
import { createThreads } from "../worker/threads.ts";
import { OWN_VERSION } from "./own-place.ts";

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly owner: string;
  /** Of this server. */
  readonly name: string;
  readonly freezes: Freezes;
  readonly log: Log;
};

export function composeThreads({ name, log, ...parts }: Parts) {
  const { store, owner } = parts;
  const late = createLateResults({ store, owner, name, log });
  const traces = createTraces(findTracer(OWN_VERSION));
  return { threads: createThreads({ ...parts, late, traces }), late, traces };
}
