// Reads the text of an answer that is one JSON object. It ends soon after the object: a small model may write blanks until its limit.
import { parseJson } from "../domain/json-values.ts";

/** A model that goes on after its object was seen to write a line break or two before it. */
const MOST_BLANKS = 8;

/**
 * Ends with the stream, or at the eighth piece of blanks after the object. Text before that is read to its end, so that the answer is not
 * taken for the object; what comes later is not seen. A stream that is silent after the object is waited for: it has not ended.
 */
export async function readObject(chunks: AsyncIterable<{ readonly text: string }>): Promise<string> {
  let text = "";
  let blanks = 0;
  for await (const { text: part } of chunks) {
    if (part !== "" && part.trim() === "" && closes(text)) blanks += 1;
    if (blanks === MOST_BLANKS) break;
    text += part;
  }
  return text;
}

const closes = (text: string): boolean => text.trimEnd().endsWith("}") && parseJson(text) !== undefined;
