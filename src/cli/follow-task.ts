// --follow: prints the journal of a task from its first event until the task has ended, and what its running step writes. It
// continues across pauses, for which it prints the command that answers, and across restarts of the server.
import { hasEnded } from "../domain/outcome.ts";
import { approve } from "../operations/shapes/approvals.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import type { CallOperation } from "./client.ts";
import { type CommandContext, fail } from "./context.ts";
import { type ExitCode, taskExit } from "./exit-codes.ts";
import { createEventFormat } from "./format-event.ts";
import { followJournal } from "./journal-stream.ts";
import { createLiveText } from "./live-text.ts";
import { commandsFor } from "./next-commands.ts";
import { createPatientCall } from "./patient-call.ts";
import { leave } from "./wait-line.ts";

export async function followTask(context: CommandContext, task_id: string): Promise<ExitCode> {
  const { out } = context;
  const call = createPatientCall(context);
  const live = createLiveText(out);
  const format = createEventFormat(out.paint, live.wasShown, out.program);
  context.onInterrupt(() => {
    live.close();
    return leave(out, task_id, "--follow");
  });
  let isReported = false;
  for await (const result of followJournal(context, task_id)) {
    if (!result.ok) {
      live.close();
      return fail(context, result.failure);
    }
    const item = result.value;
    if (item.kind === "output") live.show(item.piece);
    if (item.kind === "lost") live.restart();
    if (item.kind === "event") {
      live.before(item.event);
      out.item(item.event, () => format(item.event));
      isReported = item.event.kind === "reported";
    }
    if (item.kind === "status") {
      if (hasEnded(item.status)) {
        await notePromotion(context, call, task_id);
        return taskExit(item.status, true);
      }
      if (isReported) await noteAnswer(context, call, task_id);
      isReported = false;
    }
  }
  const task = await call(getTask, { task_id });
  return task.ok ? taskExit(task.value.status, true) : fail(context, task.failure);
}

/** Written to stderr, because stdout holds the events. */
async function noteAnswer({ out }: CommandContext, call: CallOperation, task_id: string): Promise<void> {
  const task = await call(getTask, { task_id });
  if (!task.ok || task.value.waiting === null) return;
  const [answer] = task.value.next;
  if (answer !== undefined) out.note(`orch: it waits; answer with: ${commandsFor(answer, out.program).join(", or ")}`);
}

/** A task that was taught has ended, and its procedure asks for its promotion a moment later. */
async function notePromotion({ out }: CommandContext, call: CallOperation, task_id: string): Promise<void> {
  const task = await call(getTask, { task_id, wait_seconds: 1 });
  const [first] = task.ok ? task.value.next : [];
  if (first?.operation !== approve.name) return;
  out.note(`orch: ${first.text} Answer with: ${commandsFor(first, out.program).join(", or ")}`);
}
