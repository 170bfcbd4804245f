// Moves a note on servers whose own move may delete it (D-259): shows it under its target as well, looks, and takes it out of
// the one place from which it is moved. Each request is harmless when it is late or comes twice.
import type { MoveRequest, Written } from "../notes-server.ts";
import { NotesFault } from "../notes-server.ts";
import type { CallTool } from "./read-reply.ts";
import type { Meta } from "./shapes.ts";
import { confirmsClone, confirmsUnlink, DONE, faultIn, unknown, writtenBy } from "./write-reply.ts";

const TOOL = "organize_note";

type MetaOf = (note_id: string) => Promise<Meta | null>;

export async function cloneAndUnlink(move: MoveRequest, call: CallTool, metaOf: MetaOf): Promise<Written> {
  const { note_id, from, to } = move;
  const clone = { action: "clone", noteId: note_id, parentNoteId: to };
  const cloned = writtenBy(await call(TOOL, clone), TOOL, confirmsClone(TOOL, move));
  if (cloned.is === "refused") return cloned;
  const meta = await metaOf(note_id).catch(faultIn);
  if (meta instanceof NotesFault) return unknown(`it was to be shown under ${to} as well: ${meta.message}`);
  if (meta === null) return unknown("it is not there any more");
  if (!meta.parentNoteIds.includes(to)) return cloned;
  if (!meta.parentNoteIds.includes(from)) return DONE;
  const branchId = await branchUnder(from, meta, metaOf);
  if (branchId === null) return unknown(`the server does not say which of its places is the one under ${from}`);
  return writtenBy(await call(TOOL, { action: "unlink", branchId }), TOOL, confirmsUnlink(TOOL, branchId));
}

/** The application names a branch after its two notes, but not in databases from its early years. */
async function branchUnder(
  from: string,
  { noteId, parentBranchIds = [] }: Meta,
  metaOf: MetaOf,
): Promise<string | null> {
  const usual = `${from}_${noteId}`;
  if (parentBranchIds.includes(usual)) return usual;
  const parent = await metaOf(from).catch(faultIn);
  if (parent === null || parent instanceof NotesFault) return null;
  const below = new Set(parent.childBranchIds);
  const [only = null, ...others] = parentBranchIds.filter((id) => below.has(id));
  return others.length === 0 ? only : null;
}
