// The tools of a server on the REST API that would rather ask than fail: what it has not done looks like what it has.
// Its errors are those of the protocol. Left out: attributes, files, patches.
import { z } from "zod";
import { htmlOf } from "./markup.ts";
import { created, NEW_NOTE } from "./new-note.ts";
import { type Note, type NotesModel, titleOf } from "./notes-model.ts";
import { RestFault, restOf, viewOf } from "./rest-api.ts";
import { search } from "./search.ts";
import { type Around, type Profile, type Reply, reads, rpcError, says, saysJson, writes } from "./tool.ts";

const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
/** An error that these throw counts as the server's own fault, and as the caller's with all others. */
const OWN_FAULT = new Set(["move_note", "list_children_notes"]);

/** What comes above or below a loop can no longer be read or written. */
const reachable = (model: NotesModel, note_id: string): string => {
  if (model.hasLoopAbove(note_id)) throw new RestFault(500, "GENERIC", "Maximum call stack size exceeded");
  return note_id;
};

/** A content that is empty is not given at all. */
function getNote(model: NotesModel, noteId: string, includeContent: boolean): Reply {
  const rest = restOf(model);
  const note = rest.getNote(reachable(model, noteId));
  if (!includeContent) return saysJson(note);
  const content = rest.getContent(noteId);
  return saysJson({ ...note, contentHash: note.blobId, ...(content === "" ? {} : { content }) });
}

/** It is a search, so that of an unknown note there are no children, and no error. Sorted by date and title. */
function listChildren(model: NotesModel, noteId: string): Reply {
  const children = model
    .childrenOf(reachable(model, noteId))
    .flatMap((id) => model.note(id) ?? [])
    .map((note) => listed(model, note))
    .sort((a, b) => (a.title < b.title ? -1 : Number(a.title > b.title)));
  const traces = model.traces(noteId).filter(({ title }) => title === null);
  const all = [...children, ...traces.map(({ note_id }) => ({ noteId: note_id }))];
  const counts = { totalChildCount: all.length, fetchedCount: all.length, failedCount: 0 };
  return saysJson({ parentNoteId: noteId, ...counts, children: all });
}

const listed = (model: NotesModel, note: Note) => {
  const { noteId, title, type, mime, dateModified } = viewOf(model, note);
  return { noteId, title, type, mime, dateModified };
};

type Move = { readonly noteId: string; readonly newParentNoteId: string; readonly branchId?: string | undefined };

function move({ noteId, newParentNoteId, branchId }: Move, { model, between, atRequest }: Around): Reply {
  const rest = restOf(model);
  rest.getNote(reachable(model, noteId));
  const branches = model.branchesOf(noteId);
  const chosen = branches.length === 1 ? branches[0] : branches.find(({ branch_id }) => branch_id === branchId);
  if (chosen === undefined) return branchId === undefined ? askWhich(noteId, model) : foreignBranch(noteId, branchId);
  const from = chosen.parent_note_id;
  const moved = { noteId, oldParentNoteId: from, newParentNoteId };
  if (from === newParentNoteId) {
    const message = `Note ${noteId} is already a child of ${newParentNoteId}. No move performed.`;
    return saysJson({ ...moved, newBranchId: chosen.branch_id, message });
  }
  atRequest();
  const { branchId: newBranchId } = rest.postBranch(noteId, reachable(model, newParentNoteId));
  between();
  atRequest();
  rest.deleteBranch(chosen.branch_id);
  const message = `Note ${noteId} moved from ${from} to ${newParentNoteId} (branch: ${newBranchId})`;
  return saysJson({ ...moved, newBranchId, message });
}

function askWhich(noteId: string, model: NotesModel): Reply {
  const branches = model
    .branchesOf(noteId)
    .map((one) => ({ branchId: one.branch_id, parentNoteId: one.parent_note_id, notePosition: 10 }));
  const message = `Note ${noteId} exists in ${branches.length} locations. Specify 'branchId' to indicate which parent link to move.`;
  return saysJson({ noteId, message, requiresBranchId: true, branches });
}

const foreignBranch = (noteId: string, branchId: string): never => {
  throw new Error(`Branch ${branchId} does not belong to note ${noteId}.`);
};

const LOOKS_LIKE_HTML = /<[a-z][^>]*>|&[a-z]+;/i;
const LOOKS_LIKE_MARKDOWN =
  /^#{1,6}\s+\S|\*.*?\*|_.*?_|\[.*?\]\(.*?\)|`.*?`|^\s*([-*+]|\d+\.)\s+|^>\s+|^[-*_]{3,}\s*$/m;

/**
 * What of a content is stored: text that has no tag is put in a paragraph as it is, and then converted if it looks like Markdown, where the
 * paragraph hides its beginning from the conversion: `- a` stays `<p>- a</p>`. Empty space around it is taken away.
 */
function processed(content: string, type: string): string {
  const trimmed = content.trim();
  if (type !== "text") return trimmed;
  const html = LOOKS_LIKE_HTML.test(trimmed) ? trimmed : `<p>${trimmed}</p>`;
  return LOOKS_LIKE_MARKDOWN.test(html) ? htmlOf(html) : html;
}

const EMPTY_BOOK = "CONTENT_VALIDATION_ERROR: Book notes must be empty. They organize the notes below them.";
const NO_HTML = "CONTENT_VALIDATION_ERROR: notes of code take plain text only, and HTML was detected.";

type Update = z.infer<z.ZodObject<typeof update>>;

/** It answers in plain words, also that nothing was written. */
function updateNote(model: NotesModel, { noteId, expectedHash, title, content = "", mode }: Update): Reply {
  const rest = restOf(model);
  if (content === "" && title === undefined)
    throw new Error("Either 'title', 'content', or 'fileUri' must be provided.");
  if (mode === undefined) throw new Error("mode is required for update operation.");
  const { blobId, type = "" } = rest.getNote(reachable(model, noteId));
  const before = rest.getContent(noteId);
  if (blobId !== expectedHash) {
    return says(
      `CONFLICT: Note has been modified by another user. Current blobId: ${blobId}, expected: ${expectedHash}. Please get the latest note content and retry.`,
    );
  }
  if (type === "book" && content !== "") return says(EMPTY_BOOK);
  if ((type === "code" || type === "mermaid") && LOOKS_LIKE_HTML.test(content)) return says(NO_HTML);
  if (title !== undefined) rest.patchTitle(noteId, title);
  if (content === "") return says(`Note ${noteId} title updated successfully to "${title}"`);
  const added = processed(content, type);
  rest.putContent(noteId, mode === "append" ? before + added : added);
  return says(
    `Note ${noteId} updated successfully (revision created) (content ${mode === "append" ? "appended" : "overwritten"})`,
  );
}

type Criterion = z.infer<typeof criterion>;

const asked = ({ property, op }: Criterion): string => `${property} ${op}`;

/** A value becomes part of a query, in which a backslash is for what follows it. */
const literal = (value: string): string => value.replace(/\\(.)/g, "$1");

/** Whether a note meets a criterion, by property and operator. */
const criteria = new Map<string, (model: NotesModel, note: Note, value: string) => boolean>([
  ["title =", (_, note, value) => titleOf(note).toLowerCase() === value.toLowerCase()],
  ["title contains", (_, note, value) => titleOf(note).toLowerCase().includes(value.toLowerCase())],
  ["content contains", (_, note, value) => note.content.toLowerCase().includes(value.toLowerCase())],
  ["parents.noteId =", (model, note, value) => model.parentsOf(note.note_id).includes(value)],
  ["ancestors.noteId =", (model, note, value) => model.ancestors(note.note_id).has(value)],
]);

type Search = z.infer<z.ZodObject<typeof searching>>;

/** Without a limit, and with nothing but a text, it looks at titles only. There is no total. */
function find(model: NotesModel, { text, searchCriteria = [], limit }: Search): Reply {
  if (text === undefined && searchCriteria.length === 0)
    throw new Error("At least one search parameter must be provided");
  const unknown = searchCriteria.find((one) => !criteria.has(asked(one)) || one.logic !== "AND");
  if (unknown !== undefined) throw new Error(`the simulator knows no criterion ${asked(unknown)} ${unknown.logic}`);
  const is_fast = searchCriteria.length === 0 && limit === undefined;
  const found = (text === undefined ? model.notes() : search(model, text, { is_fast })).filter((note) =>
    searchCriteria.every((one) => criteria.get(asked(one))?.(model, note, literal(one.value))),
  );
  for (const { note_id } of found) reachable(model, note_id);
  return saysJson(found.slice(0, limit).map((note) => ({ ...listed(model, note), isProtected: note.is_protected })));
}

/** It answers in plain words. */
function resolveNoteId(model: NotesModel, noteName: string, exactMatch: boolean): Reply {
  const matches = criteria.get(exactMatch ? "title =" : "title contains");
  const found = model.notes().filter((note) => matches?.(model, note, noteName.trim()));
  const [first] = found;
  if (first === undefined) return says(`❌ No notes found matching "${noteName}".`);
  if (found.length === 1) {
    return says(`✅ Resolved "${noteName}" to Note ID: ${first.note_id} (Title: "${titleOf(first)}", Matches: 1)`);
  }
  const choices = found.slice(0, 3).map((note, at) => `${at + 1}. ${titleOf(note)} (ID: ${note.note_id})`);
  return says(`Found ${found.length} matches for "${noteName}". Please choose:\n\n${choices.join("\n")}`);
}

const noteId = z.string().min(1);
const criterion = z.object({
  property: z.string(),
  type: z.enum(["label", "relation", "noteProperty"]),
  op: z.string().default("exists"),
  value: z.string().default(""),
  logic: z.enum(["AND", "OR"]).default("AND"),
});
const searching = {
  text: z.string().optional(),
  searchCriteria: z.array(criterion).optional(),
  limit: z.number().optional(),
};
const update = {
  noteId,
  expectedHash: z.string().min(1),
  title: z.string().optional(),
  content: z.string().optional(),
  mode: z.enum(["overwrite", "append"]).optional(),
};

const tools = {
  list_children_notes: reads("All notes directly below a note", { noteId }, (args, { model }) =>
    listChildren(model, args.noteId),
  ),
  get_note: reads("A note and its content", { noteId, includeContent: z.boolean().default(true) }, (args, { model }) =>
    getNote(model, args.noteId, args.includeContent),
  ),
  create_note: writes("Makes a note", NEW_NOTE, (args, { model }) =>
    says(`Created note: ${created(model, args).note_id}`),
  ),
  move_note: writes(
    "Moves a note to another parent",
    { noteId, newParentNoteId: noteId, branchId: z.string().optional() },
    move,
  ),
  update_note: writes("Changes a note", update, (args, { model }) => updateNote(model, args)),
  resolve_note_id: reads(
    "Finds a note by its name",
    { noteName: noteId, exactMatch: z.boolean().default(false) },
    ({ noteName, exactMatch }, { model }) => resolveNoteId(model, noteName, exactMatch),
  ),
  search_notes: reads("Finds notes", searching, (args, { model }) => find(model, args)),
};

function sayThrown(tool: string, thrown: unknown): Reply {
  const code = OWN_FAULT.has(tool) && !(thrown instanceof z.ZodError) ? INTERNAL_ERROR : INVALID_PARAMS;
  if (!(thrown instanceof RestFault)) return rpcError(code, thrown instanceof Error ? thrown.message : String(thrown));
  // Of what the API says only the status comes through.
  const message = thrown.status === 500 ? thrown.message : `Request failed with status code ${thrown.status}`;
  return rpcError(code, message);
}

export const npmProfile: Profile = {
  is_stateful: false,
  tools: new Map(Object.entries(tools)),
  sayThrown,
  sayUnknownTool: (tool) => rpcError(-32_601, `Unknown tool: ${tool}`),
  sayRefused: () => rpcError(INTERNAL_ERROR, "Request failed with status code 409"),
};
