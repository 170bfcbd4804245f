// Parses JSON from outside, before a schema checks it.

/** Undefined when the text is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
