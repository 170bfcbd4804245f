// Carries out an approved plan: one move after the other, each a step, until all are done or one has failed. Then the complete
// lists of the targets verify what was done.
import type { SkillEnd } from "../../src/domain/skill.ts";
import { type Account, endOf, isInPlace, type Verified } from "./account.ts";
import { type ApprovedMove, type MoveResult, moveCutOff, moveNote } from "./move-note.ts";
import type { Examined, Move, PlannedMove } from "./moves.ts";
import { NotesFault } from "./notes-server.ts";
import { named } from "./readable.ts";
import { missingIn } from "./verify-placement.ts";
import type { Work } from "./work.ts";

export async function applyMoves(work: Work, examined: Examined): Promise<SkillEnd> {
  const account = await moveAll(work, examined);
  return endOf(account, account.failed === null ? await verified(work, account) : { is: "not_asked" });
}

async function moveAll(work: Work, { moves, left_out, places }: Examined): Promise<Account> {
  const { ctx } = work;
  const account: Account = { done: [], left_out: [...left_out], failed: null, not_done: [] };
  const titles = new Map(places.map(({ note_id, title }) => [note_id, title]));
  for (const [at, move] of moves.entries()) {
    ctx.progress(at, moves.length, `moving ${named(move)}`);
    const approved = { ...move, target_title: titles.get(move.to) ?? null };
    const became = await ctx.step(
      stepName(approved),
      () => moveNote(work, approved),
      () => moveCutOff(work, approved),
    );
    enter(account, move, became);
    if (account.failed !== null) return { ...account, not_done: moves.slice(at + 1).map(plainly) };
  }
  ctx.progress(moves.length, moves.length, "every move of the plan has been gone through");
  return account;
}

function enter(account: Account, planned: PlannedMove, { is, code, message }: MoveResult): void {
  const move = plainly(planned);
  const { note_id, title, to } = move;
  if (is === "moved") account.done.push(move);
  else if (is === "left_out") account.left_out.push({ note_id, title, to, code, reason: message });
  else account.failed = { ...move, code, message };
}

const plainly = ({ note_id, title, from, to, also }: PlannedMove): Move => ({
  ...{ note_id, title, from, to },
  ...(also === undefined ? {} : { also }),
});

const stepName = ({ target_title, ...move }: ApprovedMove): string =>
  `move ${named(move)} to ${named({ note_id: move.to, title: target_title })}`;

/** Includes notes that were already in place: they are part of the request. */
export async function verified(work: Work, { done, left_out }: Pick<Account, "done" | "left_out">): Promise<Verified> {
  const expected = [...done, ...left_out.filter(isInPlace)];
  try {
    return { is: "looked", missing: await missingIn(work, expected) };
  } catch (error) {
    if (!(error instanceof NotesFault)) throw error;
    return { is: "unreadable", code: error.code, message: error.message };
  }
}
