// The context of every operation of the notes skill, and how it reads under a journal.
import type { Json } from "../../src/domain/json.ts";
import type { Mutex } from "../../src/domain/mutex.ts";
import type { SkillContext } from "../../src/ports.ts";
import { NotesFault, type NotesServer } from "./notes-server.ts";
import { excerpt } from "./readable.ts";

export type Work = {
  readonly ctx: SkillContext;
  /** Opened when it is first needed: a handler that only returns recorded values needs no server. */
  readonly notes: () => Promise<NotesServer>;
  /** After a write: the times in ms to wait before each read of its result. */
  readonly patience: readonly number[];
  /** Held by each change of a note, from the read before it to the read after it (D-130). */
  readonly mutex: Pick<Mutex, "run">;
};

/** Of all tasks: two that have read the same parent would both move the note, and on some servers the second move deletes it. */
export const changesOf = ({ exclusive }: Pick<SkillContext, "exclusive">): Work["mutex"] => ({
  run: (work) => exclusive("changes", work),
});

export const PATIENCE: readonly number[] = [0, 250, 750, 2_000];

/** Opens a server once. After a failure, the next use tries again. */
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

/** A step that only reads. Its NotesFault is recorded like a result: a handler that restarts receives the same fault. */
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

/** Within a step, which records only the message of an error. An abort is no fault of the server. */
export async function orFault<T>({ signal }: Pick<SkillContext, "signal">, run: () => Promise<T>) {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof NotesFault) || signal.aborted) throw error;
    return { ok: false as const, is: "fault" as const, code: error.code, message: excerpt(error.message) };
  }
}
