// Reads an Ollama answer before the client library does. The library prints to the console what it cannot parse, takes a
// cut answer for a whole one, and reads without limit; here each of these is a fault, and the socket is closed.
import { z } from "zod";
import { doubledField } from "../domain/json-text.ts";
import { parseJson } from "../domain/json-values.ts";
import { fault, knownFault } from "./fault.ts";

const ToolCall = z.looseObject({ function: z.looseObject({ name: z.string() }) });

const Chunk = z.union([
  z.looseObject({ error: z.unknown().refine((error) => error !== undefined) }),
  z.looseObject({
    message: z.looseObject({
      content: z.string().nullish(),
      thinking: z.string().nullish(),
      tool_calls: z.array(ToolCall).nullish(),
    }),
    done: z.boolean(),
    done_reason: z.string().optional(),
  }),
]);

async function* linesOf(body: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = "";
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > max_bytes) throw fault("truncated", `longer than ${max_bytes} bytes`);
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest + decoder.decode();
}

/** The value of a JSON text; throws a fault without quoting it. Two fields of one name say two things, so none of them counts. */
export function jsonIn(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined) throw fault("not_json");
  if (doubledField(text) !== null) throw fault("wrong_shape", "a field is there twice");
  return value;
}

function isLast(line: string): boolean {
  const chunk = Chunk.safeParse(jsonIn(line));
  if (!chunk.success) throw fault("wrong_shape", "not an Ollama stream");
  if ("error" in chunk.data) throw knownFault(String(chunk.data.error)) ?? fault("model_error");
  if (chunk.data.done_reason === "length") throw fault("truncated", "the model's answer was cut by its length");
  return chunk.data.done === true;
}

/** The lines of the stream up to and with the last one, each known to be a chunk. Throws a fault at the first that is not. */
export async function* checkedStream(body: AsyncIterable<Uint8Array>, max_bytes: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let last: string | null = null;
  for await (const line of linesOf(body, max_bytes)) {
    if (line.trim() === "") continue;
    if (isLast(line)) {
      last = line;
      break;
    }
    yield encoder.encode(`${line}\n`);
  }
  if (last === null) throw fault("truncated", "the stream ended early");
  // Only after the loop: leaving it has closed the body, and a reader that has the last line does not ask again.
  yield encoder.encode(`${last}\n`);
}
