// Carries out an approved plan: one move after the other, each a step, until all are done or one has failed. Then the complete
// lists of the targets verify what was done.
import { setTimeout as sleep } from "node:timers/promises";
import type { SkillEnd } from "../../src/domain/skill.ts";
import { type Account, cancelled, endOf, isInPlace, type Verified } from "./account.ts";
import { lastLook } from "./last-look.ts";
import { type ApprovedMove, type MoveResult, moveCutOff, moveNote } from "./move-note.ts";
import type { Examined, Move, PlannedMove } from "./moves.ts";
import { NotesFault } from "./notes-server.ts";
import { named } from "./readable.ts";
import type { Work } from "./work.ts";

export async function applyMoves(work: Work, examined: Examined): Promise<SkillEnd> {
  const account = await moveAll(work, examined);
  if (work.ctx.signal.aborted) return cancelled(account);
  return endOf(account, account.failed === null ? await verified(work, account, examined.moves) : { is: "not_asked" });
}

/** When the task is cancelled, the account is its result: it says how to undo what was done (D-266). */
async function moveAll(work: Work, { moves, left_out, places }: Examined): Promise<Account> {
  const { ctx } = work;
  const account: Account = { done: [], left_out: [...left_out], failed: null, not_done: [] };
  const titles = new Map(places.map(({ note_id, title }) => [note_id, title]));
  const stopped = onAbort(ctx.signal);
  for (const [at, move] of moves.entries()) {
    ctx.progress(at, moves.length, `moving ${named(move)}`);
    const became = await moveAsStep(work, { ...move, target_title: titles.get(move.to) ?? null }, stopped);
    if (became === null) return { ...account, not_done: moves.slice(at).map(plainly) };
    enter(account, move, became);
    if (account.failed !== null) return { ...account, not_done: moves.slice(at + 1).map(plainly) };
  }
  ctx.progress(moves.length, moves.length, "every move of the plan has been gone through");
  return account;
}

/** Null when the task was cancelled before the step began: such a step never resolves. */
async function moveAsStep(work: Work, move: ApprovedMove, stopped: Promise<null>): Promise<MoveResult | null> {
  if (work.ctx.signal.aborted) return null;
  let hasBegun = false;
  const begin = (run: typeof moveNote) => () => {
    hasBegun = true;
    return run(work, move);
  };
  const step = work.ctx.step(stepName(move), begin(moveNote), begin(moveCutOff));
  return Promise.race([step, stopped.then(() => (hasBegun ? step : null))]);
}

/** A step that may begin has begun within this time. */
const LAST_STEP_MS = 200;

async function onAbort(signal: AbortSignal): Promise<null> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return sleep(LAST_STEP_MS, null);
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
export async function verified(
  work: Work,
  { done, left_out }: Pick<Account, "done" | "left_out">,
  planned: readonly PlannedMove[],
): Promise<Verified> {
  const expected = [...done, ...left_out.filter(isInPlace)].map(({ note_id, to }) => ({ note_id, to }));
  const moved = new Set(done.map(({ note_id }) => note_id));
  try {
    const made = planned.filter(({ note_id }) => moved.has(note_id));
    return { is: "looked", ...(await lastLook(work, expected, made)) };
  } catch (error) {
    if (!(error instanceof NotesFault)) throw error;
    return { is: "unreadable", code: error.code, message: error.message };
  }
}
