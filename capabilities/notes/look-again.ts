// Reads the result of a write repeatedly until it shows, within a time limit (D-122).
import { NotesFault, type NotesServer } from "./notes-server.ts";
import { pause, type Work } from "./work.ts";

/**
 * The last result, or the reason why nothing could be read. Throws when the task was stopped before the result was known: the
 * step then has no recorded end, and its outcome is found out when the task continues.
 */
export async function lookAgain<T>(
  { ctx, notes }: Work,
  patience: readonly number[],
  look: (notes: NotesServer) => Promise<T>,
  isEnough: (seen: T) => boolean,
): Promise<T | NotesFault> {
  let seen: T | NotesFault = new NotesFault("unreachable", "it was not read");
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
