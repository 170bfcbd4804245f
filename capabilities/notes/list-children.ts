// Lists all notes directly under a note, page by page: a tree has a limit, and this has none.
import type { SkillEnd } from "../../src/domain/skill.ts";
import type { ListChildren } from "./parameters.ts";
import { counted, listed } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

export async function listChildren(work: Work, { note_id, offset, limit }: ListChildren): Promise<SkillEnd> {
  const read = await readStep(work, "list the children", async (notes) => {
    const all = await notes.children(note_id);
    if (all === null) return null;
    const page = all.notes.slice(offset, offset + limit);
    const children = page.map(({ note_id: id, title, type }) => ({ note_id: id, title, type }));
    return { children, total: all.notes.length, gaps: [...all.gaps] };
  });
  if (read === null) return { status: "failed", code: "not_found", message: `The note ${note_id} is not there.` };
  const { children, total, gaps } = read;
  const end = offset + children.length;
  const next_offset = end < total ? end : null;
  const which = total === children.length ? "" : `, ${children.length} of them from ${offset} on`;
  const unread = gaps.length === 0 ? "" : ` ${counted(gaps.length, "place")} cannot be read: ${listed(gaps)}.`;
  const message = `${counted(total)} under ${note_id}${which}.${unread}`;
  const result = { note_id, children, total, offset, next_offset, gaps };
  const done: SkillEnd = { status: "ok", code: "children_listed", message, result };
  return next_offset === null ? done : { ...done, next: `list_children with offset ${next_offset} lists on` };
}
