// Takes the last look at a plan, whether its notes are under their targets and the targets still what was approved (a user may
// have moved one directly before a move, D-259), and converts its result to the end of its task.
import type { SkillEnd } from "../../src/domain/skill.ts";
import { boundTo, lineageOf, remembering } from "./ancestors.ts";
import { judgeTargetAgain } from "./guards.ts";
import { type LeftOut, type Move, type PlannedMove, reversePlan } from "./moves.ts";
import type { NotesServer } from "./notes-server.ts";
import { counted, listed, named } from "./readable.ts";
import { type Expected, missingIn } from "./verify-placement.ts";
import { readStep, throughOutage, type Work } from "./work.ts";

type Objectionable = { note_id: string; title: string; to: string; code: string; reason: string };

type LastLook = { missing: Expected[]; objections: Objectionable[] };

/** `expected` includes notes that were in place already; `made` are the moves that were made. */
export const lastLook = (work: Work, expected: readonly Expected[], made: readonly PlannedMove[]): Promise<LastLook> =>
  readStep(work, "verify where the notes and their targets are", (notes) =>
    throughOutage(work, async () => {
      const [missing, objections] = await Promise.all([missingIn(notes, expected), objectionsTo(notes, made)]);
      return { missing, objections };
    }),
  );

async function objectionsTo({ note }: NotesServer, made: readonly PlannedMove[]): Promise<Objectionable[]> {
  const lineage = remembering((note_id: string) => lineageOf(note_id, remembering(note)));
  const moved = new Set(made.map(({ note_id }) => note_id));
  const objections = await Promise.all(
    made.map(async ({ note_id, title, to, bound }) => {
      const target = await lineage(to);
      // Where the plan has moved the target as well, its place is another than before.
      const isOther = [...(target?.above.keys() ?? [])].some((id) => moved.has(id));
      const now = target && isOther ? { to: boundTo(target) } : bound;
      const found = judgeTargetAgain({ note_id, to }, target, { target_title: null, bound: now });
      return found === null ? [] : [{ note_id, title, to, code: found.code, reason: found.reason }];
    }),
  );
  return objections.flat();
}

export type Account = {
  done: Move[];
  left_out: LeftOut[];
  failed: (Move & { code: string; message: string }) | null;
  not_done: Move[];
};

export type Verified =
  | ({ readonly is: "looked" } & LastLook)
  | { readonly is: "unreadable"; readonly code: string; readonly message: string }
  | { readonly is: "not_asked" };

export const isInPlace = ({ code }: LeftOut): boolean => code === "already_in_place";

export function endOf(account: Account, verified: Verified): SkillEnd {
  const result = { ...account, reverse_plan: reversePlan(account.done) };
  const { failed } = account;
  if (failed !== null) return { ...stopped(account, failed), result };
  if (verified.is === "looked" && verified.missing.length > 0) {
    return { ...misplaced(account, verified.missing), result: { ...result, missing: verified.missing } };
  }
  if (verified.is === "looked" && verified.objections.length > 0) {
    const { objections } = verified;
    return { ...retargeted(account, objections), result: { ...result, objections } };
  }
  if (verified.is === "unreadable") return { ...unverified(account, verified), result };
  return { ...completed(account), result };
}

/** Of a task that was cancelled. A move that was under way is among those that were not done: the steps say what became of it. */
export const cancelled = (account: Account): SkillEnd => ({
  status: "failed",
  code: "cancelled",
  message: `${counted(account.done.length)} moved, ${account.not_done.length} not done.`,
  next: account.done.length === 0 ? LOOK_ANEW : UNDO,
  result: { ...account, reverse_plan: reversePlan(account.done) },
});

const LOOK = "look where the notes are; somebody else may have moved them since";

const UNDO =
  "give reverse_plan to apply_note_moves to undo what was done; the notes return in their order, after those that have stayed";

const undoOf = (done: readonly Move[]): string => (done.length === 0 ? "" : `; ${UNDO}`);

/** The request of the move may still be under way at the notes server. */
const MAY_ARRIVE: ReadonlySet<string> = new Set(["not_applied", "outcome_unknown"]);

const WAIT =
  "wait until no request can arrive late at the notes server any more, look at the note, and only then plan the rest anew";

const LOOK_ANEW = "nothing was moved: plan the moves anew, under a new task_id";

function stopped({ done, not_done }: Account, failed: NonNullable<Account["failed"]>): SkillEnd {
  const counts = `${counted(done.length)} moved before it, ${not_done.length} not begun`;
  return {
    status: "failed",
    code: failed.code,
    message: `${named(failed)} was not moved as planned: ${failed.message}. ${counts}.`,
    next: `${MAY_ARRIVE.has(failed.code) ? WAIT : "look at the note, then plan the rest anew"}${undoOf(done)}`,
  };
}

function misplaced({ done }: Account, missing: readonly { readonly note_id: string; readonly to: string }[]): SkillEnd {
  const which = listed(missing.map(({ note_id, to }) => `${note_id} under ${to}`));
  return {
    status: "failed",
    code: "not_placed",
    message: `${counted(missing.length)} could not be found where the plan has put them: ${which}.`,
    next: `${LOOK}${undoOf(done)}`,
  };
}

/** What has to be done about a target that is another now than was approved. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    "inside_itself",
    "put the target back to where it was; until then it and all that lies under it are in no place of the tree",
  ],
  ["target_detached", "put the target back to where it was; until then nothing under it is in a place of the tree"],
  ["target_hidden", "put the target back to where users see it"],
  ["target_gone", "restore the target from the application's recent changes, or from a backup"],
]);

function retargeted({ done }: Account, objections: readonly Objectionable[]): SkillEnd {
  const [first] = objections;
  const why = listed(
    objections.map((one) => `${named(one)}: ${one.reason}`),
    3,
  );
  const look = REMEDIES.get(first?.code ?? "") ?? "look whether the notes may stay where the target is now";
  return {
    status: "failed",
    code: first?.code === "inside_itself" ? "cut_off" : (first?.code ?? "target_moved"),
    message: `${counted(done.length)} moved, and the target was changed by somebody else meanwhile: ${why}.`,
    next: `${look}; ${UNDO}`,
  };
}

const unverified = (
  { done }: Account,
  { code, message }: { readonly code: string; readonly message: string },
): SkillEnd => ({
  status: "failed",
  code,
  message: `${counted(done.length)} moved, and the end could not be verified: ${message}`,
  next: "verify with verify_note_tree once the notes server answers",
});

function completed({ done, left_out }: Account): SkillEnd {
  const inPlace = left_out.filter(isInPlace).length;
  const also = inPlace === 0 ? "" : `, ${inPlace} in place already`;
  const others = left_out.filter((one) => !isInPlace(one));
  if (others.length > 0) {
    const why = listed(
      others.map((one) => `${named(one)} ${one.reason}`),
      3,
    );
    return {
      status: "failed",
      code: done.length === 0 ? "nothing_moved" : "partly_moved",
      message: `${counted(done.length)} moved and verified${also}, ${others.length} left out: ${why}.`,
      next: `see to the notes that were left out and plan them anew${undoOf(done)}`,
    };
  }
  if (done.length === 0)
    return { status: "ok", code: "already_in_place", message: `Nothing to move${also}; verified.` };
  return { status: "ok", code: "moved", message: `${counted(done.length)} moved and verified${also}.`, next: UNDO };
}
