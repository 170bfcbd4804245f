// Puts the progress of a skill on record, for whoever follows the task: at most once a second, and always its end.
import type { Handling } from "./handling.ts";

const EVERY_MS = 1_000;
const MAX_TEXT = 1_024;

export function skillProgress({ thread, inTurn, redact, hasLeft }: Handling) {
  let told_at = Number.NEGATIVE_INFINITY;
  return (done: number, total: number, text: string): void => {
    const now = performance.now();
    if (hasLeft() || (now - told_at < EVERY_MS && done < total)) return;
    told_at = now;
    const body = { done: whole(done), total: whole(total), text: redact(text).slice(0, MAX_TEXT) };
    void inTurn(() => thread.journal.commit([{ kind: "skill_progressed", body }]));
  };
}

const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? count : 0);
