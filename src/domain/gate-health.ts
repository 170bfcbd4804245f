// Keeps whether the last questions to the routing model were answered, so that a model that never answers is seen.
import type { EventBody, NewEvent } from "./journal.ts";

export type RecentAnswers = {
  readonly note: (events: readonly NewEvent[]) => void;
  /** A sentence where most of the last questions had no answer; null otherwise. */
  readonly notice: () => string | null;
};

const MOST = 20;
/** Fewer say little. */
const LEAST = 3;
/** No question reached the model, or its task was cancelled. */
const NOT_ASKED = new Set(["no_model", "aborted"]);

export function createRecentAnswers(): RecentAnswers {
  const last: EventBody<"gate_answered">[] = [];
  return {
    note: (events) => {
      for (const { kind, body } of events) {
        if (kind !== "gate_answered" || NOT_ASKED.has(body.fallback ?? "")) continue;
        last.push(body);
        if (last.length > MOST) last.shift();
      }
    },
    notice: () => {
      const reasons = last.flatMap(({ fallback }) => fallback ?? []);
      const answered = last.length - reasons.length;
      if (last.length < LEAST || answered * 2 >= last.length) return null;
      const counts = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => `${reason} ${length}`);
      return `${answered} of the last ${last.length} questions to the routing model were answered (${counts.join(", ")}). The others took their fallback.`;
    },
  };
}
