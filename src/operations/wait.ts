// Bounded waiting for a report. A wait that runs out returns what there is; it never cancels anything.
import type { Approval } from "../domain/approval.ts";
import { hasEnded, isPaused } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { OperationDeps } from "./deps.ts";
import type { AnyOperation } from "./operation.ts";

type Deps = Pick<OperationDeps, "store" | "nextReport">;
type Next = (ms: number, signal: AbortSignal) => Promise<void>;

export type Patience = { readonly wait_seconds: number; readonly signal: AbortSignal };

type Look<T> = {
  readonly next: Next;
  readonly look: () => Promise<T>;
  readonly isEnough: (seen: T) => boolean;
};

/** Looks again each time `next` resolves, until the result is enough or the time is over. */
export async function lookUntil<T>({ next, look, isEnough }: Look<T>, { wait_seconds, signal }: Patience): Promise<T> {
  if (wait_seconds === 0) return look();
  // Not the wall clock, which may be set back while somebody waits.
  const deadline = performance.now() + wait_seconds * 1000;
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    for (;;) {
      const left = Math.max(0, deadline - performance.now());
      // Listening starts before the look, so that no change is missed between the two.
      const change = next(left, either);
      const seen = await look();
      if (left === 0 || signal.aborted || isEnough(seen)) return seen;
      await change;
    }
  } finally {
    over.abort();
  }
}

/** The task once it has ended or paused, or as it is when the time is over. */
export const settled = (deps: Deps, task_id: string, patience: Patience): Promise<Task | null> =>
  lookUntil(
    {
      next: (ms, signal) => deps.nextReport(task_id, ms, signal),
      look: () => deps.store.findTask(task_id),
      isEnough: (task) => task === null || hasEnded(task.status) || isPaused(task.status),
    },
    patience,
  );

// A thread needs a moment between asking for an approval and waiting for it.
export const PREPARATION_SECONDS = 5;

/** The approval once its thread waits for the decision. */
export const prepared = (deps: Deps, approval: Approval, signal: AbortSignal): Promise<Approval | null> =>
  lookUntil(
    {
      next: (ms, until) => deps.nextReport(approval.thread_id, ms, until),
      look: () => deps.store.findApproval(approval.approval_id),
      isEnough: (current) => current === null || current.status !== "pending" || current.interrupt_id !== null,
    },
    { wait_seconds: PREPARATION_SECONDS, signal },
  );

/** The approval that a thread asks for, once it waits for it. */
export async function askedBy(deps: Deps, thread_id: string, signal: AbortSignal): Promise<Approval | null> {
  const patience = { wait_seconds: PREPARATION_SECONDS, signal };
  const look = async () => (await deps.store.listApprovals({ thread_id, status: "pending", limit: 1 }))[0] ?? null;
  const next: Next = (ms, until) => deps.nextReport(thread_id, ms, until);
  const isEnough = (approval: Approval | null) => approval !== null && approval.interrupt_id !== null;
  return lookUntil({ next, look, isEnough }, patience);
}

// A quarter of the connections of the HTTP server: waits must leave room for other calls.
const MAX_WAITS = 500;

/**
 * Limits concurrent waits. A call over the limit returns the current state immediately; it never fails: a wait only saves
 * the caller from asking again.
 */
export function boundWaits(most = MAX_WAITS): (operation: AnyOperation) => AnyOperation {
  let waiting = 0;
  return (operation) => ({
    ...operation,
    handle: async (input, caller) => {
      if (!(input.wait_seconds > 0)) return operation.handle(input, caller);
      if (waiting >= most) return operation.handle({ ...input, wait_seconds: 0 }, caller);
      waiting += 1;
      try {
        return await operation.handle(input, caller);
      } finally {
        waiting -= 1;
      }
    },
  });
}
