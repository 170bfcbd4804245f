// Runs a plan dry: reads what the guards need to know of every note, and judges each move in the tree that the moves before it
// would have left (D-129). It writes nothing.
import { boundTo, isPublic, type Lineage, lineageOf, pathOf, type ReadNote, remembering } from "./ancestors.ts";
import { judgeIds, judgeMove, type Wish } from "./guards.ts";
import type { Examined, LeftOut, Move, NotePlace, PlannedMove } from "./moves.ts";
import { mapBounded, type Note, NotesFault, type NotesServer } from "./notes-server.ts";

const AT_ONCE = 16;

type Seen =
  | { readonly is: "movable"; readonly move: PlannedMove }
  | { readonly is: "left_out"; readonly left_out: LeftOut };

type Examining = Pick<NotesServer, "note" | "under" | "chooses_place" | "keeps_prefix">;

const PREFIX_LOST =
  "This notes server drops the prefix of a note's place, the text before its title; a note that has one is moved without it.";

/** In the order of the wishes. `onProgress` receives the number of notes that have been read. */
export async function examineMoves(
  notes: Examining,
  wishes: readonly Wish[],
  onProgress: (done: number) => void,
): Promise<Examined> {
  const ahead = await readAhead(notes, wishes);
  const read = remembering(async (note_id: string) => ahead.get(note_id) ?? notes.note(note_id));
  const lineage = remembering((note_id) => lineageOf(note_id, read));
  let done = 0;
  await mapBounded(wishes, AT_ONCE, async (wish) => {
    if (judgeIds(wish) === null) await Promise.all([read(wish.note_id), lineage(wish.to)]);
    done += 1;
    onProgress(done);
  });
  const tree = createTreeAhead(read);
  const seen = await examineInOrder(wishes, tree, notes);
  const movable = seen.flatMap((one) => (one.is === "movable" ? [one.move] : []));
  const moves = await mapBounded(movable, AT_ONCE, async (move) => ({
    ...move,
    ...(await sharingOf(move.note_id, lineage, tree.lineage)),
  }));
  const left_out = seen.flatMap((one) => (one.is === "left_out" ? [one.left_out] : []));
  const caveats = moves.length === 0 || notes.keeps_prefix ? [] : [PREFIX_LOST];
  return { moves, left_out, places: await placesOf(moves, lineage), caveats };
}

/** Most notes of a plan are under one parent, and so many are not read one by one. */
const MANY = 8;

async function readAhead({ under, note }: Examining, wishes: readonly Wish[]): Promise<ReadonlyMap<string, Note>> {
  const [first] = wishes;
  if (under === null || first === undefined || wishes.length < MANY) return new Map();
  const parent = first.from ?? (await note(first.note_id))?.parent_note_ids[0];
  if (parent === undefined) return new Map();
  try {
    return new Map((await under(parent)).map((one) => [one.note_id, one]));
  } catch (error) {
    // A search may fail where single notes can be read.
    if (error instanceof NotesFault) return new Map();
    throw error;
  }
}

async function examineInOrder(wishes: readonly Wish[], tree: TreeAhead, notes: Examining): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const wish of wishes) {
    const one = await examine(wish, tree, notes);
    if (one.is === "movable") tree.move(one.move);
    seen.push(one);
  }
  return seen;
}

async function examine(wish: Wish, tree: TreeAhead, { chooses_place }: Examining): Promise<Seen> {
  const { note_id, to } = wish;
  const isReadable = judgeIds(wish) === null;
  const [note, target] = isReadable ? [await tree.note(note_id), await tree.lineage(to)] : [null, null];
  const judged = judgeMove(wish, note, { target, source: null, chooses_place });
  if (judged.is === "movable" && note !== null && target !== null)
    return { is: "movable", move: await planned(note, judged.from, target, tree) };
  const { code, reason } = judged.is === "movable" ? GONE : judged;
  return { is: "left_out", left_out: { note_id, title: note?.title ?? null, to, code, reason } };
}

const GONE = { code: "gone", reason: "is not there" };

async function planned(note: Note, from: string, target: Lineage, tree: TreeAhead): Promise<PlannedMove> {
  const { note_id, title, parent_note_ids } = note;
  const also = parent_note_ids.filter((id) => id !== from);
  const source = await tree.lineage(from);
  return {
    note_id,
    title,
    from,
    to: target.note.note_id,
    ...(also.length === 0 ? {} : { also }),
    bound: { from: source === null ? "" : boundTo(source), to: boundTo(target) },
  };
}

type ReadLineage = (note_id: string) => Promise<Lineage | null>;

/** Of the whole plan: a later move may publish the target of this one. */
async function sharingOf(
  note_id: string,
  before: ReadLineage,
  after: ReadLineage,
): Promise<Pick<PlannedMove, "sharing">> {
  const [was, willBe] = (await Promise.all([before(note_id), after(note_id)])).map(
    (one) => one !== null && isPublic(one),
  );
  return was === willBe ? {} : { sharing: willBe === true ? "begins" : "ends" };
}

/** The current places, before any of the moves. */
async function placesOf(moves: readonly Move[], lineage: ReadLineage): Promise<NotePlace[]> {
  const ids = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const known = await mapBounded(ids, AT_ONCE, lineage);
  return known.flatMap((one) =>
    one === null ? [] : [{ note_id: one.note.note_id, title: one.note.title, path: pathOf(one) }],
  );
}

type TreeAhead = {
  readonly note: ReadNote;
  readonly lineage: ReadLineage;
  readonly move: (move: { readonly note_id: string; readonly to: string; readonly also?: readonly string[] }) => void;
};

/** The tree after the earlier moves of a plan: what was read, with the moved notes under their targets. */
export function createTreeAhead(read: ReadNote): TreeAhead {
  const moved = new Map<string, readonly string[]>();
  /** All notes in the cached lineages. A lineage is computed again only when one of them moves. */
  const held = new Set<string>();

  const note: ReadNote = async (note_id) => {
    const found = await read(note_id);
    const parent_note_ids = moved.get(note_id);
    return found === null || parent_note_ids === undefined ? found : { ...found, parent_note_ids };
  };
  const keeping = () =>
    remembering(async (note_id: string) => {
      const lineage = await lineageOf(note_id, note);
      for (const above of lineage?.above.keys() ?? []) held.add(above);
      return lineage;
    });
  let lineage = keeping();

  return {
    note,
    lineage: (note_id) => lineage(note_id),
    move: ({ note_id, to, also = [] }) => {
      moved.set(note_id, [...also, to]);
      if (!held.has(note_id)) return;
      held.clear();
      lineage = keeping();
    },
  };
}
