// The whole procedure: plan, dry run, approval, moves, verification. A saga without compensation: a failure reports what was
// done, what was not, and how to undo it.
import type { SkillEnd } from "../../src/domain/skill.ts";
import { tryMoves } from "./apply-note-moves.ts";
import { carryOut } from "./carry-out.ts";
import type { PlanNoteMoves } from "./parameters.ts";
import { nothingSelected, planMoves } from "./plan-note-moves.ts";
import type { Work } from "./work.ts";

export async function executeMovePlan(work: Work, order: PlanNoteMoves): Promise<SkillEnd> {
  const plan = await planMoves(work, order);
  if (plan.is === "impossible") return { status: "failed", code: plan.code, message: plan.message };
  if (plan.selected === 0) return { status: "blocked", code: "nothing_selected", message: nothingSelected(order) };
  const tried = await tryMoves(work, plan.moves);
  return carryOut(work, { ...tried, left_out: [...plan.left_out, ...tried.left_out] });
}
