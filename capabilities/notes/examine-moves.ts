// The dry run of a plan: reads what the guards need to know of every note, and judges each move as if the moves before it had
// been made (D-129). It writes nothing.
import { type Lineage, lineageOf, pathOf, remembering } from "./ancestors.ts";
import { judgeIds, judgeMove, type Wish } from "./guards.ts";
import type { Examined, LeftOut, Move, NotePlace } from "./moves.ts";
import type { NotesServer } from "./notes-server.ts";
import { mapBounded } from "./servers/map-bounded.ts";
import { createTreeAhead, type TreeAhead } from "./tree-ahead.ts";

const AT_ONCE = 16;

type Seen = { readonly is: "movable"; readonly move: Move } | { readonly is: "left_out"; readonly left_out: LeftOut };

/** In the order of the wishes. `onProgress` receives the number of notes that have been read. */
export async function examineMoves(
  notes: Pick<NotesServer, "note">,
  wishes: readonly Wish[],
  onProgress: (done: number) => void,
): Promise<Examined> {
  const read = remembering(notes.note);
  const lineage = remembering((note_id) => lineageOf(note_id, read));
  let done = 0;
  await mapBounded(wishes, AT_ONCE, async (wish) => {
    if (judgeIds(wish) === null) await Promise.all([read(wish.note_id), lineage(wish.to)]);
    done += 1;
    onProgress(done);
  });
  const seen = await examineInOrder(wishes, createTreeAhead(read));
  const moves = seen.flatMap((one) => (one.is === "movable" ? [one.move] : []));
  const left_out = seen.flatMap((one) => (one.is === "left_out" ? [one.left_out] : []));
  return { moves, left_out, places: await placesOf(moves, lineage) };
}

async function examineInOrder(wishes: readonly Wish[], tree: TreeAhead): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const wish of wishes) {
    const one = await examine(wish, tree);
    if (one.is === "movable") tree.move(one.move);
    seen.push(one);
  }
  return seen;
}

async function examine(wish: Wish, tree: TreeAhead): Promise<Seen> {
  const { note_id, to } = wish;
  const isReadable = judgeIds(wish) === null;
  const [note, target] = isReadable ? [await tree.note(note_id), await tree.lineage(to)] : [null, null];
  const judged = judgeMove(wish, note, target);
  const title = note?.title ?? null;
  if (judged.is === "movable") return { is: "movable", move: { note_id, title: title ?? "", from: judged.from, to } };
  const { code, reason } = judged;
  return { is: "left_out", left_out: { note_id, title, to, code, reason } };
}

/** The current places, before any of the moves. */
async function placesOf(
  moves: readonly Move[],
  lineage: (note_id: string) => Promise<Lineage | null>,
): Promise<NotePlace[]> {
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const known = await mapBounded(ids, AT_ONCE, lineage);
  return known.flatMap((one) =>
    one === null ? [] : [{ note_id: one.note.note_id, title: one.note.title, path: pathOf(one) }],
  );
}
