// Where the time of a task went: it was queued until a server took it up, it waited for an answer, the rest it worked.
import { type EventKind, endsTask, type JournalEvent } from "../journal.ts";

export type TaskTimes = { readonly queued_ms: number; readonly waited_ms: number; readonly active_ms: number };

/** What ends a wait. */
const ANSWERS: ReadonlySet<EventKind> = new Set([
  // What it asked for has come into use without an answer.
  "taken_up",
  "taught",
  "approval_decided",
  "step_resolved",
  "unparked",
  "cancel_requested",
]);

/** From the acceptance to the end, which the events contain. */
export function timesOf(events: readonly JournalEvent[]): TaskTimes {
  const [first] = events;
  const accepted = first === undefined ? 0 : Date.parse(first.at);
  let claimed: number | null = null;
  let asked: number | null = null;
  let ended = accepted;
  let waited_ms = 0;
  for (const event of events) {
    const at = Date.parse(event.at);
    const isEnd = endsTask(event);
    if (event.kind === "taken_up") claimed ??= at;
    if (asked !== null && (isEnd || ANSWERS.has(event.kind))) {
      waited_ms += at - asked;
      asked = null;
    }
    if (event.kind === "reported" && !isEnd) asked = at;
    if (isEnd) {
      ended = at;
      break;
    }
  }
  const queued_ms = (claimed ?? ended) - accepted;
  // A clock that was set back takes nothing from another part.
  const active_ms = Math.max(0, ended - accepted - queued_ms - waited_ms);
  return { queued_ms: Math.max(0, queued_ms), waited_ms: Math.max(0, waited_ms), active_ms };
}
