// The tree after the earlier moves of a plan: what was read, with the moved notes under their targets.
import { type Lineage, lineageOf, type ReadNote, remembering } from "./ancestors.ts";

export type TreeAhead = {
  readonly note: ReadNote;
  readonly lineage: (note_id: string) => Promise<Lineage | null>;
  readonly move: (move: { readonly note_id: string; readonly to: string; readonly also?: readonly string[] }) => void;
};

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
