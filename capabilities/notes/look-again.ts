// After a write: looks at what has become of it until it shows, for as long as patience lasts.
import { setTimeout as sleep } from "node:timers/promises";
import { NotesFault, type NotesServer } from "./notes-server.ts";
import type { Work } from "./work.ts";

/**
 * What was seen last, or why nothing could be. Throws when the task was stopped before it knew: a step that throws then has
 * no end on record, and is found out about when its task goes on.
 */
export async function lookAgain<T>(
  { ctx, notes }: Work,
  patience: readonly number[],
  look: (notes: NotesServer) => Promise<T>,
  isEnough: (seen: T) => boolean,
): Promise<T | NotesFault> {
  let seen: T | NotesFault = new NotesFault("unreachable", "nobody has looked");
  for (const delay of patience) {
    await pause(delay, ctx.signal);
    try {
      seen = await look(await notes());
      if (isEnough(seen)) return seen;
    } catch (error) {
      if (!(error instanceof NotesFault)) throw error;
      seen = error;
    }
  }
  if (ctx.signal.aborted) throw new Error("stopped before it was known what became of the write");
  return seen;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    // Stopped: one more look, and no more waiting.
    if (!signal.aborted) throw error;
  }
}
