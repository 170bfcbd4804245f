// Executes a given plan: as a dry run by default, otherwise after an approval.
import type { SkillEnd } from "../../src/domain/skill.ts";
import { isInPlace } from "./account.ts";
import { carryOut, nothingToMove } from "./carry-out.ts";
import { examineMoves } from "./examine-moves.ts";
import type { Wish } from "./guards.ts";
import { type Examined, sharingOf, shown } from "./moves.ts";
import type { ApplyNoteMoves } from "./parameters.ts";
import { counted } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

/** The plan names the targets; a note is moved from its only parent, or from the place that the plan names (D-120). */
export async function applyNoteMoves(work: Work, { move_plan, dry_run }: ApplyNoteMoves): Promise<SkillEnd> {
  const wishes = move_plan.map(({ note_id, target_parent_note_id: to, source_parent_note_id: from = null }) => ({
    ...{ note_id, from, to },
  }));
  const tried = await tryMoves(work, wishes);
  return dry_run ? wouldBe(tried) : carryOut(work, tried);
}

/** The dry run: every guard, on current data of the server, and no write. */
export const tryMoves = (work: Work, wishes: readonly Wish[]): Promise<Examined> =>
  readStep(work, "try the moves without writing", (notes) =>
    examineMoves(notes, wishes, (done) => work.ctx.progress(done, wishes.length, "trying the moves without writing")),
  );

function wouldBe(tried: Examined): SkillEnd {
  const { moves, left_out } = tried;
  if (moves.length === 0 && !left_out.every(isInPlace)) return nothingToMove(tried);
  const message = `Nothing was written. ${counted(moves.length)} would be moved, ${left_out.length} left out.${sharingOf(moves)}`;
  const next = "send the same plan with dry_run false under a new task_id";
  const end = { status: "ok", message, result: shown(tried) } as const;
  return moves.length === 0 ? { ...end, code: "already_in_place" } : { ...end, code: "dry_run", next };
}
