// Reads a tree of notes: one recursive call. The outcome says when the server has left something out (D-124).
import type { SkillEnd } from "../../src/domain/skill.ts";
import type { TreeNode } from "./notes-server.ts";
import type { FetchNoteTree } from "./parameters.ts";
import { named } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

export async function fetchNoteTree(work: Work, { root_note_id, depth }: FetchNoteTree): Promise<SkillEnd> {
  const read = await readStep(work, "read the tree", async (notes) => {
    const found = await notes.tree(root_note_id, depth);
    return found && { tree: plain(found.root), truncated: found.truncated };
  });
  if (read === null) return { status: "failed", code: "not_found", message: `The note ${root_note_id} is not there.` };
  const { tree, truncated } = read;
  const result = { tree, truncated, depth };
  const what = `The tree below ${named(tree)} was read to a depth of ${depth}`;
  if (!truncated) return { status: "ok", code: "tree_read", message: `${what}, and is complete.`, result };
  const message = `${what}, and is not complete: there are notes below that it does not show.`;
  const next = "read on further down: fetch_note_tree with the note_id of a note in it as root_note_id";
  return { status: "ok", code: "tree_truncated", message, next, result };
}

type Plain = { note_id: string; title: string; type: string; children: Plain[] };

const plain = ({ note_id, title, type, children }: TreeNode): Plain => ({
  note_id,
  title,
  type,
  children: children.map(plain),
});
