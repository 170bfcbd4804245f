// Writes the journal of a task, and what its running steps write, as server-sent events. What a step writes is sent after its
// start and never after its end (D-397), and waits for a slow reader without being kept for it.
import type { z } from "zod";
import type { LiveOutput, LivePiece } from "../domain/live-output.ts";
import { hasEnded } from "../domain/outcome.ts";
import type { readJournal } from "../operations/shapes/journal.ts";
import { keepAlive, type SendEvent, SILENCE_SECONDS } from "./event-stream.ts";
import { createRunningSteps } from "./running-steps.ts";

export const PAGE = 500;

type Page = z.output<(typeof readJournal)["output"]>;
export type ReadPage = (after: number, wait_seconds: number, signal: AbortSignal) => Promise<Page>;
type Source = {
  readonly read: ReadPage;
  readonly watch: (onMore: () => void) => ReturnType<LiveOutput["watch"]>;
  /** The last event that the reader has. */
  readonly after: number;
};

/** Resolves when the task has ended, or the signal aborts. */
export async function writeJournal(
  { read, watch, after }: Source,
  send: SendEvent,
  signal: AbortSignal,
  first: Page,
): Promise<void> {
  let more = new AbortController();
  const steps = createRunningSteps(after, PAGE, async (from) => (await read(from, 0, signal)).events);
  const reader = watch(() => more.abort());
  try {
    let pieces: LivePiece[] = [];
    for (let page = first; !signal.aborted; ) {
      const { events, status, next_after } = page;
      const isWhole = events.length < PAGE;
      for (const event of events) await send(`id: ${event.seq}\ndata: ${JSON.stringify(event)}`);
      steps.follow(events);
      if (isWhole) {
        // What was written before these events were read belongs to a step whose start they, or earlier ones, hold.
        for (const piece of pieces) if (await steps.runs(piece)) await send(namedEvent("output", piece));
        if (events.length > 0 || hasEnded(status)) await send(namedEvent("status", { status }));
        if (hasEnded(status)) return;
      }
      more = new AbortController();
      if (isWhole) pieces = reader.read();
      const waits = isWhole && pieces.length === 0;
      const begun = performance.now();
      page = await read(next_after, waits ? SILENCE_SECONDS : 0, AbortSignal.any([signal, more.signal]));
      if (!waits || page.events.length > 0 || more.signal.aborted || hasEnded(page.status)) continue;
      await keepAlive(send, begun, signal);
    }
  } finally {
    reader.close();
  }
}

const namedEvent = (name: string, data: unknown): string => `event: ${name}\ndata: ${JSON.stringify(data)}`;
