// What an interrupted graph asks, turned into a paused record: the question is reported to the supervisor, and the id of
// the interrupt is kept, because only that id may resume it.
import type { Interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { Outcome } from "../domain/outcome.ts";
import { Waiting } from "../domain/task.ts";
import type { Change, Thread } from "../ports.ts";
import { procedureOf } from "../tasks/progress.ts";

const Pending = z.object({ outcome: Outcome, waiting: z.record(z.string(), z.unknown()) });

/** Commits the pause. `task_id` is null on a promotion, which has no task: there the approval alone waits. */
export async function pause(thread: Thread, task_id: string | null, { id, value }: Interrupt): Promise<void> {
  const pending = Pending.parse(value);
  const { outcome } = pending;
  const waiting = Waiting.parse({ ...pending.waiting, interrupt_id: id });
  const changes: Change[] = [];
  if (task_id !== null) {
    const procedure = procedureOf(thread.journal.events);
    const pins = { sop_id: procedure?.sop_id ?? null, sop_version: procedure?.sop_version ?? null };
    const status = outcome.status;
    const set = { status, outcome, waiting, owner: null, lease_expires_at: null, ...pins };
    changes.push({ on: "task", task_id, expect: { status: ["running"] }, set });
  }
  if (waiting.kind === "approval") {
    changes.push({ on: "approval", approval_id: waiting.approval_id, set: { interrupt_id: waiting.interrupt_id } });
  }
  await thread.journal.commit([{ kind: "reported", body: outcome }], changes);
}
