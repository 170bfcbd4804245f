// What the parts of a skill's context share: the thread it runs on, and how its handler is left.
import type { TaskContract } from "../domain/contract.ts";
import type { Reason } from "../domain/reason.ts";
import type { Gate, Store, ToolServers } from "../ports.ts";
import type { ApprovalDeps } from "../tasks/approval-record.ts";
import type { Thread } from "../tasks/thread.ts";

/** Why a handler was left. */
export type Departure =
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

/** What the parts of a context share. */
export type Handling = SkillDeps & {
  readonly thread: Thread;
  readonly contract: TaskContract;
  /** Leaves the handler. Never resolves; the first reason counts. */
  readonly leave: (departure: Departure) => Promise<never>;
  /** Runs what uses the journal, one after the other. A journal that fails is a reason to leave. */
  readonly inTurn: <T>(work: () => Promise<T> | T) => Promise<T>;
  readonly hasLeft: () => boolean;
  /** Whether the task has gone on without it: nothing more is put on record. */
  readonly isSealed: () => boolean;
};
