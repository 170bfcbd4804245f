// The body of an answer, whole or event by event, up to a size.
import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

async function* chunksOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new RangeError(`the answer has more than ${MAX_ANSWER_BYTES} bytes`);
    yield chunk;
  }
}

export async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(response)) chunks.push(chunk);
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** The data of each event that is a message. */
export async function* eventsOf(response: IncomingMessage): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const read: string[] = [];
  const parser = createParser({
    onEvent: ({ event = "message", data }) => {
      if (event === "message") read.push(data);
    },
  });
  for await (const chunk of chunksOf(response)) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* read.splice(0);
  }
}
