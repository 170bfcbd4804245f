// Bounded waiting for a report. A wait that runs out returns what there is; it never cancels anything.
import { z } from "zod";
import { hasEnded, isPaused } from "../domain/outcome.ts";
import type { Task } from "../domain/task.ts";
import type { OperationDeps } from "./deps.ts";

export const MAX_WAIT_SECONDS = 50;

export const WaitSeconds = z.coerce
  .number()
  .min(0)
  .max(MAX_WAIT_SECONDS)
  .default(0)
  .describe("wait at most so long until the task ends or needs an answer");

/** The task once it has ended or paused, or as it is when the time is over. */
export async function settled(
  { store, nextReport, clock }: Pick<OperationDeps, "store" | "nextReport" | "clock">,
  task_id: string,
  wait_seconds: number,
  signal: AbortSignal,
): Promise<Task | null> {
  const deadline = clock().getTime() + wait_seconds * 1000;
  const giveUp = new AbortController();
  const either = AbortSignal.any([signal, giveUp.signal]);
  try {
    for (;;) {
      const left = deadline - clock().getTime();
      // Listening starts before the look, so that no report falls between the two.
      const report = left > 0 ? nextReport(task_id, left, either) : null;
      const task = await store.findTask(task_id);
      if (task === null || report === null || signal.aborted || hasEnded(task.status) || isPaused(task.status))
        return task;
      await report;
    }
  } finally {
    giveUp.abort();
  }
}
