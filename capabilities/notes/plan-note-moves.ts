// Makes a plan from a parent and a rule for titles, without executing it.
import type { SkillEnd } from "../../src/domain/skill.ts";
import { examineMoves } from "./examine-moves.ts";
import { type Examined, sharingOf, shown } from "./moves.ts";
import type { NoteBrief, NotesServer } from "./notes-server.ts";
import { MAX_MOVES, type PlanNoteMoves, type SelectionRule } from "./parameters.ts";
import { counted, listed, shortly } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

/** The selected notes and their moves, or the reason why there is no plan. */
export type NotePlan =
  | ({ is: "planned"; selected: number; gaps: string[] } & Examined)
  | { is: "impossible"; code: string; message: string };

export async function planNoteMoves(work: Work, order: PlanNoteMoves): Promise<SkillEnd> {
  const plan = await planMoves(work, order);
  if (plan.is === "impossible") return { status: "failed", code: plan.code, message: plan.message };
  const { moves, left_out, selected, gaps } = plan;
  const result = { ...shown(plan), gaps };
  if (selected === 0)
    return { status: "ok", code: "nothing_selected", message: `${nothingSelected(order)}${unread(gaps)}`, result };
  const message = `${counted(selected)} selected: ${moves.length} would be moved, ${left_out.length} left out.${sharingOf(moves)}${unread(gaps)}`;
  if (moves.length === 0) return { status: "ok", code: "nothing_to_move", message, result };
  const next = "give move_plan to apply_note_moves with dry_run false, or plan and move at once with execute_move_plan";
  return { status: "ok", code: "planned", message, next, result };
}

/** They have no title by which they could be selected. */
const unread = (gaps: readonly string[]): string =>
  gaps.length === 0 ? "" : ` ${counted(gaps.length, "place")} under the source cannot be read: ${listed(gaps)}.`;

/** One step, so that the plan that a human approves is exactly the plan that was made. */
export const planMoves = (work: Work, order: PlanNoteMoves): Promise<NotePlan> =>
  readStep(work, "plan the moves", (notes) => plan(notes, order, work.ctx.progress));

export const nothingSelected = ({ source_scope, selection_rule }: PlanNoteMoves): string =>
  `No note directly under ${source_scope.parent_note_id} has ${shortly(selection_rule.title_contains)} in its title.`;

async function plan(
  notes: NotesServer,
  { source_scope, target_parent_note_id: to, selection_rule }: PlanNoteMoves,
  progress: Work["ctx"]["progress"],
): Promise<NotePlan> {
  const from = source_scope.parent_note_id;
  const [children, target] = await Promise.all([notes.children(from), notes.note(to)]);
  if (children === null)
    return { is: "impossible", code: "source_not_found", message: `The source ${from} is not there.` };
  if (target === null) return { is: "impossible", code: "target_not_found", message: `The target ${to} is not there.` };
  const selected = children.notes.filter((child) => child.note_id !== to && isSelected(child, selection_rule));
  if (selected.length > MAX_MOVES) {
    const message = `${selected.length} notes are selected, and a plan holds ${MAX_MOVES}; select by more of the title.`;
    return { is: "impossible", code: "too_many_selected", message };
  }
  const wishes = selected.map(({ note_id }) => ({ note_id, from, to }));
  const examined = await examineMoves(notes, wishes, (done) =>
    progress(done, wishes.length, "reading the notes of the plan"),
  );
  return { is: "planned", selected: selected.length, gaps: [...children.gaps], ...examined };
}

function isSelected({ title }: NoteBrief, { title_contains, ignore_case }: SelectionRule): boolean {
  const [all, part] = [title.normalize("NFC"), title_contains.normalize("NFC")];
  return ignore_case ? all.toLowerCase().includes(part.toLowerCase()) : all.includes(part);
}
