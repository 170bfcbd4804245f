// Reads a tree of notes: one recursive call, and a list for each level that the server has cut. The outcome says when anything is
// left out (D-124).
import type { SkillEnd } from "../../src/domain/skill.ts";
import type { FetchNoteTree } from "./parameters.ts";
import { counted, listed, named } from "./readable.ts";
import { type WholeTree, wholeTree } from "./whole-tree.ts";
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
