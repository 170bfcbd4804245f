// What the place of a note means beyond the place: whether it is public, whether a user sees it, and what an approval of a
// place is bound to (D-260).
import { digestOf } from "../../src/domain/json.ts";
import { type Lineage, ROOT } from "./ancestors.ts";

/** A note below this one is published with everything below it. */
const SHARED = "_share";

export const isPublic = ({ above }: Lineage): boolean => above.has(SHARED);

/** Whether some way from the root to the note contains no note of the system: the user's tree shows no others. */
export function isVisible({ note, above }: Lineage): boolean {
  const reached = new Set([note.note_id]);
  for (const note_id of reached) {
    if (note_id === ROOT) return true;
    if (note_id.startsWith("_")) continue;
    for (const parent of above.get(note_id)?.parent_note_ids ?? []) reached.add(parent);
  }
  return false;
}

/** Changes when the note, or any note above it, is moved, shown in one more place, or removed from one. */
export const boundTo = ({ above }: Lineage): string =>
  digestOf(
    [...above].map(([note_id, { parent_note_ids }]) => [note_id, ...parent_note_ids.toSorted()].join(" ")).toSorted(),
  ).slice(0, 16);
