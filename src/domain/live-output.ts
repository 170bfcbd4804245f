// What a step writes while it runs, for those who watch it. It is never recorded and never evidence: the result of the step
// replaces it (D-196).
import { z } from "zod";

/** A run of a step within its task. */
export type StepAttempt = { readonly index: number; readonly attempt: number };
export type StepRun = StepAttempt & { readonly task_id: string };

export const LivePiece = z.strictObject({
  index: z.int().describe("of the running step"),
  attempt: z.int(),
  stream: z.enum(["stdout", "stderr"]),
  missed_bytes: z.int().describe("how many bytes of the output are left out before the text"),
  text: z.string().describe("continues the earlier text of the stream; without secrets"),
});
export type LivePiece = z.infer<typeof LivePiece>;

export interface LiveOutput {
  /** `onMore` is called when there is more to read. A reader that is late gets the last part, and how much it missed. */
  watch(task_id: string, onMore: () => void): { read(): LivePiece[]; close(): void };
}

/** Where a server gives to the others what the steps of a task write there (D-396). */
export const OUTPUT_PATH = "/internal/tasks/{task_id}/output";

/** How a server reads that of another one. */
export type OutputRoute = {
  readonly server_id: string;
  readonly name: string;
  readonly url: string;
  readonly secret: string;
};

/** Null where the task is not run by another server that lives and says where it is reached. */
export type FindOutputRoute = (task_id: string) => Promise<OutputRoute | null>;

// The last part of what each running step of a task writes. A reader is a position in it and nothing else, so that one that is late costs
// no memory: it misses what was dropped meanwhile, and is given how many bytes that were.

/** Of each step. */
const TAIL = 64 * 1024;

/** Positions count bytes of what is shown, and of what is missed. */
type Entry = { readonly from: number; readonly to: number; readonly piece: LivePiece };

export type LiveTails = {
  /** `key` identifies the run of the step. */
  readonly append: (key: string, piece: LivePiece) => void;
  readonly drop: (key: string) => void;
  /** How many bytes the step has written, with those that are dropped. */
  readonly lengthOf: (key: string) => number;
  /** A reader that begins with the tails as they are. */
  readonly reader: () => () => LivePiece[];
};

/** With more steps, that of the one that has written nothing for longest is dropped. */
export function createLiveTails(most_steps = Number.POSITIVE_INFINITY): LiveTails {
  const tails = new Map<string, Entry[]>();
  return {
    append: (key, piece) => {
      const entries = tails.get(key) ?? [];
      // Set anew, because a Map keeps the order of insertion.
      tails.delete(key);
      const [oldest] = tails.size >= most_steps ? tails.keys() : [];
      if (oldest !== undefined) tails.delete(oldest);
      tails.set(key, entries);
      push(entries, piece);
    },
    drop: (key) => void tails.delete(key),
    lengthOf: (key) => tails.get(key)?.at(-1)?.to ?? 0,
    reader: () => createReader(tails),
  };
}

/** What is written for one task: `wake` is called when there is more to read. */
export type Filling = { readonly tails: LiveTails; readonly wake: () => void };

/** The tails of the tasks that somebody watches: `begin` is called for the first reader of a task, what it returns after the last one. */
export function createWatchedTails(
  begin: (task_id: string, filling: Filling) => () => void,
  most_steps?: number,
): LiveOutput {
  const tasks = new Map<
    string,
    { readonly tails: LiveTails; readonly readers: Set<() => void>; readonly end: () => void }
  >();
  const open = (task_id: string) => {
    const tails = createLiveTails(most_steps);
    const readers = new Set<() => void>();
    const wake = (): void => {
      for (const onMore of readers) onMore();
    };
    const task = { tails, readers, end: begin(task_id, { tails, wake }) };
    tasks.set(task_id, task);
    return task;
  };
  return {
    watch: (task_id, onMore) => {
      const { tails, readers, end } = tasks.get(task_id) ?? open(task_id);
      const wake = () => onMore();
      readers.add(wake);
      return {
        read: tails.reader(),
        close: () => {
          if (!readers.delete(wake) || readers.size > 0) return;
          tasks.delete(task_id);
          end();
        },
      };
    },
  };
}

function push(entries: Entry[], piece: LivePiece): void {
  const from = entries.at(-1)?.to ?? 0;
  const to = from + piece.missed_bytes + Buffer.byteLength(piece.text);
  entries.push({ from, to, piece });
  while (entries.length > 1 && to - (entries[0]?.from ?? 0) > TAIL) entries.shift();
}

function createReader(tails: ReadonlyMap<string, readonly Entry[]>): () => LivePiece[] {
  const positions = new Map<string, number>();
  return () => {
    for (const key of positions.keys()) if (!tails.has(key)) positions.delete(key);
    return [...tails].flatMap(([key, entries]) => {
      const position = positions.get(key) ?? 0;
      positions.set(key, entries.at(-1)?.to ?? position);
      const [first, ...rest] = entries.filter(({ to }) => to > position);
      if (first === undefined) return [];
      const missed_bytes = first.from - position + first.piece.missed_bytes;
      return [{ ...first.piece, missed_bytes }, ...rest.map(({ piece }) => piece)];
    });
  };
}
