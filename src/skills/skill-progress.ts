// Records the progress of a skill for the clients that follow the task: at most once a second, and always the last of it.
import type { Handling } from "./handling.ts";

const EVERY_MS = 1_000;
const MAX_TEXT = 1_024;

export function skillProgress({ thread, serialize, redact, isSuspended }: Handling) {
  let recorded_at = Number.NEGATIVE_INFINITY;
  return (done: number, total: number, text: string): void => {
    const now = performance.now();
    if (isSuspended() || (now - recorded_at < EVERY_MS && done < total)) return;
    recorded_at = now;
    const body = { done: whole(done), total: whole(total), text: redact(text).slice(0, MAX_TEXT) };
    void serialize(() => thread.journal.commit([{ kind: "skill_progressed", body }]));
  };
}

const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? count : 0);
