// What an interrupted graph asks, turned into a paused record: the question is reported to the supervisor, and the id of
// the interrupt is kept, because only that id may resume it.
import type { Interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { Outcome } from "../domain/outcome.ts";
import { Waiting } from "../domain/task.ts";
import { procedureOf } from "../tasks/progress.ts";
import type { Thread } from "../tasks/thread.ts";
import { pause as pauseTask } from "../tasks/transitions.ts";

const Pending = z.object({ outcome: Outcome, waiting: z.record(z.string(), z.unknown()) });

/** Commits the pause. `task_id` is null on a promotion, which has no task: there the approval alone waits. */
export async function pause(thread: Thread, task_id: string | null, { id, value }: Interrupt): Promise<void> {
  const pending = Pending.parse(value);
  const { outcome } = pending;
  const waiting = Waiting.parse({ ...pending.waiting, interrupt_id: id });
  const procedure = procedureOf(thread.journal.events);
  const { events, changes } = pauseTask({ task_id, outcome, waiting, procedure });
  await thread.journal.commit(events, changes);
}
