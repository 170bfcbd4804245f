// What steps write while they run, for those who watch (D-196): the last 64 KiB of each running step, without secrets, in
// memory. Every reader has a position in it and nothing of its own, so that a slow reader costs no memory.
import type { LiveOutput, LivePiece, StepRun } from "../domain/live-output.ts";
import { createGrowingText, type GrowingText } from "../redact/growing-text.ts";
import type { Redact } from "../redact/redact.ts";
import type { CommandRunner, ReceiveLive } from "./local/runner/command-runner.ts";
import type { LiveBytes } from "./local/runner/live-sender.ts";

const TAIL = 64 * 1024;

type Sources = {
  readonly watch: CommandRunner["watch"];
  readonly redact: Redact;
  /** Where a known secret begins that the text may end within. */
  readonly beginningOf: (text: string) => number;
};

/** Positions count bytes of what is shown, and of what is missed. */
type Entry = { readonly from: number; readonly to: number; readonly piece: LivePiece };
type Tail = {
  readonly entries: Entry[];
  readonly texts: Map<LiveBytes["stream"], GrowingText>;
};

/** By step and attempt. */
type Tails = Map<string, Tail>;

export function createLiveOutput(sources: Sources): LiveOutput {
  const tasks = new Map<string, { readonly tails: Tails; readonly readers: Set<() => void> }>();
  const begin = (task_id: string) => {
    const tails: Tails = new Map();
    const readers = new Set<() => void>();
    sources.watch(task_id, (step, live) => {
      if (receive(sources, tails, step, live)) for (const onMore of readers) onMore();
    });
    const task = { tails, readers };
    tasks.set(task_id, task);
    return task;
  };
  return {
    watch: (task_id, onMore) => {
      const { tails, readers } = tasks.get(task_id) ?? begin(task_id);
      const wake = () => onMore();
      readers.add(wake);
      return {
        read: createReader(tails),
        close: () => {
          if (!readers.delete(wake) || readers.size > 0) return;
          tasks.delete(task_id);
          sources.watch(task_id, null);
        },
      };
    },
  };
}

/** The position of a reader is the only thing that is kept for it. */
function createReader(tails: Tails): () => LivePiece[] {
  const positions = new Map<string, number>();
  return () => {
    for (const key of positions.keys()) if (!tails.has(key)) positions.delete(key);
    return [...tails].flatMap(([key, { entries }]) => {
      const position = positions.get(key) ?? 0;
      positions.set(key, entries.at(-1)?.to ?? position);
      const [first, ...rest] = entries.filter(({ to }) => to > position);
      if (first === undefined) return [];
      const missed_bytes = first.from - position + first.piece.missed_bytes;
      return [{ ...first.piece, missed_bytes }, ...rest.map(({ piece }) => piece)];
    });
  };
}

/** Whether there is more to read. */
function receive({ redact, beginningOf }: Sources, tails: Tails, ...[step, live]: Parameters<ReceiveLive>): boolean {
  const key = `${step.index} ${step.attempt}`;
  if (live === null) {
    tails.delete(key);
    return false;
  }
  const tail = tails.get(key) ?? { entries: [], texts: new Map() };
  tails.set(key, tail);
  if (live.first) tail.texts.set(live.stream, createGrowingText(redact, beginningOf));
  const released = tail.texts.get(live.stream)?.push({ ...live, bytes: Buffer.from(live.bytes, "base64") });
  if (released === undefined || released.text === "") return false;
  append(tail.entries, pieceOf(step, live.stream, released));
  return true;
}

const pieceOf = (
  { index, attempt }: StepRun,
  stream: LiveBytes["stream"],
  released: Pick<LivePiece, "text" | "missed_bytes">,
): LivePiece => ({ index, attempt, stream, ...released });

function append(entries: Entry[], piece: LivePiece): void {
  const from = entries.at(-1)?.to ?? 0;
  const to = from + piece.missed_bytes + Buffer.byteLength(piece.text);
  entries.push({ from, to, piece });
  while (entries.length > 1 && to - (entries[0]?.from ?? 0) > TAIL) entries.shift();
}
