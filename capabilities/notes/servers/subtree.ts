// Notes servers with get_subtree and get_child_notes: the application's own. The tree shows at most ten children of a note;
// the list of children is complete. Errors have the form of content. Text is Markdown.
import { z } from "zod";
import type { Note, NotesServer } from "../notes-server.ts";
import { type CallTool, createReader, type Reader } from "./read-reply.ts";
import { byTitle, Root, readTree } from "./read-tree.ts";
import { childrenOf, foundIn, Hit, Meta, noteOf, phraseOf } from "./shapes.ts";
import { confirmsContent, confirmsMove, writtenBy } from "./write-reply.ts";

export const SUBTREE_TOOLS = [
  "get_subtree",
  "get_child_notes",
  "get_note",
  "get_note_content",
  "search_notes",
  "move_note",
  "set_note_content",
  "append_to_note",
] as const;

const Content = z.object({ noteId: z.string(), content: z.string() });
const Hits = z.object({ totalResults: z.int().nonnegative(), results: z.array(Hit) });

export function createSubtreeServer(call: CallTool): NotesServer {
  const reader = createReader(call, (words) => words === "Note not found");
  return {
    chooses_place: false,
    keeps_prefix: true,
    tree: async (root_note_id, depth) => {
      const tool = "get_subtree";
      const root = await reader.aboutNote(root_note_id, { tool, args: { depth } }, Root);
      return root && readTree(root, tool);
    },
    children: async (note_id) => {
      const tool = "get_child_notes";
      const children = await reader.aboutNote(note_id, { tool, args: {} }, z.array(z.unknown()));
      return children && childrenOf(children, tool);
    },
    note: async (note_id) => {
      const meta = await reader.aboutNote(note_id, { tool: "get_note", args: {} }, Meta);
      return meta && noteOf(meta);
    },
    under: (parent) => notesUnder(parent, reader),
    search: (wanted) => {
      const { title, ancestor_note_id, limit } = wanted;
      const within = ancestor_note_id === null ? {} : { ancestorNoteId: ancestor_note_id };
      const how = { fastSearch: true, includeArchivedNotes: true, limit, ...within };
      return byTitle(title, async (query) => {
        const args = { query, ...how };
        const { results, totalResults } = await reader.ask({ tool: "search_notes", args }, Hits);
        return foundIn(results, wanted, Math.max(totalResults, results.length));
      });
    },
    content: async (note_id) => {
      const reply = await reader.aboutNote(note_id, { tool: "get_note_content", args: {} }, Content);
      return reply === null ? null : reply.content;
    },
    text_form: "markdown",
    keeps_revisions: true,
    move: async (move) => {
      const tool = "move_note";
      const args = { noteId: move.note_id, newParentNoteId: move.to };
      return writtenBy(await call(tool, args), tool, confirmsMove(tool, move));
    },
    setContent: async ({ note_id, mode, content }) => {
      const tool = mode === "replace" ? "set_note_content" : "append_to_note";
      return writtenBy(await call(tool, { noteId: note_id, content }), tool, confirmsContent(tool, note_id));
    },
  };
}

const MOST = 10_000;

/**
 * The list of children does not say where else they are, and a search does: what it finds is left out. It is not evidence; each
 * note is read again before it is moved.
 */
async function notesUnder(parent: string, reader: Reader): Promise<readonly Note[]> {
  const children = await reader.aboutNote(parent, { tool: "get_child_notes", args: {} }, z.array(z.unknown()));
  if (children === null) return [];
  const query = `note.parents.noteId = ${phraseOf(parent)} AND (note.parentCount > 1 OR note.isProtected = true)`;
  const args = { query, fastSearch: true, includeArchivedNotes: true, limit: MOST };
  const { results, totalResults } = await reader.ask({ tool: "search_notes", args }, Hits);
  if (totalResults > results.length) return [];
  const others = new Set(results.map(({ noteId }) => noteId));
  return childrenOf(children, "get_child_notes")
    .notes.map(({ note_id, title, type }) => noteOf({ noteId: note_id, title, type, parentNoteIds: [parent] }))
    .filter(({ note_id, is_protected }) => !others.has(note_id) && !is_protected);
}
