// The forms of a note in the servers' replies. Required fields are those that the skill uses; others are ignored.
import { z } from "zod";
import {
  type Child,
  type Children,
  type FoundNote,
  type Note,
  type NoteBrief,
  NoteId,
  NotesFault,
  type SearchQuery,
} from "../notes-server.ts";
import { head, unreadable } from "./read-reply.ts";

export const Brief = z.object({
  noteId: NoteId,
  title: z.string(),
  type: z.string(),
  isProtected: z.boolean().nullish(),
});
type Brief = z.infer<typeof Brief>;

/** Shown in place of the title of a note that its user protects, which a server gives encrypted, or in clear text while it is open. */
const HIDDEN_TITLE = "[protected]";

export const briefOf = ({ noteId, title, type, isProtected }: Brief): NoteBrief => ({
  note_id: noteId,
  title: isProtected === true ? HIDDEN_TITLE : title,
  type,
});

/** What is left of a note after a synchronisation: its place, without a title and a type. */
const Trace = z.object({ noteId: NoteId, title: z.null().optional(), type: z.null().optional() });
/** In place of a note that could not be read. */
const Unread = z.object({ noteId: NoteId, error: z.string() });
const Gap = z.union([Trace, Unread]);

/** The id in an entry of a list that is no note and belongs to one; null for any other entry. */
export const gapIn = (entry: unknown): string | null => Gap.safeParse(entry).data?.noteId ?? null;

const Listed = Brief.extend({ childCount: z.int().nonnegative().optional() });

/** The entries of a complete list of children. */
export function childrenOf(entries: readonly unknown[], tool: string): Children {
  const gaps = entries.flatMap((entry) => gapIn(entry) ?? []);
  const notes = entries
    .filter((entry) => gapIn(entry) === null)
    .map((entry): Child => {
      const { data, error } = Listed.safeParse(entry);
      if (data === undefined)
        throw unreadable(tool, `one of its notes is ${head(JSON.stringify(entry))}: ${z.prettifyError(error)}`);
      const { childCount } = data;
      return childCount === undefined ? briefOf(data) : { ...briefOf(data), child_count: childCount };
    });
  distinct(notes, tool);
  return { notes, gaps };
}

/** A note from get_note. Its parents are required: missing parents must not read as a note without parents. */
export const Meta = Brief.extend({
  parentNoteIds: z.array(NoteId),
  childNoteIds: z.array(NoteId).optional(),
  parentBranchIds: z.array(z.string()).optional(),
  childBranchIds: z.array(z.string()).optional(),
  blobId: z.string().min(1).optional(),
});
export type Meta = z.infer<typeof Meta>;

/** The parent of the root on some servers; not a note. */
const ABOVE_THE_ROOT = "none";

export const noteOf = (meta: Meta): Note => ({
  ...briefOf(meta),
  parent_note_ids: meta.parentNoteIds.filter((id) => id !== ABOVE_THE_ROOT),
  is_protected: meta.isProtected === true || meta.title === HIDDEN_TITLE,
});

/** A note is under a parent once. A list with a duplicate may have the right length and still be incomplete. */
export function distinct<T extends NoteBrief>(briefs: readonly T[], tool: string): readonly T[] {
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

/** `total` is the server's count, where it returns one. */
export function foundIn(hits: readonly Hit[], { limit }: SearchQuery, total = hits.length) {
  const found = hits
    .slice(0, limit)
    .map((hit): FoundNote => ({ ...briefOf(hit), parent_title: hit.parentTitle ?? null }));
  return { found, truncated: total > found.length };
}

/**
 * A title as one phrase in the servers' query language: as bare words it could be an expression (`#label`,
 * `note.title = x`, `this or that`), an id, or the beginning of a quotation.
 */
export const phraseOf = (title: string): string => `"${title.replace(/[\\"]/g, "\\$&")}"`;
