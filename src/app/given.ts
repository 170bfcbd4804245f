// Names what a server is made from, beside its configuration and its database.
import type { Env } from "../config/config.ts";
import type { Traces } from "../engine/tasks/thread.ts";
import type { Machine } from "../execution/execution.ts";
import type { AgentBackends } from "../features/agents/backends.ts";
import type { Skills } from "../features/skills/process/find-skills.ts";
import type { Judges } from "../judge/thread-judge.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Store } from "../ports.ts";
import type { Redaction } from "../redact/find-secrets.ts";
import type { Place } from "./own-place.ts";

export type Given = {
  readonly redaction: Redaction;
  readonly log: Log;
  readonly skills: Skills;
  readonly judges: Pick<Judges, "ofTasks" | "ofRequests">;
  readonly machine: Machine;
  readonly place: Place;
  /** What the server was started from. */
  readonly environment?: Env | undefined;
  /** By default the trace of a submit is handed on, and none is made. */
  readonly traces?: Traces;
  /** Called when this server was asked to drain. */
  readonly onDrain?: () => void;
  readonly agent_backends?: AgentBackends;
  /** Is put between orch and its database. Tests make faults there. */
  readonly storeOn?: (store: Store) => Store;
  /** What time it is; the system's when it is not given. */
  readonly clock?: Clock;
};
