// Takes a plan from its dry run to its end: asks for approval, then applies what was approved.

import type { SkillEnd } from "../../src/domain/skill.ts";
import { notApproved, requestApproval, waitForApproval } from "../../src/skills/api.ts";
import { endOf, isInPlace } from "./account.ts";
import { applyMoves, verified } from "./apply-moves.ts";
import { type Examined, linesOf, planDigest, sharingOf, shown } from "./moves.ts";
import { counted, listed, named } from "./readable.ts";
import type { Work } from "./work.ts";

/** Ends `blocked` when the approval is refused, or when there is nothing to approve. */
export async function carryOut(work: Work, examined: Examined): Promise<SkillEnd> {
  const { moves, left_out } = examined;
  if (moves.length === 0) return withoutMoves(work, examined);
  const approval_id = await requestApproval(work.ctx, {
    action: actionOf(examined),
    details: linesOf(examined),
    data: { moves, left_out, digest: planDigest(moves) },
  });
  const decided = await waitForApproval(work.ctx, approval_id);
  if (decided.status !== "approved") return notApproved(decided);
  return applyMoves(work, examined);
}

function actionOf({ moves, left_out, places }: Examined): string {
  const targets = new Set(moves.map(({ to }) => to));
  const [only] = places.filter(({ note_id }) => targets.has(note_id));
  const where = targets.size > 1 || only === undefined ? `${targets.size} notes` : named(only);
  const rest = left_out.length === 0 ? "" : ` ${counted(left_out.length)} would be left out.`;
  return `Move ${counted(moves.length)} under ${where}.${sharingOf(moves)}${rest}`;
}

/** Notes that are already in place are verified like moved ones. */
async function withoutMoves(work: Work, examined: Examined): Promise<SkillEnd> {
  const { left_out } = examined;
  if (!left_out.every(isInPlace)) return nothingToMove(examined);
  const account = { done: [], left_out, failed: null, not_done: [] };
  return endOf(account, await verified(work, account, []));
}

export function nothingToMove(examined: Examined): SkillEnd {
  const why = listed(
    examined.left_out.map((one) => `${named(one)} ${one.reason}`),
    3,
  );
  const message = `No note can be moved: ${why}.`;
  const next = "see to the reasons in left_out, then submit again under a new task_id";
  return { status: "blocked", code: "nothing_to_move", message, next, result: shown(examined) };
}
