// Reads which message a body holds that is refused, without its arguments: a body of any size costs no memory, wherever the id is.
import { z } from "zod";
import { parseJson } from "../domain/json-values.ts";

const MAX_KEPT_BYTES = 4 * 1024;
/** The message and its params. */
const DEPTH = 2;

const Outline = z.object({
  /** Absent in a notification. */
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.object({ name: z.string() }).optional().catch(undefined),
});
export type Outline = z.infer<typeof Outline>;

/** Null where the body holds no message, ends early or has more than `max_bytes`: it is not read to its end then. */
export async function readOutline(body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<Outline | null> {
  const text = await outerLevels(body, max_bytes).catch(() => null);
  return text === null ? null : (Outline.safeParse(parseJson(text)).data ?? null);
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** The JSON text, in which objects and arrays further inside are empty. */
async function outerLevels(body: AsyncIterable<Uint8Array>, max_bytes: number): Promise<string | null> {
  const kept: number[] = [];
  let [size, depth, isText, isEscaped] = [0, 0, false, false];
  for await (const chunk of body) {
    size += chunk.length;
    if (size > max_bytes) return null;
    for (const byte of chunk) {
      if (isText) {
        isText = isEscaped || byte !== QUOTE;
        isEscaped = !isEscaped && byte === BACKSLASH;
      } else {
        isText = byte === QUOTE;
        if (CLOSING.has(byte)) depth -= 1;
      }
      if (depth <= DEPTH) kept.push(byte);
      if (!isText && OPENING.has(byte)) depth += 1;
    }
    if (kept.length > MAX_KEPT_BYTES) return null;
  }
  return Buffer.from(kept).toString("utf8");
}
