// Gives every operation of the notes skill its context: reads under a journal, and reads of what was written until it shows.
import { setTimeout as sleep } from "node:timers/promises";
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
  /** In a plan that runs, when the server does not answer: the times in ms to wait before each further read (D-263). */
  readonly outage?: readonly number[];
  /** Held by each change of a note, from the read before it to the read after it (D-130). */
  readonly mutex: Pick<Mutex, "run">;
};

/** Of all tasks: two that have read the same parent would both move the note, and on some servers the second move deletes it. */
export const changesOf = ({ exclusive }: Pick<SkillContext, "exclusive">): Work["mutex"] => ({
  run: (work) => exclusive("changes", work),
});

export const PATIENCE: readonly number[] = [0, 250, 750, 2_000];

/** An application that restarts is back within a minute, or it is not waited for. */
export const OUTAGE: readonly number[] = [1_000, 2_000, 3_000, 4_000, ...Array<number>(10).fill(5_000)];

export const isDown = (error: unknown): error is NotesFault =>
  error instanceof NotesFault && (error.code === "unreachable" || error.code === "application_down");

/** Reads; and reads again while the server is down. */
export async function throughOutage<T>({ ctx, outage = [] }: Work, read: () => Promise<T>): Promise<T> {
  for (const delay of outage) {
    try {
      return await read();
    } catch (error) {
      if (!isDown(error) || ctx.signal.aborted) throw error;
    }
    await pause(delay, ctx.signal);
  }
  return read();
}

/** Ends early when the task is stopped. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

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

/**
 * Reads the result of a write repeatedly until it shows, within a time limit (D-122). The last result, or the reason why nothing
 * could be read. Throws when the task was stopped before the result was known: the step then has no recorded end, and its outcome
 * is found out when the task continues.
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
