// The events of what is kept, as text: a backup was restored, and the supervisor lets a task go on.
import { EVENT_BODIES } from "../domain/journal.ts";
import { counted } from "../domain/printable.ts";
import { format } from "./event-text.ts";

export const KEEPING_FORMATS = {
  restored: format(EVENT_BODIES.restored, ({ taken_at }) => ({
    about: "restored",
    state: "pending",
    text: `from a backup of ${taken_at}; what was done after it is not known`,
  })),
  anchored: format(EVENT_BODIES.anchored, ({ day, threads, root }) => ({
    about: "anchored",
    text: `${day}: ${counted(threads, "journal")} ${root}`,
  })),
  unparked: format(EVENT_BODIES.unparked, ({ reason }) => ({ about: "unparked", text: reason ?? "goes on" })),
} as const;
