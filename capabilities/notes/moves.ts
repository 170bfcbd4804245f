// The form of an examined plan: kept in the journal, shown to a human, and returned to the caller.
import { digestOf, type Json } from "../../src/domain/json.ts";
import { counted, quoted } from "./readable.ts";

/** `from` and `to` are the ids of the parents; `also` those of the note's other places, if it has any. */
export type Move = { note_id: string; title: string; from: string; to: string; also?: string[] };

/** `bound` is what the approval is bound to, beside the move. `sharing` is what the move does beside moving. */
export type PlannedMove = Move & { bound: { from: string; to: string }; sharing?: "begins" | "ends" };

export type LeftOut = { note_id: string; title: string | null; to: string; code: string; reason: string };

/** A note from which or to which the plan moves notes. */
export type NotePlace = { note_id: string; title: string; path: string };

/** `caveats` are what all the moves do beside moving. */
export type Examined = { moves: PlannedMove[]; left_out: LeftOut[]; places: NotePlace[]; caveats: string[] };

/** The input of `apply_note_moves`. The source is named only where the note has several places. */
function itemOf({ note_id, from, to, also = [] }: Move) {
  const item = { note_id, target_parent_note_id: to };
  return also.length === 0 ? item : { ...item, source_parent_note_id: from };
}

/**
 * The moves that take every note back, the last one first where one may depend on another. Notes that were moved one after the
 * other from the same place to the same place do not, and return in their order.
 */
export function reversePlan(moves: readonly Move[]) {
  const runs: Move[][] = [];
  for (const move of moves) {
    const [last] = runs.at(-1) ?? [];
    if (last !== undefined && last.from === move.from && last.to === move.to) runs.at(-1)?.push(move);
    else runs.push([move]);
  }
  return runs.toReversed().flatMap((run) => run.map((move) => itemOf({ ...move, from: move.to, to: move.from })));
}

/** Includes the places: the same notes from other places are another plan, and so are the same moves below another note. */
export const planDigest = (moves: readonly PlannedMove[]): string =>
  digestOf(moves.map(({ note_id, from, to, also = [], bound }) => ({ note_id, from, to, also, bound })));

const SHARING = {
  begins: "becomes public, with all notes below it: its place is shared then",
  ends: "is not public any more",
} as const;

const effectOf = ({ also = [], sharing }: PlannedMove): string => {
  const stays = also.length === 0 ? [] : [`stays under ${also.join(" and ")} as well`];
  return [...stays, ...(sharing === undefined ? [] : [SHARING[sharing]])].map((words) => `; it ${words}`).join("");
};

/** As in ` 2 notes would become public.`; empty without any. */
export function sharingOf(moves: readonly PlannedMove[]): string {
  const count = (wanted: PlannedMove["sharing"]) => moves.filter(({ sharing }) => sharing === wanted).length;
  const [begins, ends] = [count("begins"), count("ends")];
  return `${begins === 0 ? "" : ` ${counted(begins)} would become public.`}${ends === 0 ? "" : ` ${counted(ends)} would not be public any more.`}`;
}

/** The plan as data, with a readable form. */
export function shown({ moves, left_out, places, caveats }: Examined): { [key: string]: Json } {
  const where = placesOf(places);
  const readable = moves.map((move) => ({
    note_id: move.note_id,
    title: move.title,
    from: where(move.from),
    to: where(move.to),
    ...(effectOf(move) === "" ? {} : { effect: effectOf(move).slice(2) }),
  }));
  return { move_plan: moves.map(itemOf), moves: readable, left_out, caveats, digest: planDigest(moves) };
}

/** Every move, every note that is left out and every caveat, one line each, uncut. */
export function linesOf({ moves, left_out, places, caveats }: Examined): string[] {
  const where = placesOf(places);
  const name = (note_id: string, title: string | null) => (title === null ? note_id : `${quoted(title)} (${note_id})`);
  return [
    ...moves.map(
      (move) => `${name(move.note_id, move.title)}: from ${where(move.from)} to ${where(move.to)}${effectOf(move)}`,
    ),
    ...left_out.map(({ note_id, title, reason }) => `Left out: ${name(note_id, title)} ${reason}`),
    ...caveats,
  ];
}

/** As in `"Projects / 2026" (abc123)`. */
function placesOf(places: readonly NotePlace[]): (note_id: string) => string {
  const known = new Map(places.map(({ note_id, path }) => [note_id, `${quoted(path)} (${note_id})`]));
  return (note_id) => known.get(note_id) ?? note_id;
}
