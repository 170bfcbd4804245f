// The events of a schedule as text.

import { type EventText, format } from "../../cli/event-text.ts";
import { heldText } from "../../domain/hold.ts";
import { EVENT_BODIES, type EventBody } from "../../domain/journal.ts";
import { counted } from "../../domain/printable.ts";

const about = "schedule";
const after = (missed: number): string => (missed === 0 ? "" : `; ${counted(missed, "due time")} missed before`);
const next = (next_due: string | null): string => (next_due === null ? "never due" : `due next at ${next_due}`);

const failed = ({ task_id, message }: EventBody<"schedule_failed">): EventText => ({
  about,
  text: `${task_id} was not submitted: ${message}`,
});

export const SCHEDULE_FORMATS = {
  schedule_added: format(EVENT_BODIES.schedule_added, ({ every, cron, timezone, next_due }) => ({
    about,
    text: `added: ${every === null ? `${cron} (${timezone})` : `every ${every}`}, ${next(next_due)}`,
  })),
  schedule_paused: format(EVENT_BODIES.schedule_paused, () => ({ about, text: "paused" })),
  schedule_resumed: format(EVENT_BODIES.schedule_resumed, ({ next_due }) => ({
    about,
    text: `goes on, ${next(next_due)}`,
  })),
  schedule_removed: format(EVENT_BODIES.schedule_removed, () => ({ about, text: "removed" })),
  schedule_due: format(EVENT_BODIES.schedule_due, ({ due, task_id, missed }) => ({
    about,
    text: `due at ${due}: ${task_id}${after(missed)}`,
  })),
  schedule_skipped: format(EVENT_BODIES.schedule_skipped, ({ due, running, missed }) => ({
    about,
    text: `due at ${due}, skipped: ${running} has not ended${after(missed)}`,
  })),
  schedule_held: format(EVENT_BODIES.schedule_held, ({ due, held_by, missed }) => ({
    about,
    text: `due at ${due}, skipped: ${heldText(held_by)}${after(missed)}`,
  })),
  schedule_submitted: format(EVENT_BODIES.schedule_submitted, ({ task_id }) => ({
    about,
    text: `${task_id} was submitted`,
  })),
  schedule_failed: format(EVENT_BODIES.schedule_failed, failed),
  schedule_restored: format(EVENT_BODIES.schedule_restored, ({ taken_at, dropped, next_due }) => ({
    about,
    text: `restored from a backup of ${taken_at}${dropped === null ? "" : `; ${dropped} is not submitted`}, ${next_due === null ? "and paused" : next(next_due)}`,
  })),
  schedule_refused: format(EVENT_BODIES.schedule_refused, failed),
} as const;
