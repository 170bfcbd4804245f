// Records the question of an interrupted graph: the supervisor is asked, and the id of the interrupt is kept, because only
// that id may resume the thread.
import type { Interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { Outcome } from "../domain/outcome.ts";
import { Waiting } from "../domain/task.ts";
import { hasStarted } from "../tasks/progress.ts";
import type { Thread } from "../tasks/thread.ts";
import { pause } from "../tasks/transitions.ts";

const Pending = z.object({ outcome: Outcome, waiting: z.record(z.string(), z.unknown()) });

/** `task_id` is null on a promotion: there only the approval waits. */
export async function pauseThread(thread: Thread, task_id: string | null, { id, value }: Interrupt): Promise<void> {
  const { outcome, waiting: asked } = Pending.parse(value);
  const waiting = Waiting.parse({ ...asked, interrupt_id: id });
  const { projection } = thread.journal;
  const { procedure } = projection;
  const keeps_target = hasStarted(projection);
  const { events, changes } = pause({ task_id, outcome, waiting, procedure, keeps_target });
  await thread.journal.commit(events, changes);
}
