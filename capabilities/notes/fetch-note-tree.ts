// Reads a tree of notes to a depth: with one recursive call, and a list for each level that the server has cut. The outcome says
// when anything is left out (D-124).
import type { SkillEnd } from "../../src/domain/skill.ts";
import { type Child, mapBounded, type NotesServer, type TreeNode } from "./notes-server.ts";
import type { FetchNoteTree } from "./parameters.ts";
import { counted, listed, named } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

const NEXT = {
  below: "read on further down: fetch_note_tree with the note_id of a note at that depth as root_note_id",
  limit: "read it in parts: fetch_note_tree with less depth, or list_children",
  nothing: "these children are traces of a synchronisation: look at them in the application",
} as const;

const WHY = {
  below: ": there may be notes below that depth",
  limit: ": it has more notes than are read at once",
  nothing: "",
} as const;

export async function fetchNoteTree(work: Work, { root_note_id, depth }: FetchNoteTree): Promise<SkillEnd> {
  const read = await readStep(work, "read the tree", (notes) => wholeTree(notes, root_note_id, depth));
  if (read === null) return { status: "failed", code: "not_found", message: `The note ${root_note_id} is not there.` };
  const { tree, left_out, gaps } = read;
  const truncated = left_out !== "nothing" || gaps.length > 0;
  const result = { tree, truncated, gaps, depth };
  const what = `The tree below ${named(tree)} was read to a depth of ${depth}`;
  if (!truncated) return { status: "ok", code: "tree_read", message: `${what}, and is complete.`, result };
  const message = `${what}, and is not complete${WHY[left_out]}${unreadable(read)}.`;
  return { status: "ok", code: "tree_truncated", message, next: NEXT[left_out], result };
}

const unreadable = ({ gaps, left_out }: WholeTree): string =>
  gaps.length === 0
    ? ""
    : `${left_out === "nothing" ? ":" : ", and"} ${counted(gaps.length, "note")} cannot be read: ${listed(gaps)}`;

const AT_ONCE = 8;
const MAX_LISTS = 300;
const MAX_NOTES = 2_000;

type PlainNode = { note_id: string; title: string; type: string; children: PlainNode[] };

/** `below` when there are notes below the depth, `limit` when the tree is larger than what is read at once. */
type WholeTree = { tree: PlainNode; left_out: "nothing" | "below" | "limit"; gaps: string[] };

type Growing = { note_id: string; title: string; type: string; children: Growing[]; is_cut: boolean };

/**
 * Reads a tree to a depth. A level that the server cuts is filled from the complete list of children; a server without a tool for
 * trees is read by such lists alone (D-124).
 */
async function wholeTree(notes: NotesServer, root_note_id: string, depth: number): Promise<WholeTree | null> {
  const start = await begin(notes, root_note_id, depth);
  if (start === null) return null;
  const { root, gaps } = start;
  let [lists, count, isLimited] = [0, countOf(root), false];
  const grow = async (node: Growing) => {
    if (lists === MAX_LISTS || count >= MAX_NOTES) {
      isLimited = true;
      return;
    }
    lists += 1;
    const all = await notes.children(node.note_id);
    if (all === null) return;
    const known = new Map(node.children.map((child) => [child.note_id, child]));
    node.children = all.notes.map((child) => known.get(child.note_id) ?? unread(child));
    node.is_cut = false;
    count += node.children.length - known.size;
    gaps.push(...all.gaps.filter((id) => !gaps.includes(id)));
  };
  let level = [root];
  for (let left = depth; left > 0; left -= 1) {
    await mapBounded(
      level.filter((node) => node.is_cut),
      AT_ONCE,
      grow,
    );
    level = level.flatMap((node) => node.children);
  }
  const isBelow = level.some((node) => node.is_cut);
  return { tree: plain(root), left_out: isLimited ? "limit" : isBelow ? "below" : "nothing", gaps };
}

async function begin(notes: NotesServer, note_id: string, depth: number) {
  if (notes.tree !== null) {
    const tree = await notes.tree(note_id, depth);
    return tree && { root: growing(tree.root), gaps: [...tree.gaps] };
  }
  const note = await notes.note(note_id);
  return note && { root: unread({ note_id, title: note.title, type: note.type }), gaps: [] };
}

const growing = ({ note_id, title, type, children, is_cut }: TreeNode): Growing => ({
  note_id,
  title,
  type,
  is_cut,
  children: children.map(growing),
});

/** What is below it is not known, unless it is known to be nothing. */
const unread = ({ note_id, title, type, child_count }: Child): Growing => ({
  note_id,
  title,
  type,
  children: [],
  is_cut: child_count !== 0,
});

const countOf = (node: PlainNode): number => node.children.reduce((sum, child) => sum + countOf(child), 1);

const plain = ({ note_id, title, type, children }: PlainNode): PlainNode => ({
  note_id,
  title,
  type,
  children: children.map(plain),
});
