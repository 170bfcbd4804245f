// Steps of which it was not known whether they had their effect, and what became of them.
import type { JournalEvent } from "../journal.ts";

export function unknownOutcomesIn(events: readonly JournalEvent[]) {
  const found = { unknown_succeeded: 0, unknown_failed: 0, unknown_retry: 0 };
  const open = new Set<number>();
  for (const event of events) {
    switch (event.kind) {
      case "step_started":
      case "skill_step_started":
        // What only reads, or may run twice, runs again instead.
        if (event.body.repeatable !== true) open.add(event.body.index);
        break;
      case "skill_step_finished":
        open.delete(event.body.index);
        break;
      case "step_finished":
        if (event.body.status === "outcome_unknown") open.add(event.body.index);
        else open.delete(event.body.index);
        break;
      case "step_resolved":
        found[`unknown_${event.body.resolution}`] += 1;
        open.delete(event.body.index);
        break;
      case "step_reconciled":
        if (event.body.settles === null) break;
        found[`unknown_${event.body.settles}`] += 1;
        open.delete(event.body.index);
        break;
    }
  }
  return { ...found, unknown_open: open.size };
}
