// The content of a note before and after a change. Servers turn Markdown into their own format and back, so what was written
// is compared by its letters and digits; what was there is kept as digests only, since a journal is no place for notes.
import { sha256 } from "../../src/domain/json.ts";

/** `digest` is of the content as the server shows it, the other two are of its letters and digits. */
export type Text = { digest: string; length: number; letters_digest: string };

type Change = { readonly mode: "replace" | "append"; readonly content: string };

export function textOf(content: string): Text {
  const letters = lettersOf(content);
  return { digest: sha256(content), length: letters.length, letters_digest: sha256(letters) };
}

/** Whether `now` is what the change makes of `before`. Content without a letter or digit shows by any difference at all. */
export function changedAs({ mode, content }: Change, before: Text, now: string): boolean {
  const [written, seen] = [lettersOf(content), lettersOf(now)];
  if (mode === "replace" && now === content) return true;
  if (written === "" && sha256(now) === before.digest) return false;
  if (mode === "replace") return seen === written;
  const isKept = sha256(seen.slice(0, before.length)) === before.letters_digest;
  return isKept && seen.length >= before.length + written.length && seen.endsWith(written);
}

const lettersOf = (text: string): string => text.normalize("NFC").replace(/[^\p{L}\p{N}]/gu, "");
