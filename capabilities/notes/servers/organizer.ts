// Notes servers with organize_note and get_note_tree. They return at most 200 notes at once, without their own system notes.
// The content of a note follows its metadata as a separate text.
import { z } from "zod";
import { type NoteBrief, NotesFault, type NotesServer } from "../notes-server.ts";
import { byTitle } from "./by-title.ts";
import { cloneAndUnlink } from "./clone-and-unlink.ts";
import { mapBounded } from "./map-bounded.ts";
import { type CallTool, createReader, type Reader, readText, unreadable } from "./read-reply.ts";
import { childrenIn, Root, readTree } from "./read-tree.ts";
import { briefOf, distinct, foundIn, Hit, incomplete, Meta, noteOf } from "./shapes.ts";
import { confirmsContent, faultIn, refused, writtenBy } from "./write-reply.ts";

export const ORGANIZER_TOOLS = ["organize_note", "get_note_tree", "get_note", "search_notes", "write_note"] as const;

/** The number of notes that are read concurrently. */
const AT_ONCE = 16;
/** The longest response, in characters. */
const LONGEST = 500_000;

const Hits = z.object({ results: z.array(Hit), totalResults: z.int().nonnegative().optional() });
const Info = z.object({
  noteId: z.string(),
  content: z.string().optional(),
  contentInfo: z.object({ truncated: z.boolean() }).optional(),
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
    content: async (note_id) => {
      const meta = await metaOf(note_id);
      return meta && contentOf(note_id, formatOf(meta), reader);
    },
    shows: (content) => content,
    move: (move) => cloneAndUnlink(move, call, metaOf),
    setContent: async ({ note_id, mode, content }) => {
      const tool = "write_note";
      const meta = await metaOf(note_id).catch(faultIn);
      if (meta === null) return refused(`there is no note ${note_id}`);
      if (meta instanceof NotesFault) return refused(`nothing was written: ${meta.message}`);
      const args = { noteId: note_id, mode, content, format: formatOf(meta) };
      return writtenBy(await call(tool, args), tool, confirmsContent(tool, note_id));
    },
  };
}

type MetaOf = (note_id: string) => Promise<Meta | null>;

/** All children except the application's own, whose ids begin with `_`; the server lists those only for such a note. */
async function childrenOf(note_id: string, reader: Reader, metaOf: MetaOf): Promise<readonly NoteBrief[] | null> {
  const tool = "get_note_tree";
  const node = await reader.aboutNote(note_id, { tool, args: { depth: 1 } }, Counted);
  if (node === null) return null;
  const { shown, isComplete } = childrenIn(node, tool);
  const briefs = distinct(shown.map(briefOf), tool);
  if (isComplete && node.truncated !== true) return briefs;

  const ids = node.childNoteIds ?? (await metaOf(note_id))?.childNoteIds;
  if (ids === undefined) throw incomplete(note_id, briefs.length, node.childCount);
  const known = new Set(briefs.map((brief) => brief.note_id));
  const missing = ids.filter((id) => !known.has(id) && (isSystem(note_id) || !isSystem(id)));
  const read = await mapBounded(missing, AT_ONCE, metaOf);
  const further = read.flatMap((meta) => (meta?.parentNoteIds.includes(note_id) === true ? [briefOf(meta)] : []));
  if (further.length < missing.length) {
    throw incomplete(note_id, briefs.length + further.length, briefs.length + missing.length);
  }
  return distinct([...briefs, ...further], tool);
}

const Counted = Root.extend({ childCount: z.int().nonnegative() });

const isSystem = (note_id: string): boolean => note_id.startsWith("_");

/** Text notes are written and read as Markdown, as on the other servers; the content of other notes stays as it is. */
const formatOf = ({ type }: Meta): "markdown" | "html" => (type === "text" ? "markdown" : "html");

async function contentOf(note_id: string, format: string, reader: Reader): Promise<string | null> {
  const tool = "get_note";
  const args = { include_content: true, format, includeImages: false, content_max_chars: LONGEST };
  const texts = await reader.textsAbout(note_id, { tool, args });
  if (texts === null) return null;
  const [first = "", behind, ...others] = texts;
  const { content = behind, contentInfo } = readText(first, tool, Info, note_id);
  if (contentInfo?.truncated === true) {
    throw new NotesFault("incomplete", `the note ${note_id} is longer than ${tool} gives at once`);
  }
  if (content !== undefined && others.length === 0) return content;
  throw unreadable(tool, `it has ${texts.length} texts, where the note's metadata and its content are expected`);
}
