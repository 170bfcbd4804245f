// Moves a note on servers whose own move may delete it (D-259): shows it under its target as well, looks at the target and at the
// note, and takes it out of the one place from which it is moved. Each request is harmless when it is late or comes twice.
import type { MoveRequest, Objection, ReadObjection, Withdrawn, Written } from "../notes-server.ts";
import { NotesFault } from "../notes-server.ts";
import type { CallTool } from "./read-reply.ts";
import type { Meta } from "./shapes.ts";
import { confirmsClone, confirmsUnlink, DONE, faultIn, unknown, writtenBy } from "./write-reply.ts";

const TOOL = "organize_note";

type MetaOf = (note_id: string) => Promise<Meta | null>;
type Asking = { readonly call: CallTool; readonly metaOf: MetaOf };

export async function cloneAndUnlink(
  move: MoveRequest,
  objection: ReadObjection,
  asking: Asking,
): Promise<Written | Withdrawn> {
  const { note_id, from, to } = move;
  const clone = { action: "clone", noteId: note_id, parentNoteId: to };
  const cloned = writtenBy(await asking.call(TOOL, clone), TOOL, confirmsClone(TOOL, move));
  if (cloned.is === "refused") return cloned;
  // From now on the application refuses to put the target inside the note; until now it did not.
  const against = await objection().catch(faultIn);
  const meta = against instanceof NotesFault ? against : await asking.metaOf(note_id).catch(faultIn);
  if (meta instanceof NotesFault) return unknown(`it was to be shown under ${to} as well: ${meta.message}`);
  if (meta === null) return unknown("it is not there any more");
  if (against !== null && !(against instanceof NotesFault)) return takenBack(move, against, meta, asking);
  if (!meta.parentNoteIds.includes(to)) return cloned;
  if (!meta.parentNoteIds.includes(from)) return DONE;
  return (await unlinked(from, meta, asking)) ?? unknown(`${NAMELESS} under ${from}`);
}

/** The clone alone, and only while the note has its old place. */
async function takenBack(
  { from, to }: MoveRequest,
  against: Objection,
  meta: Meta,
  asking: Asking,
): Promise<Withdrawn> {
  if ([from, to].every((id) => meta.parentNoteIds.includes(id))) await unlinked(to, meta, asking);
  return { is: "withdrawn", ...against };
}

const NAMELESS = "the server does not say which of its places is the one";

/** Null when the server does not say which branch that is. */
async function unlinked(parent: string, meta: Meta, { call, metaOf }: Asking): Promise<Written | null> {
  const branchId = await branchUnder(parent, meta, metaOf);
  if (branchId === null) return null;
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
