// Steps of which it was not known whether they had their effect, and what became of them.
import { z } from "zod";
import type { JournalEvent } from "../journal.ts";

const Count = z.int().min(0);

export const UnknownOutcomes = z.strictObject({
  succeeded: Count,
  failed: Count,
  retry: Count,
  open: Count.describe("the task ended without an answer"),
});
export type UnknownOutcomes = z.infer<typeof UnknownOutcomes>;

/** Null where there were none. */
export function unknownOutcomesIn(events: readonly JournalEvent[]): UnknownOutcomes | null {
  const found = { succeeded: 0, failed: 0, retry: 0, open: 0 };
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
        found[event.body.resolution] += 1;
        open.delete(event.body.index);
        break;
    }
  }
  found.open = open.size;
  return Object.values(found).some((count) => count > 0) ? found : null;
}
