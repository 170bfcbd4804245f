// Finds the notes above a note, which are a set because a note may have several parents, and says what their place means: whether
// the note is public, and whether a user sees it.
import { digestOf } from "../../src/domain/json.ts";
import { type Note, NotesFault } from "./notes-server.ts";

export const ROOT = "root";
/** The name of the root's parent on servers that return one. */
export const NONE = "none";

const MAX_ABOVE = 1_000;

const TOP: Note = { note_id: ROOT, title: ROOT, type: "text", parent_note_ids: [], is_protected: false };

/** `above` contains the note itself and all notes above it in any of its places. */
export type Lineage = { readonly note: Note; readonly above: ReadonlyMap<string, Note> };

export type ReadNote = (note_id: string) => Promise<Note | null>;

/** Reads each note once. */
export function remembering<T>(read: (note_id: string) => Promise<T>): (note_id: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (note_id) => {
    const before = known.get(note_id);
    if (before !== undefined) return before;
    const reading = read(note_id);
    known.set(note_id, reading);
    return reading;
  };
}

/** Null when the note does not exist. Ends on cyclic data too, and fails on data that cannot be a tree. */
export async function lineageOf(note_id: string, read: ReadNote): Promise<Lineage | null> {
  const note = await read(note_id);
  if (note === null) return null;
  const above = new Map([[note_id, note]]);
  let level = [note];
  while (level.length > 0) {
    const parents = new Set(level.flatMap((one) => (one.note_id === ROOT ? [] : one.parent_note_ids)));
    // Each application has a root, in one place, which is never moved: it is not read.
    if (parents.has(ROOT)) above.set(ROOT, TOP);
    const next = [...parents].filter((id) => id !== NONE && !above.has(id));
    if (above.size + next.length > MAX_ABOVE)
      throw new NotesFault("incomplete", `${note_id} has more than ${MAX_ABOVE} notes above it`);
    level = (await Promise.all(next.map(read))).filter((one) => one !== null);
    for (const one of level) above.set(one.note_id, one);
  }
  return { note, above };
}

/** The titles from below the root to the note, along the first parent of each note, as in `Projects / 2026`. */
export function pathOf({ note, above }: Lineage): string {
  const titles = [note.title];
  const seen = new Set([note.note_id]);
  let at: Note | undefined = parentIn(above, note);
  while (at !== undefined && at.note_id !== ROOT && !seen.has(at.note_id)) {
    titles.unshift(at.title);
    seen.add(at.note_id);
    at = parentIn(above, at);
  }
  return titles.join(" / ");
}

const parentIn = (above: Lineage["above"], { parent_note_ids }: Note): Note | undefined =>
  parent_note_ids.map((id) => above.get(id)).find((parent) => parent !== undefined);

/** A note below this one is published with everything below it. */
const SHARED = "_share";

export const isPublic = ({ above }: Lineage): boolean => above.has(SHARED);

/**
 * Returns whether a user sees the note: at least one way from the root to it contains no note of the system, and the user's tree shows
 * only such notes (D-260).
 */
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
