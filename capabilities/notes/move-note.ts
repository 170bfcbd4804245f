// One move: every guard again, the write, and a read of the result. The server's response to the write is not evidence, and a
// write without a response is not repeated (D-122).
import { lineageOf, remembering } from "./ancestors.ts";
import { judgeMove, judgeTargetAgain } from "./guards.ts";
import type { Move, PlannedMove } from "./moves.ts";
import { type Note, NotesFault, type NotesServer, type Objection, type Written } from "./notes-server.ts";
import { excerpt } from "./readable.ts";
import { isDown, lookAgain, orFault, throughOutage, type Work } from "./work.ts";

/** `left_out` has written nothing; `failed` may have. */
export type MoveResult = { ok: boolean; is: "moved" | "left_out" | "failed"; code: string; message: string };

/** With the title of its target at the time of the approval; null when there is none. */
export type ApprovedMove = PlannedMove & { readonly target_title: string | null };

/** Where the note is, as far as the move is concerned. */
type Seen = "moved" | "unmoved" | "in_two_places" | "elsewhere" | "lost";

/** No other task of this process moves a note meanwhile (D-130). */
export const moveNote = (work: Work, move: ApprovedMove): Promise<MoveResult> =>
  work.mutex.run(() => moveNow(work, move), work.ctx.signal);

async function moveNow(work: Work, move: ApprovedMove, look: Look = asItIs): Promise<MoveResult> {
  const written = await orFault(work.ctx, () => guardedMove(work, move, look));
  switch (written.is) {
    case "left_out":
      return { ok: false, is: "left_out", code: written.code, message: written.reason };
    case "fault":
      return failed(written.code, `it could not be examined, and nothing was written: ${written.message}`);
    case "done":
      return resultOf(move, written, (await lookAfter(work, move, work.patience.slice(0, 2))).seen);
    case "refused":
      return resultOf(move, written, (await lookAfter(work, move, work.patience.slice(0, 1))).seen);
    case "withdrawn":
      return withdrawn(move, written, (await lookAfter(work, move, work.patience.slice(0, 1))).seen);
    case "unknown": {
      const { seen, was_down } = await lookAfter(work, move, work.patience);
      // The application has ended, and the request with it.
      return was_down ? carryOn({ ...work, outage: [] }, move, written, seen) : resultOf(move, written, seen);
    }
  }
}

/**
 * For a move that had begun when the server died. Its request may still be under way at the notes server, so it has time to
 * take effect.
 */
export const moveCutOff = (work: Work, move: ApprovedMove): Promise<MoveResult> =>
  work.mutex.run(async () => {
    const { seen } = await lookAfter(work, move, work.patience);
    return carryOn(work, move, INTERRUPTED, seen);
  }, work.ctx.signal);

/**
 * A note that has stayed in place, or that shows in both, is moved after every guard has run; a late request then does no
 * harm.
 */
async function carryOn(work: Work, move: ApprovedMove, before: Written, seen: Seen | NotesFault): Promise<MoveResult> {
  if (seen === "unmoved" || seen === "elsewhere") return moveNow(work, move);
  if (seen !== "in_two_places" || !(await work.notes()).chooses_place) return resultOf(move, before, seen);
  const finished = await moveNow(work, move, exceptIn(move.to));
  if (finished.is !== "left_out") return finished;
  // The half that was there may have been taken back.
  const { seen: now } = await lookAfter(work, move, work.patience.slice(0, 1));
  return now === "unmoved" ? finished : resultOf(move, before, now);
}

const INTERRUPTED: Written = { is: "unknown", message: "the move was interrupted" };

type Look = (note: Note) => Note;

const asItIs: Look = (note) => note;
/** Half of a move shows the note under its target already. */
const exceptIn =
  (to: string): Look =>
  (note) => ({ ...note, parent_note_ids: note.parent_note_ids.filter((id) => id !== to) });

async function guardedMove(work: Work, move: ApprovedMove, look: Look) {
  const { note_id, from, to, also = [], title, target_title, bound } = move;
  const { server, judged } = await throughOutage(work, async () => {
    const server = await work.notes();
    const read = remembering(server.note);
    const [note, target, source] = await Promise.all([read(note_id), lineageOf(to, read), lineageOf(from, read)]);
    const around = { target, source, chooses_place: server.chooses_place };
    const judged = judgeMove(move, note && look(note), around, { title, target_title, also, bound });
    return { server, judged };
  });
  if (judged.is === "left_out") return judged;
  const objection = async () => judgeTargetAgain(move, await lineageOf(to, remembering(server.note)), move);
  return server.move({ note_id, from: judged.from, to }, objection);
}

type Looked = { readonly seen: Seen | NotesFault; readonly was_down: boolean };

async function lookAfter(work: Work, move: Move, patience: readonly number[]): Promise<Looked> {
  let was_down = false;
  const look = async ({ note }: NotesServer) => {
    try {
      return seenOf(move, await note(move.note_id));
    } catch (error) {
      was_down ||= isDown(error);
      throw error;
    }
  };
  const isMoved = (seen: Seen) => seen === "moved";
  const seen = await lookAgain(work, patience, look, isMoved);
  if (!isDown(seen) || work.outage === undefined || work.outage.length === 0) return { seen, was_down };
  return { seen: await lookAgain(work, work.outage, look, () => true), was_down };
}

function seenOf({ from, to, also = [] }: Move, note: Note | null): Seen {
  const parents = note?.parent_note_ids ?? [];
  if (parents.length === 0) return "lost";
  if (parents.includes(to)) return parents.every((id) => id === to || also.includes(id)) ? "moved" : "in_two_places";
  return parents.includes(from) ? "unmoved" : "elsewhere";
}

const failed = (code: string, message: string): MoveResult => ({ ok: false, is: "failed", code, message });

/** Words of a database that could not write: what the application shows from its memory may not be on its disk. */
const STORAGE = /database is locked|read-?only database|SQLITE_|disk (?:is full|I\/O)/i;

/** It is where it was; only where it could not be taken back, something was written. */
function withdrawn(move: Move, { code, reason }: Objection, seen: Seen | NotesFault): MoveResult {
  if (seen === "unmoved") return { ok: false, is: "left_out", code, message: reason };
  if (seen !== "moved" && seen !== "in_two_places") return resultOf(move, { is: "unknown", message: reason }, seen);
  return failed(
    code,
    `${reason}, which was noticed when it was under ${move.to} already, and it could not be taken back`,
  );
}

function resultOf({ from, to }: Move, written: Written, seen: Seen | NotesFault): MoveResult {
  if (seen instanceof NotesFault) {
    if (LOOP.test(seen.message)) return failed("cut_off", `${CUT_OFF} (${excerpt(seen.message)})`);
    return failed("outcome_unknown", `it is unknown whether it was moved: ${excerpt(seen.message)}; look where it is`);
  }
  switch (seen) {
    case "moved":
      if (written.is === "done" && written.out_of !== undefined)
        return failed("moved_meanwhile", `it is under ${to}, and was taken out of ${written.out_of}; ${PUT_THERE}`);
      if (written.is !== "done" && STORAGE.test(written.message))
        return failed("not_on_disk", `it shows under ${to}${said(written)}, which its disk may not hold; ${RESTART}`);
      return { ok: true, is: "moved", code: "moved", message: `is under ${to}` };
    case "in_two_places":
      return failed("in_two_places", `it is under ${to} and still in another place${said(written)}; ${RESTART}`);
    case "elsewhere":
      return failed("moved_elsewhere", `it is neither under ${from} nor under ${to} after the move; look where it is`);
    case "lost":
      return failed(
        "lost",
        "it is not found after the move: perhaps its new place was deleted in that moment; restore it from the application's recent changes or a backup",
      );
    case "unmoved":
      return unmoved(from, written);
  }
}

const PUT_THERE = "somebody had put it there directly before the move: look where it belongs";

/** These servers read a note through all notes above it. */
const LOOP = /call stack/i;

const CUT_OFF =
  "its target seems to have been put inside it directly before the move, so that both are in no place of the tree: take the target out of it, with the application's own API or a backup";

const RESTART =
  "restart the notes application, look again, and only if it then shows in both places, remove it by hand from the old one";

const said = (written: Written): string =>
  written.is === "done"
    ? ""
    : ` (${written.is === "refused" ? "the notes server said: " : ""}${excerpt(written.message)})`;

function unmoved(from: string, written: Written): MoveResult {
  switch (written.is) {
    case "refused":
      return failed("refused", `the notes server refused: ${excerpt(written.message)}`);
    case "done":
      return failed("not_verified", `the notes server says that it was moved, and it is still under ${from}`);
    case "unknown":
      return failed(
        "not_applied",
        `no answer came to the move (${excerpt(written.message)}), and it is still under ${from}`,
      );
  }
}
