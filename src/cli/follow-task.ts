// --follow: prints the journal of a task from its first event until the task has ended. It continues across pauses,
// for which it prints the command that answers, and across restarts of the server.
import { hasEnded } from "../domain/outcome.ts";
import { readJournal } from "../operations/shapes/journal.ts";
import { getTask } from "../operations/shapes/tasks.ts";
import type { CallOperation } from "./client.ts";
import { type CommandContext, fail } from "./context.ts";
import { type ExitCode, taskExit } from "./exit-codes.ts";
import { createEventFormat } from "./format-event.ts";
import { commandsFor } from "./next-commands.ts";
import { createPatientCall } from "./patient-call.ts";

const PAGE = 500;
const ONE_WAIT_SECONDS = 50;

export async function followTask(context: CommandContext, task_id: string): Promise<ExitCode> {
  const { out } = context;
  const call = createPatientCall(context);
  const format = createEventFormat(out.paint);
  for (let after = 0; ; ) {
    const page = await call(readJournal, { task_id, after, limit: PAGE, wait_seconds: ONE_WAIT_SECONDS });
    if (!page.ok) return fail(context, page.failure);
    const { events, next_after, status } = page.value;
    for (const event of events) out.item(event, () => format(event));
    after = next_after;
    if (hasEnded(status) && events.length < PAGE) return taskExit(status, true);
    if (events.at(-1)?.kind === "reported") await noteAnswer(context, call, task_id);
  }
}

/** Written to stderr, because stdout holds the events. */
async function noteAnswer({ out }: CommandContext, call: CallOperation, task_id: string): Promise<void> {
  const task = await call(getTask, { task_id });
  if (!task.ok || task.value.waiting === null) return;
  const [answer] = task.value.next;
  if (answer !== undefined) out.note(`orch: it waits; answer with: ${commandsFor(answer).join(", or ")}`);
}
