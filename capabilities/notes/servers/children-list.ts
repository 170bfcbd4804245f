// Notes servers with list_children_notes. They have no tool for a tree, never report success explicitly, and respond to a
// change of content with a sentence. Content is written under the hash of the existing content.
import { z } from "zod";
import { NoteId } from "../note-id.ts";
import { NotesFault, type NotesServer, type SearchQuery } from "../notes-server.ts";
import { type CallTool, createReader, type Reader, unreadable } from "./read-reply.ts";
import { childrenOf, foundIn, Hit, incomplete, Meta, noteOf } from "./shapes.ts";
import { confirmsMove, writtenBy } from "./write-reply.ts";
import { type Hashed, writeUnderHash } from "./write-under-hash.ts";

export const CHILDREN_LIST_TOOLS = [
  "list_children_notes",
  "get_note",
  "search_notes",
  "move_note",
  "update_note",
] as const;

const Children = z.object({
  parentNoteId: NoteId,
  totalChildCount: z.int().nonnegative(),
  fetchedCount: z.int().nonnegative(),
  children: z.array(z.unknown()),
});

const Hits = z.array(Hit);

/** The server puts an error code before its message, and passes on messages of the application. */
function saysMissing(message: string, note_id: string): boolean {
  const words = message.replace(/^(MCP error -?\d+: )+/, "");
  return (
    words === "Request failed with status code 404" ||
    words.startsWith(`Note '${note_id}' not found`) ||
    words === `Note ${note_id} not found`
  );
}

export function createChildrenListServer(call: CallTool): NotesServer {
  const reader = createReader(call, saysMissing);
  const metaOf = (note_id: string) =>
    reader.aboutNote(note_id, { tool: "get_note", args: { includeContent: false } }, Meta);

  return {
    chooses_place: true,
    keeps_prefix: false,
    tree: null,
    under: null,
    children: async (note_id) => {
      const tool = "list_children_notes";
      const list = await reader.aboutNote(note_id, { tool, args: {} }, Children);
      if (list === null) return null;
      const { parentNoteId, totalChildCount, fetchedCount, children } = list;
      if (parentNoteId !== note_id)
        throw unreadable(tool, `it lists the children of ${parentNoteId}, not of ${note_id}`);
      const read = Math.min(fetchedCount, children.length);
      if (read < totalChildCount) throw incomplete(note_id, read, totalChildCount);
      // For a note that does not exist it returns no children, as for a note without children.
      if (children.length === 0 && (await metaOf(note_id)) === null) return null;
      return childrenOf(children, tool);
    },
    note: async (note_id) => {
      const meta = await metaOf(note_id);
      return meta && noteOf(meta);
    },
    search: async (query) => {
      const hits = await reader.ask({ tool: "search_notes", args: criteriaOf(query) }, Hits);
      return foundIn(hits, query);
    },
    content: async (note_id) => (await contentOf(note_id, reader))?.content ?? null,
    text_form: "html",
    keeps_revisions: true,
    move: async (move) => {
      const tool = "move_note";
      // Ignored for a note in one place; of several, only this one is moved.
      const branchId = `${move.from}_${move.note_id}`;
      const args = { noteId: move.note_id, newParentNoteId: move.to, branchId };
      return writtenBy(await call(tool, args), tool, confirmsMove(tool, move));
    },
    setContent: (change) => writeUnderHash(change, call, (note_id) => contentOf(note_id, reader)),
  };
}

/**
 * Criteria instead of a text: the server reads its own limit as two more words of a text, and cannot restrict a text search. It
 * escapes a quote but not a backslash. It returns no count, so one more than the limit is requested to see if there are more.
 */
function criteriaOf({ title, ancestor_note_id, limit }: SearchQuery) {
  const property = (name: string, op: string, value: string) => ({
    type: "noteProperty",
    property: name,
    op,
    logic: "AND",
    value: value.replaceAll("\\", "\\\\"),
  });
  const within = ancestor_note_id === null ? [] : [property("ancestors.noteId", "=", ancestor_note_id)];
  return { searchCriteria: [property("title", "contains", title), ...within], limit: limit + 1 };
}

const Full = z.object({
  noteId: z.string(),
  type: z.string(),
  content: z.string().optional(),
  contentHash: z.string().optional(),
  blobId: z.string().min(1).optional(),
});

/** Empty content is left out, and so is that of files; the hash exists when the content was read. */
async function contentOf(note_id: string, reader: Reader): Promise<Hashed | null> {
  const tool = "get_note";
  const full = await reader.aboutNote(note_id, { tool, args: { includeContent: true } }, Full);
  if (full === null) return null;
  const { content, contentHash, blobId = contentHash, type } = full;
  if (content !== undefined) return { content, hash: blobId };
  if (contentHash !== undefined && type !== "file" && type !== "image") return { content: "", hash: blobId };
  throw new NotesFault("unreadable", `${tool} gives no content of the note ${note_id}, which is of type ${type}`);
}
