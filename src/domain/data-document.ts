// Machine output as a model reads it: values of one JSON document, long text as head and tail, so that none of it can pass for
// an instruction or for a message of another role.

/** `omitted_bytes` are those between the two. */
export type DataExcerpt = { readonly head: string; readonly omitted_bytes: number; readonly tail: string };

/** The text, or its first and last `half_bytes` in UTF-8 where it is longer than both. */
export function excerpt(text: string, half_bytes: number): string | DataExcerpt {
  const bytes = Buffer.from(text);
  if (bytes.length <= 2 * half_bytes) return text;
  // Decoding as a stream holds back a character that the cut has split; the tail begins at a whole one.
  const head = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, half_bytes), { stream: true });
  let start = bytes.length - half_bytes;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const tail = bytes.toString("utf8", start);
  return { head, omitted_bytes: start - Buffer.byteLength(head), tail };
}

/** The same as one text, which says between the two what is missing. */
export function shortened(text: string, half_bytes: number): string {
  const shown = excerpt(text, half_bytes);
  return typeof shown === "string" ? shown : `${shown.head}\n[${shown.omitted_bytes} bytes left out]\n${shown.tail}`;
}

/** Model servers also read control tokens (`<|im_start|>`, `[INST]`) in a user's text; in JSON they can be written otherwise. */
export const dataDocument = (data: object): string =>
  JSON.stringify(data)
    .replaceAll("<", "\\u003c")
    .replace(/\[(?=\/?[A-Z_]+\])/g, "\\u005b");
