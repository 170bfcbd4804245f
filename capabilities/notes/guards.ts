// The conditions of a move: checked when a plan is made, before it is shown, and directly before each write. Each prevents a
// case in which real servers delete or lose notes, so nothing is left to the server.
import { type Lineage, NONE, ROOT } from "./ancestors.ts";
import type { Note } from "./notes-server.ts";
import { shortly } from "./readable.ts";

/** `from` is the parent under which the plan found the note; null accepts any. */
export type Wish = { readonly note_id: string; readonly from: string | null; readonly to: string };

/** The titles of the note and its target at the time of the approval; null for a target without a known title. */
export type Names = { readonly title: string; readonly target_title: string | null };

type LeftOutCode =
  | "system_note"
  | "system_target"
  | "onto_itself"
  | "gone"
  | "target_gone"
  | "protected"
  | "already_in_place"
  | "cloned"
  | "detached"
  | "moved_meanwhile"
  | "inside_itself"
  | "target_detached"
  | "target_protected"
  | "renamed"
  | "target_renamed";

export type MoveRefusal = { readonly is: "left_out"; readonly code: LeftOutCode; readonly reason: string };
export type MoveJudgement = { readonly is: "movable"; readonly from: string } | MoveRefusal;

const refuse = (code: LeftOutCode, reason: string): MoveRefusal => ({ is: "left_out", code, reason });

/** Ids of the application's own notes, which are never moved. */
export const isSystemId = (note_id: string): boolean => note_id === NONE || note_id.startsWith("_");

/** Null for a note or a target that does not exist. Without names, titles are not compared. */
export function judgeMove(
  wish: Wish,
  note: Note | null,
  target: Lineage | null,
  approved: Names | null = null,
): MoveJudgement {
  const unfit = judgeIds(wish);
  if (unfit !== null) return unfit;
  if (note === null) return refuse("gone", "is not there");
  const [from] = note.parent_note_ids;
  if (from === undefined) return refuse("detached", "is in no place of the tree");
  const refusal = judgePlace(wish, note, from) ?? judgeTarget(wish, target);
  return refusal ?? judgeNames(wish, note, target, approved) ?? { is: "movable", from };
}

/** Judges the ids before anything is read; null when they are acceptable. */
export function judgeIds({ note_id, to }: Wish): MoveRefusal | null {
  if (note_id === ROOT || isSystemId(note_id)) return refuse("system_note", "is a note of the system and stays");
  if (isSystemId(to)) return refuse("system_target", `${to} belongs to the system; choose another target`);
  if (note_id === to) return refuse("onto_itself", "cannot be moved under itself");
  return null;
}

function judgePlace(
  { from, to }: Wish,
  { parent_note_ids: parents, is_protected }: Note,
  only: string,
): MoveRefusal | null {
  if (parents.length > 1) {
    const also = parents.includes(to) ? `, ${to} among them` : "";
    return refuse("cloned", `is shown in ${parents.length} places${also}; remove the others first, or move it by hand`);
  }
  if (only === to) return refuse("already_in_place", `is already under ${to}`);
  if (is_protected) return refuse("protected", "is protected; open it in the application and move it there");
  if (from !== null && only !== from) return refuse("moved_meanwhile", `is under ${only} now, and not under ${from}`);
  if (isSystemId(only)) return refuse("system_note", `is under ${only}, which belongs to the system, and stays`);
  return null;
}

function judgeTarget({ note_id, to }: Wish, target: Lineage | null): MoveRefusal | null {
  if (target === null) return refuse("target_gone", `the target ${to} is not there`);
  if (target.above.has(note_id)) return refuse("inside_itself", `the target ${to} lies inside it`);
  if (!target.above.has(ROOT)) return refuse("target_detached", `the target ${to} is in no place of the tree`);
  if (target.note.is_protected) return refuse("target_protected", `the target ${to} is protected; choose another`);
  return null;
}

/** A note with another title may be another note to the human who approved its move, and so may a target. */
function judgeNames({ to }: Wish, note: Note, target: Lineage | null, approved: Names | null): MoveRefusal | null {
  if (approved === null) return null;
  const { title, target_title } = approved;
  if (note.title !== title) return refuse("renamed", `is called ${shortly(note.title)} now`);
  if (target === null || target_title === null || target.note.title === target_title) return null;
  return refuse("target_renamed", `the target ${to} is called ${shortly(target.note.title)} now`);
}
