// Reads a tree to a depth. A level that the server cuts is filled from the complete list of children; a server without a tool for
// trees is read by such lists alone (D-124).
import type { Child, NotesServer, TreeNode } from "./notes-server.ts";
import { mapBounded } from "./servers/map-bounded.ts";

const AT_ONCE = 8;
const MAX_LISTS = 300;
const MAX_NOTES = 2_000;

type PlainNode = { note_id: string; title: string; type: string; children: PlainNode[] };

/** `below` when there are notes below the depth, `limit` when the tree is larger than what is read at once. */
export type WholeTree = { tree: PlainNode; left_out: "nothing" | "below" | "limit"; gaps: string[] };

type Growing = { note_id: string; title: string; type: string; children: Growing[]; is_cut: boolean };

export async function wholeTree(notes: NotesServer, root_note_id: string, depth: number): Promise<WholeTree | null> {
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
  ...{ note_id, title, type, is_cut },
  children: children.map(growing),
});

/** What is below it is not known, unless it is known to be nothing. */
const unread = ({ note_id, title, type, child_count }: Child): Growing => ({
  ...{ note_id, title, type, children: [] },
  is_cut: child_count !== 0,
});

const countOf = (node: PlainNode): number => node.children.reduce((sum, child) => sum + countOf(child), 1);

const plain = ({ note_id, title, type, children }: PlainNode): PlainNode => ({
  ...{ note_id, title, type },
  children: children.map(plain),
});
