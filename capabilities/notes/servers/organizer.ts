// Notes servers with organize_note and get_note_tree. They return at most 200 notes at once, without their own system notes.
// The content of a note follows its metadata as a separate text.
import { z } from "zod";
import { type Child, type Children, NotesFault, type NotesServer, onNewLine } from "../notes-server.ts";
import { byTitle } from "./by-title.ts";
import { cloneAndUnlink } from "./clone-and-unlink.ts";
import { mapBounded } from "./map-bounded.ts";
import { type CallTool, createReader, type Reader, readText, unreadable } from "./read-reply.ts";
import { childrenIn, Root, readTree } from "./read-tree.ts";
import { briefOf, distinct, foundIn, Hit, incomplete, Meta, noteOf, phraseOf } from "./shapes.ts";
import { confirmsContent, faultIn, writtenBy } from "./write-reply.ts";

export const ORGANIZER_TOOLS = ["organize_note", "get_note_tree", "get_note", "search_notes", "write_note"] as const;

/** The number of notes that are read concurrently. */
const AT_ONCE = 16;
/** The most notes that are asked for at once. */
const MOST = 10_000;
/** The longest response, in characters. */
const LONGEST = 500_000;

const Hits = z.object({ results: z.array(Hit), totalResults: z.int().nonnegative().optional() });
const Info = z.object({
  noteId: z.string(),
  content: z.string().optional(),
  contentInfo: z
    .object({ truncated: z.boolean(), returnedStart: z.int().optional(), returnedEnd: z.int().optional() })
    .optional(),
});

const saysMissing = (words: string, note_id: string): boolean =>
  words.startsWith(`**Error**: Note '${note_id}' not found`);

export function createOrganizerServer(call: CallTool): NotesServer {
  const reader = createReader(call, saysMissing);
  const metaOf = (note_id: string) =>
    reader.aboutNote(note_id, { tool: "get_note", args: { include_content: false } }, Meta);

  return {
    chooses_place: true,
    keeps_prefix: false,
    tree: async (root_note_id, depth) => {
      const tool = "get_note_tree";
      const root = await reader.aboutNote(root_note_id, { tool, args: { depth } }, Root);
      return root && readTree(root, tool);
    },
    children: (note_id) => childrenOf(note_id, reader, metaOf),
    note: async (note_id) => {
      const meta = await metaOf(note_id);
      return meta && noteOf(meta);
    },
    under: async (parent) => (await metasUnder(parent, reader)).map(noteOf),
    search: (wanted) => {
      const { title, ancestor_note_id, limit } = wanted;
      const within = ancestor_note_id === null ? {} : { ancestorNoteId: ancestor_note_id };
      // It returns no count, so one more than the limit is requested to see if there are more.
      const how = { fastSearch: true, includeArchivedNotes: true, limit: limit + 1, ...within };
      return byTitle(title, async (query) => {
        const args = { query, ...how };
        const { results, totalResults = 0 } = await reader.ask({ tool: "search_notes", args }, Hits);
        return foundIn(results, wanted, Math.max(totalResults, results.length));
      });
    },
    content: (note_id) => contentOf(note_id, reader),
    text_form: "html",
    keeps_revisions: false,
    move: (move, objection) => cloneAndUnlink(move, objection, { call, metaOf }),
    setContent: async ({ note_id, type, mode, content, over }) => {
      const tool = "write_note";
      const added = mode === "append" && type !== "text" ? onNewLine(content, over) : content;
      const args = { noteId: note_id, mode, content: added, format: "html" };
      return writtenBy(await call(tool, args), tool, confirmsContent(tool, note_id));
    },
  };
}

type MetaOf = (note_id: string) => Promise<Meta | null>;

async function metasUnder(parent: string, reader: Reader): Promise<Meta[]> {
  const query = `note.parents.noteId = ${phraseOf(parent)}`;
  const args = { query, fastSearch: true, includeArchivedNotes: true, limit: MOST };
  const { results } = await reader.ask({ tool: "search_notes", args }, z.object({ results: z.array(Meta) }));
  return results.filter(({ parentNoteIds }) => parentNoteIds.includes(parent));
}

/** So many children that the tree has left out are looked for by a search first. */
const MANY = 8;

/** All children except the application's own, whose ids begin with `_`; the server lists those only for such a note. */
async function childrenOf(note_id: string, reader: Reader, metaOf: MetaOf): Promise<Children | null> {
  const tool = "get_note_tree";
  const node = await reader.aboutNote(note_id, { tool, args: { depth: 1 } }, Counted);
  if (node === null) return null;
  const { shown, isComplete, gaps } = childrenIn(node, tool);
  const notes = distinct(
    shown.map(
      ({ childCount, ...one }): Child =>
        childCount === undefined ? briefOf(one) : { ...briefOf(one), child_count: childCount },
    ),
    tool,
  );
  if (isComplete && node.truncated !== true) return { notes, gaps };

  const ids = node.childNoteIds ?? (await metaOf(note_id))?.childNoteIds;
  if (ids === undefined) throw incomplete(note_id, notes.length, node.childCount);
  const known = new Set([...notes.map((one) => one.note_id), ...gaps]);
  const missing = ids.filter((id) => !known.has(id) && (isSystem(note_id) || !isSystem(id)));
  const found = missing.length < MANY ? [] : await metasUnder(note_id, reader).catch(faultIn);
  const seen = new Map(found instanceof NotesFault ? [] : found.map((meta) => [meta.noteId, meta]));
  const read = await mapBounded(missing, AT_ONCE, async (id) => ({ id, meta: seen.get(id) ?? (await metaOf(id)) }));
  const further = read.flatMap(({ meta }) => (meta?.parentNoteIds.includes(note_id) === true ? [briefOf(meta)] : []));
  const gone = read.filter(({ meta }) => meta === null).map(({ id }) => id);
  if (further.length + gone.length < missing.length) {
    throw incomplete(note_id, notes.length + further.length, notes.length + missing.length);
  }
  return { notes: distinct([...notes, ...further], tool), gaps: [...gaps, ...gone] };
}

const Counted = Root.extend({ childCount: z.int().nonnegative() });

const isSystem = (note_id: string): boolean => note_id.startsWith("_");

/** In pieces: a long note is given in parts. */
async function contentOf(note_id: string, reader: Reader): Promise<string | null> {
  let content = "";
  for (;;) {
    const piece = await pieceOf(note_id, content.length, reader);
    if (piece === null) return null;
    content += piece.text;
    if (!piece.isCut) return content;
    if (piece.text === "") throw unreadable(TOOL, "it gives an empty part of the content");
  }
}

const TOOL = "get_note";

async function pieceOf(note_id: string, start: number, reader: Reader) {
  const how = { format: "html", includeImages: false, content_start: start, content_max_chars: LONGEST };
  const texts = await reader.textsAbout(note_id, { tool: TOOL, args: { include_content: true, ...how } });
  if (texts === null) return null;
  const [first = "", second, ...others] = texts;
  const { content = second, contentInfo } = readText(first, TOOL, Info, note_id);
  if (content === undefined || others.length > 0)
    throw unreadable(TOOL, `it has ${texts.length} texts, where the note's metadata and its content are expected`);
  if (contentInfo?.truncated !== true) return { text: content, isCut: false };
  const { returnedStart = start, returnedEnd } = contentInfo;
  if (returnedStart !== start || returnedEnd === undefined) throw incompleteContent(note_id);
  // Words about the cut follow the part.
  return { text: content.slice(0, returnedEnd - start), isCut: true };
}

const incompleteContent = (note_id: string): NotesFault =>
  new NotesFault("incomplete", `the note ${note_id} is longer than ${TOOL} gives at once`);
