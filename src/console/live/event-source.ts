// Server-sent events read by fetch, because an EventSource cannot send the key of the session. Connects again after a break, with
// the id of the last event, so that nothing is missed.
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { CallProblem, send } from "../request.ts";

export type LiveState = "connecting" | "live" | "broken";

type Source = {
  readonly path: string;
  readonly onEvent: (event: EventSourceMessage) => void;
  readonly onState?: (state: LiveState) => void;
  /** The server has sent something, if only to say that it is there. */
  readonly onWord?: () => void;
  /** Events of the whole stream again, or from the position after which the server sends. */
  readonly after?: string | null;
};

/** The server sends a comment after 15 s of silence. */
export const SILENCE_MS = 40_000;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;

/** Returns what ends it. */
export function followEvents({
  path,
  onEvent,
  onState = () => {},
  onWord = () => {},
  after = null,
}: Source): () => void {
  const ended = new AbortController();
  void follow(ended.signal);
  return () => ended.abort();

  async function follow(signal: AbortSignal): Promise<void> {
    let last = after;
    for (let failed = 0; !signal.aborted; failed++) {
      onState(failed === 0 ? "connecting" : "broken");
      try {
        await read(signal, last, (event) => {
          failed = 0;
          if (event.id !== undefined && event.id !== "") last = event.id;
          onEvent(event);
        });
        failed = 0;
      } catch (error) {
        if (signal.aborted || isFinal(error)) return;
      }
      await pause(Math.min(LONGEST_RETRY_MS, RETRY_MS * 2 ** Math.min(failed, 4)), signal);
    }
  }

  async function read(signal: AbortSignal, last: string | null, take: (event: EventSourceMessage) => void) {
    const silent = new AbortController();
    let timer = setTimeout(() => silent.abort(), SILENCE_MS);
    try {
      const answer = await send(path, {
        method: "GET",
        signal: AbortSignal.any([signal, silent.signal]),
        headers: { Accept: "text/event-stream", ...(last !== null && { "Last-Event-ID": last }) },
      });
      onState("live");
      const parser = createParser({ onEvent: take });
      const text = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const part = await text?.read();
        if (part === undefined || part.done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silent.abort(), SILENCE_MS);
        onWord();
        parser.feed(part.value);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What no second try mends, in the words of the server: a proxy before it may refuse for a while, with any status. */
const isFinal = (error: unknown): boolean =>
  error instanceof CallProblem &&
  (error.code === "session_ended" || error.code === "task_not_found" || error.needs_scope !== null);

function pause(ms: number, signal: AbortSignal): Promise<void> {
  // Spread, so that many tabs do not come back at the same moment.
  const wait = ms * (0.5 + Math.random());
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, wait);
    signal.addEventListener("abort", () => resolve(clearTimeout(timer)), { once: true });
  });
}
