// Finds notes by their title in the query language of the application (spec section 4, resolve_target_note). A phrase is
// looked for in types and labels too, and by likeness: among many notes the one that has the title could be cut off.
import type { Found } from "../notes-server.ts";
import { phraseOf } from "./shapes.ts";

type Search = { readonly found: readonly Found[]; readonly truncated: boolean };

/** Those that have the title, in capitals or not; only where there are none, whatever the phrase finds. */
export async function byTitle(title: string, ask: (query: string) => Promise<Search>): Promise<Search> {
  const exact = await ask(exactly(title));
  return exact.found.length > 0 ? exact : ask(phraseOf(title));
}

/** By a regular expression: `=` means the whole title on some versions, and a part of it on others. */
const exactly = (title: string): string =>
  `note.title %= ${phraseOf(`^${title.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`)}`;
