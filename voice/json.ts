// JSON from outside, before a schema looks at it.

/** Undefined where the text is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
