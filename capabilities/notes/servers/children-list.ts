// Talks to notes servers with list_children_notes. They have no tool for a tree, never report success explicitly, and respond to
// a change of content with a sentence. Content is written under the hash of the existing content.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import {
  type ContentChange,
  NoteId,
  NotesFault,
  type NotesServer,
  onNewLine,
  type SearchQuery,
  type Written,
} from "../notes-server.ts";
import { type CallTool, createReader, head, type Reader, unreadable } from "./read-reply.ts";
import { childrenOf, foundIn, Hit, incomplete, Meta, noteOf } from "./shapes.ts";
import { confirmsMove, faultIn, refused, unknown, writtenBy } from "./write-reply.ts";

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

type Hashed = { readonly content: string; readonly hash: string | undefined };

type Read = (note_id: string) => Promise<Hashed | null>;

const TOOL = "update_note";
/** How often an append that may follow another writer's words begins anew. */
const ATTEMPTS = 100;

/**
 * Writes content on servers that require the hash of the existing content (update_note). The hash is of the content that was read
 * with it or of an earlier one, so a change of another writer in between is not lost.
 */
async function writeUnderHash(change: ContentChange, call: CallTool, read: Read): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    const written = await writeOnce(change, call, read);
    const mayRepeat = !change.only_over && attempt < ATTEMPTS;
    if (!mayRepeat || written.is !== "refused" || !isConflict(written.message)) return written;
    // Writers that collide at the same pace would collide again.
    await sleep(Math.random() * 20);
  }
}

async function writeOnce(change: ContentChange, call: CallTool, read: Read): Promise<Written> {
  const { note_id, over, only_over } = change;
  const seen = await read(note_id).catch(faultIn);
  if (seen === null) return refused(`there is no note ${note_id}`);
  if (seen instanceof NotesFault) return refused(`nothing was written: ${seen.message}`);
  if (seen.hash === undefined) return refused(`nothing was written: get_note gives no blobId of the note ${note_id}`);
  if (only_over && seen.content !== over) return refused("nothing was written: the note has changed since it was read");
  const sent = sentAs(change, seen.content);
  if (typeof sent === "string") return refused(`nothing was written: ${sent}`);
  const args = { noteId: note_id, expectedHash: seen.hash, ...sent };
  const written = writtenBy(await call(TOOL, args), TOOL, confirmsUpdate(note_id));
  return written.is === "done" ? { ...written, over: seen.content } : written;
}

/**
 * The server takes away the empty space around all that it is given, and takes nothing with tags for a note that is not text. So what
 * is there stays there where it can; where a new line has to come with it, it is sent once more. Otherwise the reason why nothing is sent.
 */
function sentAs({ type, mode, content }: ContentChange, there: string) {
  if (content.trim() === "") return KEEPS_SOMETHING;
  if (mode === "replace") return isCode(type) && isIndented(content) ? KEEPS_NO_SPACE : { mode: "overwrite", content };
  if (!isCode(type)) return { mode: "append", content };
  if ((there === "" || there.endsWith("\n")) && !isIndented(content)) return { mode: "append", content };
  const whole = there + onNewLine(content, there);
  return isIndented(whole) || HAS_TAGS.test(there) ? KEEPS_NO_SPACE : { mode: "overwrite", content: whole };
}

const isCode = (type: string): boolean => type !== "text";
const isIndented = (content: string): boolean => /^\s/.test(content);
/** As this server looks for them. */
const HAS_TAGS = /<[a-z][^>]*>|&[a-z]+;/i;

const KEEPS_SOMETHING = "this notes server cannot empty a note; empty it in the application, or send some text";
const KEEPS_NO_SPACE =
  "this notes server drops the empty space at the beginning of what it is given, and refuses tags, so this would change other lines of the note; end the note with an empty line in the application, and send lines that are not indented";

const CONFLICT = "CONFLICT";
const isConflict = (message: string): boolean => message.startsWith(`${TOOL}: ${CONFLICT}`);

/** The server responds with a sentence, also when it refuses. */
const confirmsUpdate =
  (note_id: string) =>
  (text: string): Written => {
    if (text.startsWith(`Note ${note_id} updated successfully`)) return { is: "done" };
    const words = `${TOOL}: ${head(text)}`;
    return /^(CONFLICT|[A-Z_]+_ERROR)\b/.test(text) ? refused(words) : unknown(words);
  };
