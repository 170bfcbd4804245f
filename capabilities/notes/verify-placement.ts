// Verifies where notes are: one note by its own parents, several by one complete list of the parent's children. After moves it also reads
// each note.
import type { SkillEnd } from "../../src/domain/skill.ts";
import { mapBounded, NotesFault, type NotesServer } from "./notes-server.ts";
import type { VerifyNoteTree, VerifyTreePlacement } from "./parameters.ts";
import { counted, listed, named } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

const AT_ONCE = 16;

export type Expected = { note_id: string; to: string };

export async function verifyTreePlacement(work: Work, order: VerifyTreePlacement): Promise<SkillEnd> {
  const { note_id, expected_parent_note_id: parent } = order;
  const note = await readStep(work, "read where the note is", async (notes) => {
    const found = await notes.note(note_id);
    return found && { title: found.title, parent_note_ids: [...found.parent_note_ids] };
  });
  const parent_note_ids = note?.parent_note_ids ?? [];
  const placed = parent_note_ids.includes(parent);
  const result = { note_id, expected_parent_note_id: parent, parent_note_ids, placed };
  if (placed)
    return {
      status: "ok",
      code: "placed",
      message: `${named({ note_id, title: note?.title ?? null })} is under ${parent}.`,
      result,
    };
  const is = note === null ? "is not there" : `is under ${listed(parent_note_ids) || "no note"}`;
  return { status: "failed", code: "not_placed", message: `${note_id} ${is}, and not under ${parent}.`, result };
}

export async function verifyNoteTree(work: Work, order: VerifyNoteTree): Promise<SkillEnd> {
  const { note_ids, expected_parent_note_id: parent } = order;
  const { is_there, placed, ghosts } = await readStep(work, "read which notes are there", async (notes) => {
    const children = await notes.children(parent);
    const ids = new Set(children?.notes.map((child) => child.note_id));
    return {
      is_there: children !== null,
      placed: note_ids.filter((note_id) => ids.has(note_id)),
      ghosts: note_ids.filter((note_id) => children?.gaps.includes(note_id) === true),
    };
  });
  const isPlaced = new Set(placed);
  const missing = note_ids.filter((note_id) => !isPlaced.has(note_id));
  const result = { expected_parent_note_id: parent, placed, missing };
  if (missing.length === 0)
    return { status: "ok", code: "placed", message: allPlaced(note_ids.length, parent), result };
  const why = !is_there ? `${parent} is not there` : `not under ${parent}: ${listed(missing)}`;
  const message = `${missing.length} of ${counted(note_ids.length)} ${be(missing.length)} not in place: ${why}${ghostly(ghosts)}.`;
  return { status: "failed", code: "not_placed", message, result };
}

const be = (count: number): string => (count === 1 ? "is" : "are");

const ghostly = (ghosts: readonly string[]): string =>
  ghosts.length === 0 ? "" : `; listed there, and cannot be read: ${listed(ghosts)}`;

const allPlaced = (count: number, parent: string): string =>
  `${count === 1 ? "" : "All "}${counted(count)} ${be(count)} under ${parent}.`;

/** Those that are not under their parent, by one list per parent and a look at every note. */
export async function missingIn(notes: NotesServer, expected: readonly Expected[]): Promise<Expected[]> {
  const missing: Expected[] = [];
  for (const to of new Set(expected.map((one) => one.to))) {
    const wanted = expected.filter((one) => one.to === to).map(({ note_id }) => note_id);
    const children = await childIdsOf(notes, to);
    const listed = wanted.filter((id) => children?.has(id) === true);
    const there = await reallyThere(notes, listed, to);
    missing.push(...wanted.filter((id) => !there.has(id)).map((note_id) => ({ note_id, to })));
  }
  return missing;
}

async function childIdsOf({ children }: NotesServer, note_id: string): Promise<ReadonlySet<string> | null> {
  const all = await children(note_id);
  return all === null ? null : new Set(all.notes.map((child) => child.note_id));
}

/** A list may still name a note that was deleted on another machine: the note itself says where it is (D-263). */
async function reallyThere(
  notes: NotesServer,
  note_ids: readonly string[],
  parent: string,
): Promise<ReadonlySet<string>> {
  const looked = await mapBounded(note_ids, AT_ONCE, async (note_id) => {
    const note = await notes.note(note_id).catch(unlessUnreadable);
    return note?.parent_note_ids.includes(parent) === true ? [note_id] : [];
  });
  return new Set(looked.flat());
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof NotesFault && error.code === "unreadable") return null;
  throw error;
}
