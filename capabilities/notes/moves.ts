// A plan of moves as it is examined, kept in the journal, shown to a human and handed back.
import { digestOf, type Json } from "../../src/domain/json.ts";
import { quoted } from "./readable.ts";

/** `from` and `to` are the ids of the parents. */
export type Move = { note_id: string; title: string; from: string; to: string };

export type LeftOut = { note_id: string; title: string | null; to: string; code: string; reason: string };

/** Every note that the moves go from or to. */
export type Place = { note_id: string; title: string; path: string };

export type Examined = { moves: Move[]; left_out: LeftOut[]; places: Place[] };

/** What `apply_note_moves` takes. */
const movePlan = (moves: readonly Move[]) => moves.map(({ note_id, to }) => ({ note_id, target_parent_note_id: to }));

/** What takes every note back, the last one first. */
export const reversePlan = (moves: readonly Move[]) =>
  moves.map(({ note_id, from }) => ({ note_id, target_parent_note_id: from })).toReversed();

/** Bound to the places as well: the same notes from elsewhere are another plan. */
export const planDigest = (moves: readonly Move[]): string =>
  digestOf(moves.map(({ note_id, from, to }) => ({ note_id, from, to })));

/** What a plan comes to, for programs and to be read. */
export function shown({ moves, left_out, places }: Examined): { [key: string]: Json } {
  const where = placesOf(places);
  const readable = moves.map(({ note_id, title, from, to }) => ({ note_id, title, from: where(from), to: where(to) }));
  return { move_plan: movePlan(moves), moves: readable, left_out, digest: planDigest(moves) };
}

/** Everything that would happen and everything that would not, a line each, nothing cut. */
export function linesOf({ moves, left_out, places }: Examined): string[] {
  const where = placesOf(places);
  const name = (note_id: string, title: string | null) => (title === null ? note_id : `${quoted(title)} (${note_id})`);
  return [
    ...moves.map(({ note_id, title, from, to }) => `${name(note_id, title)}: from ${where(from)} to ${where(to)}`),
    ...left_out.map(({ note_id, title, reason }) => `Left out: ${name(note_id, title)} ${reason}`),
  ];
}

/** As in `"Projects / 2026" (abc123)`. */
function placesOf(places: readonly Place[]): (note_id: string) => string {
  const known = new Map(places.map(({ note_id, path }) => [note_id, `${quoted(path)} (${note_id})`]));
  return (note_id) => known.get(note_id) ?? note_id;
}
