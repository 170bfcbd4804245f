// Reads whatever the guards want to know of every note of a plan. Nothing is written: this is the dry run.
import { type Lineage, lineageOf, pathOf, type ReadNote, remembering } from "./ancestors.ts";
import { judgeIds, judgeMove, type Wish } from "./guards.ts";
import type { Examined, LeftOut, Move, Place } from "./moves.ts";
import type { NotesServer } from "./notes-server.ts";
import { mapBounded } from "./servers/map-bounded.ts";

const AT_ONCE = 16;

type Seen = { readonly is: "movable"; readonly move: Move } | { readonly is: "left_out"; readonly left_out: LeftOut };

/** In the order of the wishes. `told` hears how many have been examined. */
export async function examineMoves(
  notes: Pick<NotesServer, "note">,
  wishes: readonly Wish[],
  told: (done: number) => void,
): Promise<Examined> {
  const read = remembering(notes.note);
  const lineage = remembering((note_id) => lineageOf(note_id, read));
  let done = 0;
  const seen = await mapBounded(wishes, AT_ONCE, async (wish) => {
    const one = await examine(wish, read, lineage);
    done += 1;
    told(done);
    return one;
  });
  const moves = seen.flatMap((one) => (one.is === "movable" ? [one.move] : []));
  const left_out = seen.flatMap((one) => (one.is === "left_out" ? [one.left_out] : []));
  return { moves, left_out, places: await placesOf(moves, lineage) };
}

async function examine(wish: Wish, read: ReadNote, lineage: (id: string) => Promise<Lineage | null>): Promise<Seen> {
  const { note_id, to } = wish;
  const isReadable = judgeIds(wish) === null;
  const [note, target] = isReadable ? await Promise.all([read(note_id), lineage(to)]) : [null, null];
  const judged = judgeMove(wish, note, target);
  const title = note?.title ?? null;
  if (judged.is === "movable") return { is: "movable", move: { note_id, title: title ?? "", from: judged.from, to } };
  const { code, reason } = judged;
  return { is: "left_out", left_out: { note_id, title, to, code, reason } };
}

async function placesOf(
  moves: readonly Move[],
  lineage: (note_id: string) => Promise<Lineage | null>,
): Promise<Place[]> {
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const known = await mapBounded(ids, AT_ONCE, lineage);
  return known.flatMap((one) =>
    one === null ? [] : [{ note_id: one.note.note_id, title: one.note.title, path: pathOf(one) }],
  );
}
