// The tools that are built into the notes application itself. It checks what it does; its errors are content like any other.
import { z } from "zod";
import { shownOf, storedOf } from "./markup.ts";
import { created, NEW_NOTE } from "./new-note.ts";
import { type Note, type NotesModel, type Trace, titleOf } from "./notes-model.ts";
import { search } from "./search.ts";
import { type Around, type Profile, type Reply, reads, saysError, saysJson, writes } from "./tool.ts";

const CHILDREN_PER_LEVEL = 10;
const CHILDREN_OF_ONE = 50;
const PREVIEW = 500;
/** Other notes whose id begins with an underscore are moved, but for two more. */
const SYSTEM = new Set(["root", "_hidden", "_share", "_lbRoot", "_globalNoteMap"]);
const FIXED = new Set([...SYSTEM, "_lbAvailableLaunchers", "_lbVisibleLaunchers"]);

const NOT_FOUND = "Note not found";
const NO_TARGET = "Target parent note not found";
const CYCLE = "Moving/cloning note here would create cycle.";
const CLOSED = "Note is protected";
const LOCKED = "Note is protected and cannot be modified";
const NO_MIME = "mime is required when changing a note to code";

const MIMES = new Map([
  ["text", "text/html"],
  ["code", "text/plain"],
  ["mermaid", "text/vnd.mermaid"],
]);
const BINARY = new Set(["file", "image"]);

const soft = (error: string): Reply => saysJson({ error });
const brief = (note: Note) => ({ noteId: note.note_id, title: titleOf(note), type: note.type });

/** Of a note that is there, or what is said where there is none. */
const ofNote =
  <Args extends { readonly noteId: string }>(answer: (note: Note, args: Args, around: Around) => Reply) =>
  (args: Args, around: Around): Reply => {
    const note = around.model.note(args.noteId);
    return note === undefined ? soft(NOT_FOUND) : answer(note, args, around);
  };

function treeOf(model: NotesModel, note: Note, depth: number): object {
  const below = model.childrenOf(note.note_id).flatMap((id) => model.note(id) ?? []);
  const traces = model.traces(note.note_id).map(listed);
  if (below.length + traces.length === 0) return brief(note);
  if (depth === 0) return { ...brief(note), children: `${below.length} children not shown (depth limit reached)` };
  const shown = below.slice(0, CHILDREN_PER_LEVEL).map((child) => treeOf(model, child, depth - 1));
  const more = below.length - shown.length;
  const rest = more > 0 ? [{ noteId: "", title: `... and ${more} more`, type: "truncated" }] : [];
  return { ...brief(note), children: [...shown, ...traces, ...rest] };
}

/** What a synchronisation has left of a note. */
const listed = ({ note_id, title }: Trace): object =>
  title === null ? { noteId: note_id, childCount: 0 } : { noteId: note_id, title, type: "text", childCount: 0 };

const childrenOf = (model: NotesModel, note: Note): object[] => [
  ...model
    .childrenOf(note.note_id)
    .flatMap((id) => model.note(id) ?? [])
    .map((child) => ({ ...brief(child), childCount: model.childrenOf(child.note_id).length })),
  ...model.traces(note.note_id).map(listed),
];

const mimeOf = ({ type }: Note): string => MIMES.get(type) ?? "";

const previewOf = ({ is_protected, content }: Note): string | null =>
  is_protected || content === "" ? null : content.slice(0, PREVIEW);

/** Of a note that is not protected it does not say so. The parents come in the order in which it moves them. */
function metadataOf(model: NotesModel, note: Note): object {
  const below = model.childrenOf(note.note_id).flatMap((id) => model.note(id) ?? []);
  return {
    ...brief(note),
    ...(note.is_protected ? { isProtected: true } : {}),
    mime: mimeOf(note),
    parentNoteIds: model.parentsOf(note.note_id).filter((parent) => parent !== "none"),
    childNotes: {
      totalCount: below.length,
      results: below.slice(0, CHILDREN_OF_ONE).map((child) => ({ noteId: child.note_id, title: titleOf(child) })),
    },
    attributes: { totalCount: 0, results: [] },
    contentPreview: previewOf(note),
    attachments: { totalCount: 0, results: [] },
  };
}

/** Why a note cannot be put there. */
function objection(model: NotesModel, note: Note, parent: Note): string | undefined {
  if (FIXED.has(note.note_id)) return "Cannot change this note's location.";
  if (model.parentsOf(note.note_id).includes(parent.note_id)) {
    return `Note "${titleOf(note)}" note already exists in the "${titleOf(parent)}".`;
  }
  return model.ancestors(parent.note_id).has(note.note_id) ? CYCLE : undefined;
}

/** Of a clone only what hangs from its first parent is moved. */
function move(note: Note, newParentNoteId: string, { model, between }: Around): Reply {
  if (SYSTEM.has(note.note_id)) return soft("Cannot move system notes");
  if (note.is_protected) return soft("Note is protected and cannot be moved");
  const parent = model.note(newParentNoteId);
  if (parent === undefined) return soft(NO_TARGET);
  if (parent.is_protected) return soft("Cannot move note to a protected parent");
  const [first] = model.branchesOf(note.note_id);
  if (first !== undefined && first.parent_note_id !== parent.note_id) {
    const error = objection(model, note, parent);
    if (error !== undefined) return soft(error);
    model.postBranch(note.note_id, parent.note_id);
    between();
    model.deleteBranch(first.branch_id);
  }
  const { noteId, title } = brief(note);
  return saysJson({ success: true, noteId, title, newParentNoteId, newParentTitle: titleOf(parent) });
}

/** Not measured: what is said of a parent that is not there. */
function clone(note: Note, parentNoteId: string, prefix: string | undefined, { model }: Around): Reply {
  if (note.is_protected) return soft("Note is protected and cannot be cloned");
  const parent = model.note(parentNoteId);
  if (parent === undefined) return soft(NOT_FOUND);
  const error = objection(model, note, parent);
  if (error !== undefined) return soft(error);
  const branch = model.postBranch(note.note_id, parentNoteId, prefix);
  const made = { parentNoteId, parentTitle: titleOf(parent), branchId: branch?.branch_id };
  return saysJson({ success: true, noteId: note.note_id, title: titleOf(note), ...made });
}

/** What is not text is kept as it is. */
const kept = (note: Note, content: string): string => (note.type === "text" ? storedOf(content, note.title) : content);
const readOf = ({ type, content }: Note): string => (type === "text" ? shownOf(content) : content);

function change(note: Note, contentOf: () => string): Reply {
  if (note.is_protected) return soft(LOCKED);
  if (BINARY.has(note.type)) return soft(`Cannot update content for note type: ${note.type}`);
  note.content = contentOf();
  return saysJson({ success: true, noteId: note.note_id, title: titleOf(note), content: readOf(note) });
}

/** It takes a note without a kind of content for one that is to become code. */
const setContent = (note: Note, content: string): Reply =>
  mimeOf(note) === "" && !note.is_protected && !BINARY.has(note.type)
    ? soft(NO_MIME)
    : change(note, () => kept(note, content));

const append = (note: Note, content: string): Reply =>
  change(note, () => {
    if (note.type === "text") return `${note.content}${kept(note, content)}`;
    return `${note.content.replace(/\n$/, "")}\n${content}`;
  });

function find(model: NotesModel, query: string, ancestor_note_id: string | undefined, is_fast: boolean, limit: number) {
  const found = search(model, query, { ancestor_note_id, is_fast });
  const results = found.slice(0, limit).map((note) => {
    const [parent = ""] = model.parentsOf(note.note_id);
    const above = model.note(parent);
    return {
      ...brief(note),
      parentTitle: above === undefined ? null : titleOf(above),
      contentPreview: previewOf(note),
    };
  });
  return saysJson({ totalResults: found.length, results });
}

const noteId = z.string();
const content = z.string();

const tools = {
  get_subtree: reads(
    "The tree below a note",
    { noteId, depth: z.number().int().min(1).max(5).default(2) },
    ofNote((note, { depth }, { model }) => saysJson(treeOf(model, note, depth))),
  ),
  get_child_notes: reads(
    "All notes directly below a note",
    { noteId },
    ofNote((note, _, { model }) => saysJson(childrenOf(model, note))),
  ),
  get_note: reads("What is known of a note", { noteId }, (args, around) => {
    const trace = around.model.traceOf(args.noteId);
    if (trace?.title === null) return saysJson({ noteId: args.noteId, parentNoteIds: [trace.parent_note_id] });
    return ofNote((note, _, { model }) => saysJson(metadataOf(model, note)))(args, around);
  }),
  get_note_content: reads(
    "The content of a note as Markdown",
    { noteId },
    ofNote((note) => (note.is_protected ? soft(CLOSED) : saysJson({ noteId: note.note_id, content: readOf(note) }))),
  ),
  create_note: writes("Makes a note", NEW_NOTE, (args, { model }) => {
    const { note_id: noteId, title } = created(model, args);
    return saysJson({ success: true, noteId, title, type: args.type });
  }),
  move_note: writes(
    "Moves a note to another parent",
    { noteId, newParentNoteId: z.string() },
    ofNote((note, { newParentNoteId }, around) => move(note, newParentNoteId, around)),
  ),
  clone_note: writes(
    "Shows a note under one more parent",
    { noteId, parentNoteId: z.string(), prefix: z.string().optional() },
    ofNote((note, { parentNoteId, prefix }, around) => clone(note, parentNoteId, prefix, around)),
  ),
  set_note_content: writes(
    "Replaces the content of a note",
    { noteId, content },
    ofNote((note, args) => setContent(note, args.content)),
  ),
  append_to_note: writes(
    "Adds to the content of a note",
    { noteId, content },
    ofNote((note, args) => append(note, args.content)),
  ),
  search_notes: reads(
    "Finds notes",
    {
      query: z.string(),
      fastSearch: z.boolean().default(false),
      includeArchivedNotes: z.boolean().default(false),
      ancestorNoteId: z.string().optional(),
      limit: z.number().default(10),
    },
    ({ query, fastSearch, ancestorNoteId, limit }, { model }) => find(model, query, ancestorNoteId, fastSearch, limit),
  ),
};

export const nativeProfile: Profile = {
  is_stateful: false,
  tools: new Map(Object.entries(tools)),
  sayThrown: (tool, thrown) =>
    thrown instanceof z.ZodError
      ? saysError(`MCP error -32602: Input validation error: Invalid arguments for tool ${tool}: ${thrown.message}`)
      : saysError(String(thrown)),
  sayUnknownTool: (tool) => saysError(`MCP error -32602: Tool ${tool} not found`),
  sayRefused: () => soft("The note cannot be changed at the moment"),
};
