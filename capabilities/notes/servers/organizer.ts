// Talks to notes servers with organize_note and get_note_tree. They return at most 200 notes at once, without their own system
// notes, and the content of a note as a separate text after its metadata. A note is moved in three steps where their own move may
// delete it (D-259).
import { z } from "zod";
import {
  type Child,
  type Children,
  type MoveRequest,
  mapBounded,
  NotesFault,
  type NotesServer,
  type Objection,
  onNewLine,
  type ReadObjection,
  type Withdrawn,
  type Written,
} from "../notes-server.ts";
import { type CallTool, createReader, type Reader, readText, unreadable } from "./read-reply.ts";
import { byTitle, childrenIn, Root, readTree } from "./read-tree.ts";
import { briefOf, distinct, foundIn, Hit, incomplete, Meta, noteOf, phraseOf } from "./shapes.ts";
import { confirmsClone, confirmsContent, confirmsUnlink, DONE, faultIn, unknown, writtenBy } from "./write-reply.ts";

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

const CLONE_AND_UNLINK_TOOL = "organize_note";

type Asking = { readonly call: CallTool; readonly metaOf: MetaOf };

/**
 * Moves a note on servers whose own move may delete it (D-259): shows it under its target as well, looks at the target and at the
 * note, and takes it out of the one place from which it is moved. Each request is harmless when it is late or comes twice.
 */
async function cloneAndUnlink(
  move: MoveRequest,
  objection: ReadObjection,
  asking: Asking,
): Promise<Written | Withdrawn> {
  const { note_id, from, to } = move;
  const clone = { action: "clone", noteId: note_id, parentNoteId: to };
  const cloned = writtenBy(
    await asking.call(CLONE_AND_UNLINK_TOOL, clone),
    CLONE_AND_UNLINK_TOOL,
    confirmsClone(CLONE_AND_UNLINK_TOOL, move),
  );
  if (cloned.is === "refused") return cloned;
  // From now on the application refuses to put the target inside the note; until now it did not.
  const against = await objection().catch(faultIn);
  const meta = against instanceof NotesFault ? against : await asking.metaOf(note_id).catch(faultIn);
  if (meta instanceof NotesFault) return unknown(`it was to be shown under ${to} as well: ${meta.message}`);
  if (meta === null) return unknown("it is not there any more");
  if (against !== null && !(against instanceof NotesFault)) return takenBack(move, against, meta, asking);
  if (!meta.parentNoteIds.includes(to)) return cloned;
  if (!meta.parentNoteIds.includes(from)) return DONE;
  return (await unlinked(from, meta, asking)) ?? unknown(`${NAMELESS} under ${from}`);
}

/** The clone alone, and only while the note has its old place. */
async function takenBack(
  { from, to }: MoveRequest,
  against: Objection,
  meta: Meta,
  asking: Asking,
): Promise<Withdrawn> {
  if ([from, to].every((id) => meta.parentNoteIds.includes(id))) await unlinked(to, meta, asking);
  return { is: "withdrawn", ...against };
}

const NAMELESS = "the server does not say which of its places is the one";

/** Null when the server does not say which branch that is. */
async function unlinked(parent: string, meta: Meta, { call, metaOf }: Asking): Promise<Written | null> {
  const branchId = await branchUnder(parent, meta, metaOf);
  if (branchId === null) return null;
  return writtenBy(
    await call(CLONE_AND_UNLINK_TOOL, { action: "unlink", branchId }),
    CLONE_AND_UNLINK_TOOL,
    confirmsUnlink(CLONE_AND_UNLINK_TOOL, branchId),
  );
}

/** The application names a branch after its two notes, but not in databases from its early years. */
async function branchUnder(
  from: string,
  { noteId, parentBranchIds = [] }: Meta,
  metaOf: MetaOf,
): Promise<string | null> {
  const usual = `${from}_${noteId}`;
  if (parentBranchIds.includes(usual)) return usual;
  const parent = await metaOf(from).catch(faultIn);
  if (parent === null || parent instanceof NotesFault) return null;
  const below = new Set(parent.childBranchIds);
  const [only = null, ...others] = parentBranchIds.filter((id) => below.has(id));
  return others.length === 0 ? only : null;
}
