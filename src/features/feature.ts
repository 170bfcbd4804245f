// Defines what a feature is, and where it meets the engine. Each place has a list of the features that use it, by who reads it: the journal
// (records.ts), the projection (folds.ts), the verification of evidence (verify.ts), the store (rows.ts), the configuration (settings.ts),
// callers (src/api/operations/shapes.ts), the command line (src/cli/table/commands.ts), and the server (features.ts), for which the type below
// says what it takes.

import type { OperationDeps } from "../api/operations/deps.ts";
import type { Caller, OperationRules } from "../api/operations/operation.ts";
import type { Config, Env } from "../config/config.ts";
import type { Diagnosis } from "../doctor/examination.ts";
import type { Change } from "../domain/change.ts";
import type { TaskContract } from "../domain/contract.ts";
import type { TaskHolds } from "../domain/hold.ts";
import type { EventKind } from "../domain/journal.ts";
import type { Projection } from "../engine/tasks/projection.ts";
import type { CommitObserver } from "../engine/worker/observe-commits.ts";
import type { Log } from "../log/log.ts";
import type { Clock, Store, Timer } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";

/** What a feature has of the server that it works in. */
export type FeatureServer = {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly log: Log;
};

/** The same, once there is everything that runs a task. */
export type RunningServer = FeatureServer & {
  readonly commits: Pick<CommitObserver, "subscribe" | "nextReport">;
  readonly wakeups: Pick<Wakeups, "every">;
  readonly task_holds: TaskHolds;
  /** Calls an operation as a supervisor does; `token_id` says who calls. Neither decides anything. */
  readonly call: (operation: "submit_task" | "explain", input: unknown, token_id: string) => Promise<unknown>;
  /** The listener is called with each task that has ended. */
  readonly onFinished: (listener: (ended: Projection) => void) => void;
  /** Accepts a task of orch itself. False where another task has the id. */
  readonly submitOwn: (contract: TaskContract) => Promise<boolean>;
  /** Makes the file of the database shorter. */
  readonly shrink: (signal: AbortSignal) => Promise<number>;
};

/** A stage of the start: it is tried again while the database does not work. */
export type Stage = { readonly what: string; readonly run: () => Promise<unknown> };

/** What a feature does by itself. */
export type FeatureWork = {
  /** Before the first task is taken up. */
  readonly before_recovery?: Stage;
  /** After every task was taken up. */
  readonly after_recovery?: Stage;
  /** Once the server serves, and before the wakeups start. */
  readonly share?: () => void;
  /** Does what was to happen at a time, and whose server has ended meanwhile. */
  readonly arm?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
};

export type Feature = {
  readonly name: string;
  /** By the name of the operation. Each has the type of its shape where the feature is defined. */
  readonly handlers?: {
    readonly [operation: string]: (deps: OperationDeps) => (input: never, caller: Caller) => unknown;
  };
  readonly rules?: OperationRules;
  readonly start?: (server: RunningServer) => FeatureWork;
  /** What it may commit, by its handlers and by itself; anything else is refused. */
  readonly commits?: {
    readonly events?: readonly EventKind[];
    readonly changes?: readonly Change["on"][];
  };
  /** A check of `orch doctor`, which asks the running server; its diagnosis is given. */
  readonly doctor?: {
    readonly name: string;
    readonly examine: (environment: Env, server: Promise<Diagnosis>) => Promise<Diagnosis>;
  };
};

/** Lets each feature keep the types of its handlers. */
export const feature = <const F extends Feature>(given: F): F => given;

/** The store with the commits of a feature alone. Any other is refused. */
export function storeFor({ name, commits = {} }: Feature, store: Store): Store {
  const { events = [], changes = [] } = commits;
  return {
    ...store,
    commit: async (commit) => {
      const others = [
        ...commit.events.filter(({ kind }) => !events.includes(kind)).map(({ kind }) => kind),
        ...(commit.changes ?? []).filter(({ on }) => !changes.includes(on)).map(({ on }) => on),
      ];
      if (others.length > 0) throw new Error(`the feature ${name} may not commit ${others.join(", ")}`);
      return store.commit(commit);
    },
  };
}
