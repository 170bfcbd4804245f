// The form of an examined plan: kept in the journal, shown to a human, and returned to the caller.
import { digestOf, type Json } from "../../src/domain/json.ts";
import { quoted } from "./readable.ts";

/** `from` and `to` are the ids of the parents. */
export type Move = { note_id: string; title: string; from: string; to: string };

export type LeftOut = { note_id: string; title: string | null; to: string; code: string; reason: string };

/** A note from which or to which the plan moves notes. */
export type NotePlace = { note_id: string; title: string; path: string };

export type Examined = { moves: Move[]; left_out: LeftOut[]; places: NotePlace[] };

/** The input of `apply_note_moves`. */
const movePlan = (moves: readonly Move[]) => moves.map(({ note_id, to }) => ({ note_id, target_parent_note_id: to }));

/** The moves that take every note back, the last one first. */
export const reversePlan = (moves: readonly Move[]) =>
  moves.map(({ note_id, from }) => ({ note_id, target_parent_note_id: from })).toReversed();

/** Includes the places: the same notes from other places are another plan. */
export const planDigest = (moves: readonly Move[]): string =>
  digestOf(moves.map(({ note_id, from, to }) => ({ note_id, from, to })));

/** The plan as data, with a readable form. */
export function shown({ moves, left_out, places }: Examined): { [key: string]: Json } {
  const where = placesOf(places);
  const readable = moves.map(({ note_id, title, from, to }) => ({ note_id, title, from: where(from), to: where(to) }));
  return { move_plan: movePlan(moves), moves: readable, left_out, digest: planDigest(moves) };
}

/** Every move and every note that is left out, one line each, uncut. */
export function linesOf({ moves, left_out, places }: Examined): string[] {
  const where = placesOf(places);
  const name = (note_id: string, title: string | null) => (title === null ? note_id : `${quoted(title)} (${note_id})`);
  return [
    ...moves.map(({ note_id, title, from, to }) => `${name(note_id, title)}: from ${where(from)} to ${where(to)}`),
    ...left_out.map(({ note_id, title, reason }) => `Left out: ${name(note_id, title)} ${reason}`),
  ];
}

/** As in `"Projects / 2026" (abc123)`. */
function placesOf(places: readonly NotePlace[]): (note_id: string) => string {
  const known = new Map(places.map(({ note_id, path }) => [note_id, `${quoted(path)} (${note_id})`]));
  return (note_id) => known.get(note_id) ?? note_id;
}
