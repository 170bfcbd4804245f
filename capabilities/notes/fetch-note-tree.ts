// Reads a tree to be looked at (spec section 4, fetch_note_tree): one recursive call, and no word that it is complete when
// the server has left something out.
import type { Json } from "../../src/domain/json.ts";
import type { SkillEnd } from "../../src/domain/skill.ts";
import type { TreeNode } from "./notes-server.ts";
import type { FetchNoteTree } from "./parameters.ts";
import { named } from "./readable.ts";
import type { Work } from "./work.ts";

export async function fetchNoteTree(work: Work, { root_note_id, depth }: FetchNoteTree): Promise<SkillEnd> {
  const tree = await (await work.notes()).tree(root_note_id, depth);
  if (tree === null) return { status: "failed", code: "not_found", message: `The note ${root_note_id} is not there.` };
  const { root, truncated } = tree;
  const result = { tree: plain(root), truncated, depth };
  const read = `The tree below ${named(root)} was read to a depth of ${depth}`;
  if (!truncated) return { status: "ok", code: "tree_read", message: `${read}, and is complete.`, result };
  const message = `${read}, and is not complete: the notes server has left notes out.`;
  const next = "read what is missing from a note further down, or list one parent with plan_note_moves";
  return { status: "ok", code: "tree_truncated", message, next, result };
}

const plain = ({ note_id, title, type, children }: TreeNode): Json => ({
  note_id,
  title,
  type,
  children: children.map(plain),
});
