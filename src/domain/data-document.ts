// Encodes machine output for a model: values of one JSON document, long text as head and tail [4.gate.error_prompt].
// Therefore the text cannot pass for an instruction or for a message of another role.

/** `omitted_bytes` counts the bytes between `head` and `tail`. */
export type DataExcerpt = { readonly head: string; readonly omitted_bytes: number; readonly tail: string };

/** The text, or its first and last `half_bytes` of UTF-8 when it is longer than twice `half_bytes`. */
export function excerpt(text: string, half_bytes: number): string | DataExcerpt {
  const bytes = Buffer.from(text);
  if (bytes.length <= 2 * half_bytes) return text;
  // A streaming decoder holds back a character that the cut splits. The tail begins at a whole character.
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, half_bytes), { stream: true });
  let start = bytes.length - half_bytes;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const tail = bytes.toString("utf8", start);
  return { head, omitted_bytes: start - Buffer.byteLength(head), tail };
}

/** The excerpt as one text, with a note between head and tail that counts the omitted bytes. */
export function shortened(text: string, half_bytes: number): string {
  const shown = excerpt(text, half_bytes);
  return typeof shown === "string" ? shown : `${shown.head}\n[${shown.omitted_bytes} bytes left out]\n${shown.tail}`;
}

const BRACKET = /\[(?=\/?[A-Z_]+\])/g;

/** Model servers interpret control tokens (`<|im_start|>`, `[INST]`) in user text, so JSON escapes hide them. */
export const dataDocument = (data: object): string =>
  JSON.stringify(data).replaceAll("<", "\\u003c").replace(BRACKET, "\\u005b");

/** The same for a text that is not JSON. A comparison (`<`, `<=`) stays, because a schema may list it as a value. */
export const withoutControlTokens = (text: string): string =>
  text.replace(/<(?=[|｜/\w])/g, "\\u003c").replace(BRACKET, "\\u005b");
