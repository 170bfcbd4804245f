// Titles and numbers in sentences for humans. A title is data: it is quoted and cannot act on a terminal or form a line of its
// own.

const MAX_TITLE = 80;
const MAX_EXCERPT = 500;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Whole, in quotes: an approval shows titles uncut. */
export const quoted = (title: string): string => JSON.stringify(title).replace(UNPRINTABLE, escaped);

/** In quotes, at most 80 characters. */
export const shortly = (title: string): string => quoted(cut(title, MAX_TITLE));

/** Text of another program within a message. */
export const excerpt = (words: string): string => cut(words, MAX_EXCERPT).replace(UNPRINTABLE, escaped);

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join("")}…`;
}

type Named = { readonly note_id: string; readonly title: string | null };

/** As in `"Meeting 1" (abc123)`. */
export const named = ({ note_id, title }: Named): string =>
  title === null ? note_id : `${shortly(title)} (${note_id})`;

/** As in `1 note` and `12 notes`. */
export const counted = (count: number, noun = "note"): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The first few items, and the number of the others. */
export function listed(items: readonly string[], most = 5): string {
  const rest = items.length - most;
  return rest <= 0 ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${rest} more`;
}
