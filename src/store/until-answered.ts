// Sends a commit again while it is not known what has become of it.
import { setTimeout as sleep } from "node:timers/promises";
import { OrchError } from "../domain/errors.ts";
import { isUnanswered, reasonOf } from "./fault.ts";

/** How long a commit without an answer is sent again. A dropped connection is back at once, a restarted server soon. */
const PATIENCE_MS = 20_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Sends the same events with the same sequence numbers again while no answer comes. Whichever of the sendings is done, the
 * others find its events in their place.
 */
export async function untilAnswered<T>(attempt: { isRepeated: boolean }, send: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await send();
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      if (performance.now() + pause > end) throw unknownEnd(error);
    }
    await sleep(pause);
    attempt.isRepeated = true;
  }
}

const unknownEnd = (cause: unknown): OrchError =>
  new OrchError(
    "database_unusable",
    `the database does not answer (${reasonOf(cause)}); it is not known whether it has done what was asked`,
    {
      fix: "ask again: what was done is not done twice",
      cause,
    },
  );
