// The dependencies of the operations.

import type { ValuesOf } from "../../config/setting.ts";
import type { BackendName, TargetLabels, TaskContract } from "../../domain/contract.ts";
import type { TaskHolds } from "../../domain/hold.ts";
import type { TaskStatus } from "../../domain/outcome.ts";
import type { Quarantine } from "../../domain/quarantine.ts";
import type { ServerDiagnosis, WakeupDepth } from "../../domain/server.ts";
import type { CheckExaminer } from "../../engine/tasks/check-looks.ts";
import type { Dispatcher } from "../../engine/worker/dispatcher.ts";
import type { CommitObserver } from "../../engine/worker/observe-commits.ts";
import type { Promotions } from "../../engine/worker/promotions.ts";
import type { ScoreKeeper } from "../../engine/worker/score-keeper.ts";
import type { TargetLocks } from "../../engine/worker/task-queue.ts";
import type { Threads } from "../../engine/worker/threads.ts";
import type { AgentServices } from "../../features/agents/agent-services.ts";
import type { FEATURE_SETTINGS } from "../../features/settings.ts";
import type { RecentAnswers } from "../../metrics/metrics.ts";
import type { Clock, ExecutionBackend, Judge, NewId, Servers, Skill, Store, ToolServers } from "../../ports.ts";

/** Who calls an operation. */
export type Caller = {
  /** Which token was used, never the token itself. */
  readonly token_id: string;
  /** Of a session of the console: the human at it, by the name that was given there, if one was. */
  readonly at_console?: { readonly name: string | null };
  /** Of the trace in which it calls (src/domain/trace-mark.ts). */
  readonly traceparent?: string;
  /** Aborted when the caller disconnects: ends a wait, never a task. */
  readonly signal: AbortSignal;
};

/** What src/app gives. */
export type EngineDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly new_id: NewId;
  readonly nextReport: CommitObserver["nextReport"];
  readonly nextEvent: CommitObserver["nextEvent"];
  readonly dispatcher: Pick<Dispatcher, "dispatch" | "reclaim" | "forget" | "isFull" | "isLeaving">;
  readonly promotions: Pick<Promotions, "dispatch">;
  readonly threads: Pick<Threads, "isOpen" | "cancel">;
  readonly servers: Pick<Servers, "owner" | "stateOf" | "look" | "takeOver" | "aheadMs">;
  /** How many wakeups of all servers wait; null where that is not known. */
  readonly queueDepth: () => Promise<WakeupDepth | null>;
  /** What works here; the same answer within a few seconds. */
  readonly diagnose: () => Promise<ServerDiagnosis>;
  readonly onDrain: () => void;
  readonly locks: Pick<TargetLocks, "holderOf">;
  readonly scores: Pick<ScoreKeeper, "catchUp" | "rebuild">;
  /** The records that cannot be read, as far as they were met. */
  readonly quarantined: Quarantine["list"];
  /** The last questions to the routing model that this server asked. */
  readonly answers: Pick<RecentAnswers, "notice">;
  readonly intents: ReadonlySet<string>;
  readonly default_backend: BackendName;
  readonly labels: readonly string[];
  /** The labels of targets: the first that matches counts. */
  readonly target_labels: readonly TargetLabels[];
  readonly home: string;
  readonly judge: Judge;
  /** Null where the contract asks for a backend that this server does not have. */
  readonly backendOf: (contract: TaskContract) => ExecutionBackend | null;
  /** Null when no skill handles the intent. */
  readonly skillOf: (intent: string) => Skill | null;
  /** Null where looks at checks are switched off. */
  readonly examiner: CheckExaminer | null;
  readonly toolServers: Pick<ToolServers, "names" | "effectOf" | "listNow">;
  /** Runs what only looks and is not approved yet. */
  readonly unapproved: Pick<ExecutionBackend, "run" | "look">;
  readonly agent: AgentServices;
  /** Removes secrets from what a caller sends to be kept. */
  readonly redact: (text: string) => string;
  readonly task_holds: Pick<TaskHolds, "look" | "holdOn" | "inForce">;
  /** Those settings of features that handlers read. */
  readonly settings: ValuesOf<typeof FEATURE_SETTINGS>;
  /** Whether a routing model is set; without one its questions take their fallback. */
  readonly has_model: boolean;
};

export type OperationDeps = EngineDeps & {
  /** Cancels a task as the operation of that name does; `message` is null where it has not ended yet. */
  readonly cancelTask: (
    asked: { readonly task_id: string; readonly reason: string },
    caller: Caller,
  ) => Promise<{ readonly status: TaskStatus; readonly message: string | null }>;
};
