// The tools of a server on top of the REST API and puts no checks of its own before it: what the API lets happen,
// happens. Its errors are tool errors. Left out: to reorder notes, to edit by patches, pictures.
import { z } from "zod";
import { htmlOf, markdownOf } from "./markup.ts";
import { created, NEW_NOTE } from "./new-note.ts";
import type { NotesModel } from "./notes-model.ts";
import { RestFault, restOf, viewOf } from "./rest-api.ts";
import { isPlain, search, termsOf } from "./search.ts";
import { type Around, type Profile, type Reply, reads, says, saysError, saysJson, writes } from "./tool.ts";

const NOTES_PER_TREE = 200;
const MOST_CHARACTERS = 50_000;

type TreeNode = {
  readonly noteId: string;
  readonly title?: string | undefined;
  readonly type?: string | undefined;
  readonly childCount?: number;
  readonly childBranchIds?: readonly string[];
  /** In place of everything else, of a child that could not be read. */
  readonly error?: string;
  readonly systemChildrenSkipped?: number;
  children?: TreeNode[];
  /** Only where the depth ends, so not where the budget does. */
  childNoteIds?: string[];
};

/** Level by level, until so many notes have been shown. Where the budget ends, `children` are fewer than `childCount`. */
function treeOf(model: NotesModel, noteId: string, depth: number): object {
  const hides = !noteId.startsWith("_");
  const below = (id: string) => [...model.childrenOf(id), ...model.traces(id).map((one) => one.note_id)];
  const visible = (id: string) => below(id).filter((child) => !(hides && child.startsWith("_")));
  const nodeOf = (id: string): TreeNode => {
    const { title, type, childBranchIds, childNoteIds } = restOf(model).getNote(id);
    const childCount = visible(id).length;
    const hidden = childNoteIds.length - childCount;
    const skipped = hidden > 0 ? { systemChildrenSkipped: hidden } : {};
    return { noteId: id, title, type, childCount, childBranchIds, ...skipped };
  };
  const childOf = (id: string): TreeNode => {
    try {
      return nodeOf(id);
    } catch (thrown) {
      return { noteId: id, error: String(thrown) };
    }
  };
  const root = nodeOf(noteId);
  const open = [{ node: root, left: depth }];
  let budget = NOTES_PER_TREE;
  let truncated = false;
  for (const { node, left } of open) {
    const ids = visible(node.noteId);
    if (ids.length === 0) continue;
    if (left === 0) {
      node.childNoteIds = ids;
      continue;
    }
    node.children = ids.slice(0, budget).map(childOf);
    budget -= node.children.length;
    truncated ||= node.children.length < ids.length;
    open.push(...node.children.map((child) => ({ node: child, left: left - 1 })));
  }
  const note = `Fetched at most ${NOTES_PER_TREE} notes; some children are omitted.`;
  return truncated ? { ...root, truncated, note } : root;
}

/** With its content it is two texts, of which only the first is JSON. */
function getNote(
  model: NotesModel,
  { noteId, include_content, format, content_start, content_max_chars }: Wanted,
): Reply {
  const rest = restOf(model);
  const note = rest.getNote(noteId);
  if (!include_content) return saysJson(note);
  const stored = rest.getContent(noteId);
  const content = format === "markdown" ? markdownOf(stored) : stored;
  const totalChars = content.length;
  const returnedStart = Math.min(content_start, totalChars);
  const returnedEnd = Math.min(returnedStart + content_max_chars, totalChars);
  const truncated = returnedEnd < totalChars;
  const info = { ...note, contentInfo: { format, totalChars, returnedStart, returnedEnd, truncated } };
  const cut = `\n\n---\n**Content truncated:** showing characters ${returnedStart}-${returnedEnd} of ${totalChars}.`;
  return says(JSON.stringify(info), content.slice(returnedStart, returnedEnd) + (truncated ? cut : ""));
}

type Organize = {
  readonly [K in "noteId" | "newParentNoteId" | "parentNoteId" | "branchId" | "prefix"]?: string | undefined;
};

const given = (args: Organize, name: keyof Organize, action: string): string => {
  const value = args[name];
  if (value === undefined || value === "") throw new Error(`action="${action}" requires "${name}"`);
  return value;
};

const urlOf = (note_id: string, parent_note_id: string): string => `http://notes/#root/${parent_note_id}/${note_id}`;

const organizing = {
  /** A move to where the note is gets its own branch back, and then deletes that. */
  move: (args: Organize, { model, between, atRequest }: Around): Reply => {
    const noteId = given(args, "noteId", "move");
    const parent = given(args, "newParentNoteId", "move");
    const rest = restOf(model);
    const [first] = rest.getNote(noteId).parentBranchIds;
    atRequest();
    const branch = rest.postBranch(noteId, parent, args.prefix);
    between();
    atRequest();
    if (first !== undefined) rest.deleteBranch(first);
    return saysJson({ success: true, action: "move", branch, url: urlOf(noteId, parent) });
  },
  clone: (args: Organize, { model }: Around): Reply => {
    const noteId = given(args, "noteId", "clone");
    const parent = given(args, "parentNoteId", "clone");
    const branch = restOf(model).postBranch(noteId, parent, args.prefix);
    return saysJson({ action: "clone", branch, url: urlOf(noteId, parent) });
  },
  unlink: (args: Organize, { model, between }: Around): Reply => {
    const branchId = given(args, "branchId", "unlink");
    // The second step of a move that begins with a clone.
    between();
    restOf(model).deleteBranch(branchId);
    return saysJson({ success: true, action: "unlink", branchId });
  },
};

function writeNote(model: NotesModel, { noteId, mode, content, title, format }: Written): Reply {
  const rest = restOf(model);
  const needed = mode === "metadata" ? title : content;
  if (needed === undefined) throw new Error(`mode="${mode}" requires "${mode === "metadata" ? "title" : "content"}"`);
  if (mode === "metadata") {
    rest.patchTitle(noteId, needed);
    return saysJson(rest.getNote(noteId));
  }
  const added = format === "markdown" ? htmlOf(needed) : needed;
  // Replacing reads nothing first, and what is appended follows without a break.
  rest.putContent(noteId, mode === "append" ? rest.getContent(noteId) + added : added);
  return saysJson({ success: true, noteId, mode, url: urlOf(noteId, "root") });
}

/** There is no total. Where not all words are found together, what has any of them is given instead. */
function find(
  model: NotesModel,
  query: string,
  ancestor_note_id: string | undefined,
  is_fast: boolean,
  limit: number,
): Reply {
  const fuzzyTerms = termsOf(query);
  const exact = search(model, query, { ancestor_note_id, is_fast });
  const isFuzzy = exact.length === 0 && fuzzyTerms.length > 1 && isPlain(query);
  const found = isFuzzy ? search(model, query, { ancestor_note_id, is_fast, any: true }) : exact;
  const results = found.slice(0, limit).map((note) => viewOf(model, note));
  return saysJson(isFuzzy ? { results, searchMode: "fuzzy", fuzzyTerms, totalCandidates: found.length } : { results });
}

const noteId = z.string().min(1);
const text = z.string().optional();
const format = z.enum(["html", "markdown"]).default("html");

const wanted = {
  noteId,
  include_content: z.boolean().default(true),
  format,
  content_start: z.number().int().min(0).default(0),
  content_max_chars: z.number().int().min(1).max(500_000).default(MOST_CHARACTERS),
};
const written = { noteId, mode: z.enum(["metadata", "replace", "append"]), content: text, title: text, format };
type Wanted = z.infer<z.ZodObject<typeof wanted>>;
type Written = z.infer<z.ZodObject<typeof written>>;

const tools = {
  search_notes: reads(
    "Finds notes",
    {
      query: noteId,
      fastSearch: z.boolean().default(false),
      ancestorNoteId: text,
      limit: z.number().int().min(1).max(10_000).optional(),
    },
    ({ query, fastSearch, ancestorNoteId, limit = Number.POSITIVE_INFINITY }, { model }) =>
      find(model, query, ancestorNoteId, fastSearch, limit),
  ),
  get_note_tree: reads(
    "The tree below a note",
    { noteId, depth: z.number().int().min(1).max(5).default(1) },
    (args, { model }) => saysJson(treeOf(model, args.noteId, args.depth)),
  ),
  get_note: reads("A note and its content", wanted, (args, { model }) => getNote(model, args)),
  create_note: writes("Makes a note", NEW_NOTE, (args, { model }) =>
    saysJson({ note: { noteId: created(model, args).note_id } }),
  ),
  write_note: writes("Changes a note", written, (args, { model }) => writeNote(model, args)),
  organize_note: writes(
    "Moves a note, shows it in one more place, or takes it out of one",
    {
      action: z.enum(["move", "clone", "unlink"]),
      noteId: text,
      newParentNoteId: text,
      parentNoteId: text,
      branchId: text,
      prefix: text,
    },
    (args, around) => organizing[args.action](args, around),
  ),
};

function sayThrown(thrown: unknown): Reply {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const status = thrown instanceof RestFault ? `\n**Status**: ${thrown.status} (${thrown.code})` : "";
  return saysError(`**Error**: ${message}${status}`);
}

export const gitProfile: Profile = {
  is_stateful: true,
  tools: new Map(Object.entries(tools)),
  sayThrown: (_, thrown) => sayThrown(thrown),
  sayUnknownTool: (tool) => saysError(`Unknown tool: ${tool}`),
  sayRefused: () => sayThrown(new RestFault(409, "CONFLICT", "The note cannot be changed at the moment.")),
};
