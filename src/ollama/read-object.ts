// Reads the text of an answer that is one JSON object, and ends with it: a small model may write blanks after the object until its limit.
import { parseJson } from "../domain/json-values.ts";

/** How long text after the object is waited for. */
const AFTER_MS = 500;

/**
 * Ends early where the object is complete and a piece of blanks follows it, or nothing for half a second: what comes after that is not seen.
 * Text that follows at once is read to its end, so that an answer that says more is not taken for the object.
 */
export async function readObject(chunks: AsyncIterable<{ readonly text: string }>): Promise<string> {
  const reading = chunks[Symbol.asyncIterator]();
  let text = "";
  for (;;) {
    const isClosed = closes(text);
    const next = reading.next();
    const read = isClosed ? await orNullAfter(AFTER_MS, next) : await next;
    if (read === null || read.done === true) return text;
    const { text: part } = read.value;
    if (isClosed && part !== "" && part.trim() === "") return text;
    text += part;
  }
}

const closes = (text: string): boolean => text.trimEnd().endsWith("}") && parseJson(text) !== undefined;

/** Null when it takes longer. */
async function orNullAfter<T>(limit_ms: number, promise: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), limit_ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
