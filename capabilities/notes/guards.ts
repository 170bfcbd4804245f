// The conditions of a move: checked when a plan is made, before it is shown, and directly before each write. Each prevents a
// case in which real servers delete or lose notes, so nothing is left to the server.
import { boundTo, isPublic, isVisible, type Lineage, NONE, ROOT } from "./ancestors.ts";
import type { Note } from "./notes-server.ts";
import { shortly } from "./readable.ts";

/** `from` is the parent from which the note is to be moved; null: from its only place in the user's tree. */
export type Wish = { readonly note_id: string; readonly from: string | null; readonly to: string };

/** What a human saw of the note and its target. `target_title` is null for a target without a known title. */
export type Approved = {
  readonly title: string;
  readonly target_title: string | null;
  /** The other places of the note. */
  readonly also: readonly string[];
  readonly bound: Bound;
};

/** The notes above the source and above the target, as `boundTo` gives them. */
type Bound = { readonly from: string; readonly to: string };

/** What is known beside the note: null for a target or a source that does not exist. */
export type Surroundings = {
  readonly target: Lineage | null;
  readonly source: Lineage | null;
  /** As in NotesServer. */
  readonly chooses_place: boolean;
};

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
  | "target_hidden"
  | "target_protected"
  | "target_moved"
  | "source_moved"
  | "renamed"
  | "target_renamed";

export type MoveRefusal = { readonly is: "left_out"; readonly code: LeftOutCode; readonly reason: string };
export type MoveJudgement = { readonly is: "movable"; readonly from: string } | MoveRefusal;

const refuse = (code: LeftOutCode, reason: string): MoveRefusal => ({ is: "left_out", code, reason });

/** Ids of the application's own notes, which are never moved. */
export const isSystemId = (note_id: string): boolean => note_id === NONE || note_id.startsWith("_");

/** Null for a note that does not exist. Without an approval, nothing is compared with one. */
export function judgeMove(
  wish: Wish,
  note: Note | null,
  around: Surroundings,
  approved: Approved | null = null,
): MoveJudgement {
  const unfit = judgeIds(wish);
  if (unfit !== null) return unfit;
  if (note === null) return refuse("gone", "is not there");
  if (note.parent_note_ids.length === 0) return refuse("detached", "is in no place of the tree");
  const from = sourceOf(wish, note);
  const refusal =
    judgePlace({ ...wish, from }, note, around) ??
    judgePlaces(from, note, approved) ??
    judgeTarget(wish, around.target) ??
    judgeApproved(wish, note, around, approved);
  return refusal ?? { is: "movable", from: from ?? "" };
}

/** A bookmark or a share is a place, too, but not one from which a note is moved. Null when there are several others. */
function sourceOf({ from }: Wish, { parent_note_ids: parents }: Note): string | null {
  if (from !== null) return from;
  const [only = null, ...others] = parents.length === 1 ? parents : parents.filter((id) => !isSystemId(id));
  return others.length === 0 ? only : null;
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
  { chooses_place }: Surroundings,
): MoveRefusal | null {
  const [only] = parents;
  if (parents.length > 1) {
    const shown = `is shown in ${parents.length} places`;
    if (parents.includes(to)) return refuse("cloned", `${shown}, ${to} among them; remove the others by hand`);
    if (!chooses_place) return refuse("cloned", `${shown}, and this notes server cannot move it from one of them`);
    if (from === null) return refuse("cloned", `${shown}; say from which with source_parent_note_id`);
  } else if (only === to) return refuse("already_in_place", `is already under ${to}`);
  if (is_protected) return refuse("protected", "is protected; open it in the application and move it there");
  if (from !== null && !parents.includes(from))
    return refuse("moved_meanwhile", `is under ${parents.join(" and ")} now, and not under ${from}`);
  if (from === null || isSystemId(from))
    return refuse("system_note", `is under ${from ?? parents.join(" and ")}, which belongs to the system, and stays`);
  return null;
}

/** The approval named every place. */
function judgePlaces(from: string | null, { parent_note_ids }: Note, approved: Approved | null): MoveRefusal | null {
  if (approved === null) return null;
  const also = new Set(parent_note_ids.filter((id) => id !== from));
  if (also.size === approved.also.length && approved.also.every((id) => also.has(id))) return null;
  return refuse("cloned", `is shown in other places than approved: ${parent_note_ids.join(" and ")}`);
}

type TargetOf = Pick<Wish, "note_id" | "to">;

function judgeTarget({ note_id, to }: TargetOf, target: Lineage | null): MoveRefusal | null {
  if (target === null) return refuse("target_gone", `the target ${to} is not there`);
  if (target.above.has(note_id)) return refuse("inside_itself", `the target ${to} lies inside it`);
  if (!target.above.has(ROOT)) return refuse("target_detached", `the target ${to} is in no place of the tree`);
  if (!isVisible(target))
    return refuse("target_hidden", `the target ${to} is only in the hidden part of the tree; notes would vanish there`);
  if (target.note.is_protected) return refuse("target_protected", `the target ${to} is protected; choose another`);
  return null;
}

/** Under another title, or elsewhere in the tree, a note or a target may be another one to the human who approved. */
function judgeApproved(
  { to }: Wish,
  note: Note,
  { target, source }: Surroundings,
  approved: Approved | null,
): MoveRefusal | null {
  if (approved === null || target === null) return null;
  if (note.title !== approved.title) return refuse("renamed", `is called ${shortly(note.title)} now`);
  const refusal = judgeApprovedTarget(to, target, approved);
  if (refusal !== null) return refusal;
  if (source !== null && boundTo(source) === approved.bound.from) return null;
  return refuse(
    "source_moved",
    `is under ${source?.note.note_id ?? "a note"} whose place has changed since the approval`,
  );
}

function judgeApprovedTarget(to: string, target: Lineage, { target_title, bound }: ApprovedTarget): MoveRefusal | null {
  if (target_title !== null && target.note.title !== target_title)
    return refuse("target_renamed", `the target ${to} is called ${shortly(target.note.title)} now`);
  if (boundTo(target) === bound.to) return null;
  const now = isPublic(target) ? ", and is public now" : "";
  return refuse("target_moved", `the target ${to}, or a note above it, has changed its place since the approval${now}`);
}

type ApprovedTarget = { readonly target_title: string | null; readonly bound: { readonly to: string } };

/** The target alone, for a move that has begun and for one that was made. */
export const judgeTargetAgain = (
  wish: TargetOf,
  target: Lineage | null,
  approved: ApprovedTarget,
): MoveRefusal | null => judgeTarget(wish, target) ?? (target && judgeApprovedTarget(wish.to, target, approved));
