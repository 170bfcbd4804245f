// Reads along with an answer: how large it is, and whether it ends before what was asked for has come.
import type { Exchange } from "./exchange.ts";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** The SDK reads an answer a moment after its last byte has passed here. */
const READING_MS = 50;
/** A stream whose events have ids can be taken up again, and the SDK does so at once or when it was told to. */
const RESUMING_MS = 300_000;

/** The same answer, bounded. An exchange that waits for it is told when it ends without one, unless it is taken up again. */
export function watchAnswer(response: Response, exchange: Exchange | null): Response {
  const { resumed } = exchange ?? { resumed: 0 };
  const lost = (why: string, after_ms = READING_MS) => {
    if (exchange === null) return;
    const tell = () => exchange.resumed === resumed && exchange.onLost(why);
    setTimeout(tell, after_ms).unref();
  };
  if (response.status === 202) lost("the server has accepted the call and does not answer it");
  const { status, headers } = response;
  const body = response.body === null ? null : ReadableStream.from(watched(response.body, lost));
  return new Response(body, { status, headers });
}

type Lost = (why: string, after_ms?: number) => void;

async function* watched(body: ReadableStream<Uint8Array>, lost: Lost): AsyncGenerator<Uint8Array> {
  const seesId = idWatch();
  let size = 0;
  let resumable = false;
  const wait = () => (resumable ? RESUMING_MS : READING_MS);
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) throw new Error(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
      resumable ||= seesId(chunk);
      yield chunk;
    }
    lost("the connection ended before the answer came", wait());
  } catch (error) {
    lost(`the connection was lost before the answer came: ${messageOf(error)}`, wait());
    throw error;
  }
}

/** Whether a line of an event gives it an id, wherever the text is cut. */
function idWatch(): (chunk: Uint8Array) => boolean {
  const decoder = new TextDecoder();
  let line = "";
  return (chunk) => {
    const text = line + decoder.decode(chunk, { stream: true });
    const rest = text.slice(text.lastIndexOf("\n") + 1);
    // Of a line that is no id yet and too long to become one, only that it has begun.
    line = rest.length > 8 ? "-" : rest;
    return /^id: ?\S/m.test(text);
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
