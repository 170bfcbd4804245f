// What a task asked: the supervisor for input, and a human for approvals.
import { endsTask, type JournalEvent } from "../journal.ts";

/** An approval that comes faster has hardly been read. */
const READING_MS = 10_000;

export function questionsIn(events: readonly JournalEvent[]) {
  const found = { questions: 0, approvals: 0, refused: 0, hasty: 0 };
  let shown = 0;
  for (const event of events) {
    if (event.kind === "approval_requested") found.approvals += 1;
    if (event.kind === "reported" && !endsTask(event)) {
      if (event.body.status === "need_input") found.questions += 1;
      shown = Date.parse(event.at);
    }
    if (event.kind !== "approval_decided") continue;
    if (event.body.status !== "approved") found.refused += 1;
    else if (Date.parse(event.at) - shown < READING_MS) found.hasty += 1;
  }
  return found;
}
