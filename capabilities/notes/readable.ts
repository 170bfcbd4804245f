// Titles and numbers in sentences for humans. A title is data: it is quoted, and nothing in it can act on a terminal or
// read as a line of its own.

const MAX_TITLE = 80;
const MAX_SAID = 500;
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** In full, in quotes: what is approved is shown whole. */
export const quoted = (title: string): string => JSON.stringify(title).replace(UNPRINTABLE, escaped);

/** In quotes, at most 80 characters of it. */
export const shortly = (title: string): string => quoted(cut(title, MAX_TITLE));

/** Somebody else's words within a sentence of ours. */
export const said = (words: string): string => cut(words, MAX_SAID).replace(UNPRINTABLE, escaped);

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

/** The first few of many, and how many there are beside them. */
export function listed(items: readonly string[], most = 5): string {
  const rest = items.length - most;
  return rest <= 0 ? items.join(", ") : `${items.slice(0, most).join(", ")} and ${rest} more`;
}
