// Finds notes by title in the query language of the application. A phrase also matches types and labels, and similar text, so
// the note with the title could be cut off among many.
import type { FoundNote } from "../notes-server.ts";
import { phraseOf } from "./shapes.ts";

type Search = { readonly found: readonly FoundNote[]; readonly truncated: boolean };

/** Notes with the title, ignoring case; if there are none, the matches of the phrase. */
export async function byTitle(title: string, ask: (query: string) => Promise<Search>): Promise<Search> {
  const exact = await ask(exactly(title));
  return exact.found.length > 0 ? exact : ask(phraseOf(title));
}

/** By a regular expression: `=` compares the whole title on some versions and a part of it on others. */
const exactly = (title: string): string =>
  `note.title %= ${phraseOf(`^${title.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`)}`;
