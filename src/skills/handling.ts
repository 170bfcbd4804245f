// The context that the modules of a skill's run share: its thread, and how its handler is suspended (D-113).
import type { TaskContract } from "../domain/contract.ts";
import type { Reason } from "../domain/outcome.ts";
import type { Gate, Store, ToolServers } from "../ports.ts";
import type { ApprovalDeps } from "../tasks/approval-record.ts";
import type { Thread } from "../tasks/thread.ts";

/** The reason that a handler was suspended. */
export type Suspension =
  | { readonly is: "asks"; readonly approval_id: string }
  | { readonly is: "outcome_unknown"; readonly step_index: number }
  | { readonly is: "suspended" | "cancelled" }
  | { readonly is: "refused"; readonly reason: Reason }
  | { readonly is: "broken"; readonly error: unknown };

export type SkillDeps = ApprovalDeps & {
  readonly store: Store;
  readonly gate: Gate;
  readonly redact: (text: string) => string;
  readonly toolServers: Pick<ToolServers, "names" | "call" | "listTools">;
};

/** The context of one handler. */
export type Handling = SkillDeps & {
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** Suspends the handler. Never resolves; the first reason counts. */
  readonly suspend: (suspension: Suspension) => Promise<never>;
  /** Runs one use of the journal after the other. A journal that fails suspends the handler. */
  readonly serialize: <T>(work: () => Promise<T> | T) => Promise<T>;
  readonly isSuspended: () => boolean;
  /** Whether the task has gone on without the handler: nothing more is recorded. */
  readonly isSealed: () => boolean;
};
