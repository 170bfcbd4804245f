// The events of a freeze as text, and those of a task that it held back.

import { format } from "../../cli/event-text.ts";
import { heldText } from "../../domain/hold.ts";
import { EVENT_BODIES } from "../../domain/journal.ts";
import { scopeText } from "./freeze.ts";

export const FREEZE_FORMATS = {
  frozen: format(EVENT_BODIES.frozen, ({ frozen_by, reason, ...scope }) => ({
    about: "frozen",
    state: "blocked",
    text: `${scopeText(scope)}, by ${frozen_by}: ${reason}`,
  })),
  thawed: format(EVENT_BODIES.thawed, ({ thawed_by }) => ({ about: "thawed", state: "ok", text: `by ${thawed_by}` })),
  held_back: format(EVENT_BODIES.held_back, (held_by) => ({
    about: "held back",
    state: "pending",
    text: `${heldText(held_by)}; it starts by itself once that is over`,
  })),
} as const;
