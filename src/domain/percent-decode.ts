// Percent-encoded text, as the user name and the password of a URL are.

/** The text itself when it is not encoded correctly: a stray % is then part of it. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
