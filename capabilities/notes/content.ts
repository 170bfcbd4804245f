// Compares the content of a note before and after a change. Servers convert Markdown to their own format and back, so letters
// and digits are compared (D-126). The journal contains only digests, because it is no place for the text of notes.
import { sha256 } from "../../src/domain/json.ts";

/** `digest` is of the content as the server returns it; the other two are of its letters and digits. */
export type Text = { digest: string; length: number; letters_digest: string };

/** `title` is the note's: a server shows it above the content and drops a first heading that repeats it. */
type Change = { readonly mode: "replace" | "append"; readonly content: string; readonly title?: string };

export function textOf(content: string): Text {
  const letters = lettersOf(content);
  return { digest: sha256(content), length: letters.length, letters_digest: sha256(letters) };
}

/** Whether `now` is the result of the change to `before`. Unchanged content was not written. */
export function changedAs({ mode, content, title }: Change, before: Text, now: string): boolean {
  if (mode === "replace" && now === content) return true;
  if (sha256(now) === before.digest) return false;
  const short = title === undefined ? "" : lettersOf(withoutHeading(content, title));
  return isSeen(mode, lettersOf(content), before, now) || (short !== "" && isSeen(mode, short, before, now));
}

function isSeen(mode: Change["mode"], written: string, before: Text, now: string): boolean {
  const seen = lettersOf(now);
  if (mode === "replace") return seen === written;
  const isKept = sha256(seen.slice(0, before.length)) === before.letters_digest;
  return isKept && seen.length >= before.length + written.length && seen.endsWith(written);
}

/** Whether the content has anything to compare. */
export const hasLetters = (content: string): boolean => lettersOf(content) !== "";

const letters = (text: string): string => text.normalize("NFC").replace(/[^\p{L}\p{N}]/gu, "");

/** Without what servers add or renumber: an address as a link to itself, and the numbers of a list. */
const lettersOf = (text: string): string =>
  letters(
    text
      .replace(/\[([^\][\n]+)\]\(<?([^()\s<>]+)>?\)/g, (link, words: string, address: string) =>
        isItself(letters(words), letters(address)) ? words : link,
      )
      .replace(/^[ \t>]*\d{1,9}\\?[.)]\s/gm, ""),
  );

const isItself = (words: string, address: string): boolean =>
  ["", "http", "https", "mailto"].some((scheme) => address === `${scheme}${words}`);

function withoutHeading(content: string, title: string): string {
  const [all = "", hashed, underlined] = /^# +(.*)$|^(.*)\n=+[ \t]*$/m.exec(content) ?? [];
  return (hashed ?? underlined)?.trim() === title.trim() ? content.replace(all, () => "") : content;
}
