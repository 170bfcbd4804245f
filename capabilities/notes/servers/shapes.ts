// Notes as the servers write them down: what is relied on is required, everything else is let through and not looked at.
import { z } from "zod";
import { NoteId } from "../note-id.ts";
import { type Found, type Note, type NoteBrief, NotesFault, type SearchQuery } from "../notes-server.ts";
import { unreadable } from "./read-reply.ts";

export const Brief = z.object({ noteId: NoteId, title: z.string(), type: z.string() });
type Brief = z.infer<typeof Brief>;

export const briefOf = ({ noteId, title, type }: Brief): NoteBrief => ({ note_id: noteId, title, type });

/** One note by get_note. Without its parents it is of no use, and no note is taken to have none because they are missing. */
export const Meta = Brief.extend({
  parentNoteIds: z.array(NoteId),
  isProtected: z.boolean().nullish(),
  childNoteIds: z.array(NoteId).optional(),
  blobId: z.string().min(1).optional(),
});
export type Meta = z.infer<typeof Meta>;

/** What is shown in the place of a title that cannot be read. */
const HIDDEN_TITLE = "[protected]";
/** What the root hangs from on some servers, and what is no note. */
const ABOVE_THE_ROOT = "none";

export const noteOf = (meta: Meta): Note => ({
  ...briefOf(meta),
  parent_note_ids: meta.parentNoteIds.filter((id) => id !== ABOVE_THE_ROOT),
  is_protected: meta.isProtected === true || meta.title === HIDDEN_TITLE,
});

/** A note is under a parent once: a list that says otherwise could be as long as it should be, and not complete. */
export function distinct(briefs: readonly NoteBrief[], tool: string): readonly NoteBrief[] {
  const ids = new Set<string>();
  for (const { note_id } of briefs) {
    if (ids.has(note_id)) throw unreadable(tool, `it lists the note ${note_id} twice`);
    ids.add(note_id);
  }
  return briefs;
}

export const incomplete = (note_id: string, read: number, of: number): NotesFault =>
  new NotesFault("incomplete", `only ${read} of ${of} children of the note ${note_id} could be read`);

export const Hit = Brief.extend({ parentTitle: z.string().nullish() });
type Hit = z.infer<typeof Hit>;

/** `total` as the server counts them, where it does. */
export function foundIn(hits: readonly Hit[], { limit }: SearchQuery, total = hits.length) {
  const found = hits.slice(0, limit).map((hit): Found => ({ ...briefOf(hit), parent_title: hit.parentTitle ?? null }));
  return { found, truncated: total > found.length };
}

/**
 * A title as one phrase, in the query language of the servers: as bare words it could be an expression of theirs (`#label`,
 * `note.title = x`, `this or that`), an id to look up, or the beginning of a quotation.
 */
export const phraseOf = (title: string): string => `"${title.replace(/[\\"]/g, "\\$&")}"`;
