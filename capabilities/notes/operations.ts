// Carries out the operations of the notes skill: plan, dry run, approval, moves, verification. That is a saga without
// compensation, which reports after a failure what was done, what was not, and how to undo it.
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";
import type { SkillEnd } from "../../src/domain/skill.ts";
import { notApproved, requestApproval, waitForApproval } from "../../src/features/skills/api.ts";
import { applyNoteChange } from "./apply-note-change.ts";
import { type Account, cancelled, endOf, isInPlace, lastLook, type Verified } from "./end-of-plan.ts";
import { examineMoves } from "./examine-moves.ts";
import { fetchNoteTree } from "./fetch-note-tree.ts";
import type { Wish } from "./guards.ts";
import { type ApprovedMove, type MoveResult, moveCutOff, moveNote } from "./move-note.ts";
import { type Examined, linesOf, type Move, type PlannedMove, planDigest, sharingOf, shown } from "./moves.ts";
import { type NoteBrief, NotesFault, type NotesServer } from "./notes-server.ts";
import * as parameters from "./parameters.ts";
import {
  type ApplyNoteMoves,
  type ListChildren,
  MAX_MOVES,
  type PlanNoteMoves,
  type SelectionRule,
} from "./parameters.ts";
import { counted, listed, named, shortly } from "./readable.ts";
import { resolveTargetNote } from "./resolve-target-note.ts";
import { verifyNoteTree, verifyTreePlacement } from "./verify-placement.ts";
import { readStep, type Work } from "./work.ts";

/**
 * Takes a plan from its dry run to its end: asks for approval, then applies what was approved. Ends `blocked` when the approval
 * is refused, or when there is nothing to approve.
 */
async function carryOut(work: Work, examined: Examined): Promise<SkillEnd> {
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

function nothingToMove(examined: Examined): SkillEnd {
  const why = listed(
    examined.left_out.map((one) => `${named(one)} ${one.reason}`),
    3,
  );
  const message = `No note can be moved: ${why}.`;
  const next = "see to the reasons in left_out, then submit again under a new task_id";
  return { status: "blocked", code: "nothing_to_move", message, next, result: shown(examined) };
}

/**
 * Carries out an approved plan: one move after the other, each a step, until all are done or one has failed. Then the complete
 * lists of the targets verify what was done.
 */
async function applyMoves(work: Work, examined: Examined): Promise<SkillEnd> {
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
  note_id,
  title,
  from,
  to,
  ...(also === undefined ? {} : { also }),
});

const stepName = ({ target_title, ...move }: ApprovedMove): string =>
  `move ${named(move)} to ${named({ note_id: move.to, title: target_title })}`;

/** Includes notes that were already in place: they are part of the request. */
async function verified(
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

/** The selected notes and their moves, or the reason why there is no plan. */
type NotePlan =
  | ({ is: "planned"; selected: number; gaps: string[] } & Examined)
  | { is: "impossible"; code: string; message: string };

/** Makes a plan from a parent and a rule for titles, without executing it. */
async function planNoteMoves(work: Work, order: PlanNoteMoves): Promise<SkillEnd> {
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
const planMoves = (work: Work, order: PlanNoteMoves): Promise<NotePlan> =>
  readStep(work, "plan the moves", (notes) => plan(notes, order, work.ctx.progress));

const nothingSelected = ({ source_scope, selection_rule }: PlanNoteMoves): string =>
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

/**
 * Executes a given plan: as a dry run by default, otherwise after an approval. The plan names the targets; a note is moved from
 * its only parent, or from the place that the plan names (D-120).
 */
async function applyNoteMoves(work: Work, { move_plan, dry_run }: ApplyNoteMoves): Promise<SkillEnd> {
  const wishes = move_plan.map(({ note_id, target_parent_note_id: to, source_parent_note_id: from = null }) => ({
    note_id,
    from,
    to,
  }));
  const tried = await tryMoves(work, wishes);
  return dry_run ? wouldBe(tried) : carryOut(work, tried);
}

/** The dry run: every guard, on current data of the server, and no write. */
const tryMoves = (work: Work, wishes: readonly Wish[]): Promise<Examined> =>
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

/** Lists all notes directly under a note, page by page: a tree has a limit, and this has none. */
async function listChildren(work: Work, { note_id, offset, limit }: ListChildren): Promise<SkillEnd> {
  const read = await readStep(work, "list the children", async (notes) => {
    const all = await notes.children(note_id);
    if (all === null) return null;
    const page = all.notes.slice(offset, offset + limit);
    const children = page.map(({ note_id: id, title, type }) => ({ note_id: id, title, type }));
    return { children, total: all.notes.length, gaps: [...all.gaps] };
  });
  if (read === null) return { status: "failed", code: "not_found", message: `The note ${note_id} is not there.` };
  const { children, total, gaps } = read;
  const end = offset + children.length;
  const next_offset = end < total ? end : null;
  const which = total === children.length ? "" : `, ${children.length} of them from ${offset} on`;
  const unread = gaps.length === 0 ? "" : ` ${counted(gaps.length, "place")} cannot be read: ${listed(gaps)}.`;
  const message = `${counted(total)} under ${note_id}${which}.${unread}`;
  const result = { note_id, children, total, offset, next_offset, gaps };
  const done: SkillEnd = { status: "ok", code: "children_listed", message, result };
  return next_offset === null ? done : { ...done, next: `list_children with offset ${next_offset} lists on` };
}

type Ready = { readonly ok: true; readonly run: (work: Work) => Promise<SkillEnd> };

type Refused = { readonly ok: false; readonly wrong: readonly string[] };

type Operation = (given: unknown) => Ready | Refused;

function operation<S extends z.ZodType>(
  schema: S,
  run: (work: Work, order: z.output<S>) => Promise<SkillEnd>,
): Operation {
  return (given) => {
    const parsed = schema.safeParse(given, { reportInput: true });
    if (!parsed.success) return { ok: false, wrong: wrongIn(parsed.error) };
    return { ok: true, run: (work) => run(work, parsed.data) };
  };
}

const OPERATIONS: ReadonlyMap<unknown, Operation> = new Map([
  ["fetch_note_tree", operation(parameters.FetchNoteTree, fetchNoteTree)],
  ["list_children", operation(parameters.ListChildren, listChildren)],
  ["resolve_target_note", operation(parameters.ResolveTargetNote, resolveTargetNote)],
  ["apply_note_change", operation(parameters.ApplyNoteChange, applyNoteChange)],
  ["verify_tree_placement", operation(parameters.VerifyTreePlacement, verifyTreePlacement)],
  ["verify_note_tree", operation(parameters.VerifyNoteTree, verifyNoteTree)],
  ["plan_note_moves", operation(parameters.PlanNoteMoves, planNoteMoves)],
  ["apply_note_moves", operation(parameters.ApplyNoteMoves, applyNoteMoves)],
  ["execute_move_plan", operation(parameters.PlanNoteMoves, executeMovePlan)],
]);

/** The order in a payload; otherwise every wrong field, with what to send instead. */
export function readOrder({ operation: name, ...given }: Readonly<Record<string, unknown>>): Ready | Refused {
  const known = OPERATIONS.get(name);
  if (known !== undefined) return known(given);
  return { ok: false, wrong: [`payload.operation must be one of ${[...OPERATIONS.keys()].join(", ")}`] };
}

async function executeMovePlan(work: Work, order: PlanNoteMoves): Promise<SkillEnd> {
  const plan = await planMoves(work, order);
  if (plan.is === "impossible") return { status: "failed", code: plan.code, message: plan.message };
  if (plan.selected === 0) return { status: "blocked", code: "nothing_selected", message: nothingSelected(order) };
  const tried = await tryMoves(work, plan.moves);
  return carryOut(work, { ...tried, left_out: [...plan.left_out, ...tried.left_out] });
}

const MOST = 20;

function wrongIn({ issues }: z.ZodError): string[] {
  const wrong = issues.flatMap(wordsFor);
  const rest = wrong.length - MOST;
  return rest <= 0 ? wrong : [...wrong.slice(0, MOST), `${rest} more fields are wrong`];
}

function wordsFor(issue: z.core.$ZodIssue): string[] {
  const at = ["payload", ...issue.path].map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `${at}.${key} is not a field of this operation`);
  if (issue.code === "invalid_union") return [`${at} must be a string or an array of strings`];
  if (issue.code !== "invalid_type" || !issue.message.startsWith("Invalid input")) return [`${at} ${issue.message}`];
  return [issue.input === undefined ? `${at} is required` : `${at} must be of type ${issue.expected}`];
}
