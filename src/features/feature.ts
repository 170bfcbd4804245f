// Defines what a feature is. These are all the places where one meets the engine, each with a list of the features that use it:
// what it records (records.ts), its rows (rows.ts), settings (settings.ts), shapes (shapes.ts) and commands (cli/table/commands.ts), and,
// here and in features.ts: its handlers, what may hold tasks, what it does by itself, and what the doctor asks about it.
import type { Config, Env } from "../config/config.ts";
import type { Diagnosis } from "../doctor/examination.ts";
import type { TaskHolds } from "../domain/hold.ts";
import type { Log } from "../log/log.ts";
import type { OperationDeps } from "../operations/deps.ts";
import type { Caller, OperationRules } from "../operations/operation.ts";
import type { Clock, Store, Timer } from "../ports.ts";
import type { Wakeups } from "../wakeups/port.ts";
import type { CommitObserver } from "../worker/observe-commits.ts";

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
  /** Calls an operation as every other caller does; `token_id` says who calls. */
  readonly call: (operation: string, input: unknown, token_id: string) => Promise<unknown>;
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
  /** What `orch doctor` asks the running server, whose diagnosis is given. */
  readonly examine?: (environment: Env, server: Promise<Diagnosis>) => Promise<Diagnosis>;
};

/** Lets each feature keep the types of its handlers. */
export const feature = <const F extends Feature>(given: F): F => given;
