// What every operation of the notes skill works with, and how it reads under a journal.
import type { Json } from "../../src/domain/json.ts";
import { createMutex, type Mutex } from "../../src/domain/mutex.ts";
import type { SkillContext } from "../../src/ports.ts";
import { NotesFault, type NotesServer } from "./notes-server.ts";
import { said } from "./readable.ts";

export type Work = {
  readonly ctx: SkillContext;
  /** Found when it is first needed: a handler that only remembers what it has done needs no server. */
  readonly notes: () => Promise<NotesServer>;
  /** After a write: how many ms to wait before each look at what has become of it. */
  readonly patience: readonly number[];
  /** Held by each change of a note, from the reading before it to the reading after it. */
  readonly mutex: Mutex;
};

/**
 * The mutex of all tasks in this process, the skill's and the agents': two tasks that have read the same parent would both
 * move the note, and on some servers the second move deletes it.
 */
export const CHANGES = createMutex();

export const PATIENCE: readonly number[] = [0, 250, 750, 2_000];

/** Opens a server once. One that could not be opened is tried again when it is next needed. */
export function opened(open: () => Promise<NotesServer>): Work["notes"] {
  let opening: Promise<NotesServer> | null = null;
  const forget = (error: unknown): never => {
    opening = null;
    throw error;
  };
  return () => {
    opening ??= open().catch(forget);
    return opening;
  };
}

/** A step that only reads. Its NotesFault is kept like an answer: the handler meets the same one when it is started again. */
export async function readStep<T extends Json>(
  { ctx, notes }: Work,
  name: string,
  read: (notes: NotesServer) => Promise<T>,
): Promise<T> {
  const run = async () => ({ ok: true as const, is: "read" as const, value: await read(await notes()) });
  const outcome = await ctx.step(name, () => orFault(ctx, run), "repeat");
  if (outcome.is === "fault") throw new NotesFault(outcome.code, outcome.message);
  return outcome.value;
}

/** Within a step, which keeps of an error no more than its words. What comes of being stopped is no fault of the server. */
export async function orFault<T>({ signal }: Pick<SkillContext, "signal">, run: () => Promise<T>) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotesFault) || signal.aborted) throw error;
    return { ok: false as const, is: "fault" as const, code: error.code, message: said(error.message) };
  }
}
