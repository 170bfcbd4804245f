// Reads the events of a stream (text/event-stream) from the body of an answer, one after the other.
import { createParser, type EventSourceMessage } from "eventsource-parser";

type Listeners = {
  /** Called when the server says how long to wait before its stream is resumed. */
  readonly onRetry?: (wait_ms: number) => void;
  /** Called with the data of an event that a fault has cut off. */
  readonly onCut?: (data: string) => void;
};

export async function* readEvents(
  body: AsyncIterable<Uint8Array>,
  { onRetry = () => undefined, onCut }: Listeners = {},
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder();
  const read: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => read.push(event), onRetry });
  try {
    for await (const chunk of body) {
      parser.feed(decoder.decode(chunk, { stream: true }));
      yield* read.splice(0);
    }
  } catch (error) {
    parser.feed("\n\n");
    onCut?.(read.at(-1)?.data ?? "");
    throw error;
  }
}

/** Each chunk begins the timer anew; it is cleared once the body ends or is left. */
export async function* refreshing(body: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) {
      timer.refresh();
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}
