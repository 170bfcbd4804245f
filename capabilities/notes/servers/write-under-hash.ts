// Writes content on servers that require the hash of the existing content (update_note). The hash is read before the content is
// compared, so that a change of another writer in between is not lost.
import { type ContentChange, NotesFault, type Written } from "../notes-server.ts";
import { type CallTool, head } from "./read-reply.ts";
import type { Meta } from "./shapes.ts";
import { DONE, faultIn, refused, unknown, writtenBy } from "./write-reply.ts";

type Reads = {
  readonly metaOf: (note_id: string) => Promise<Meta | null>;
  readonly contentOf: (note_id: string) => Promise<string | null>;
};

const TOOL = "update_note";

export async function writeUnderHash(change: ContentChange, call: CallTool, reads: Reads): Promise<Written> {
  const { note_id, mode, content, over } = change;
  const meta = await reads.metaOf(note_id).catch(faultIn);
  const seen = await reads.contentOf(note_id).catch(faultIn);
  if (meta === null || seen === null) return refused(`there is no note ${note_id}`);
  if (meta instanceof NotesFault) return refused(`nothing was written: ${meta.message}`);
  if (seen instanceof NotesFault) return refused(`nothing was written: ${seen.message}`);
  const { blobId } = meta;
  if (blobId === undefined) return refused(`nothing was written: get_note gives no blobId of the note ${note_id}`);
  if (seen !== over) return refused("nothing was written: the note has changed since it was read");
  const as = { expectedHash: blobId, mode: mode === "replace" ? "overwrite" : "append" };
  return writtenBy(await call(TOOL, { noteId: note_id, ...as, content }), TOOL, confirmsUpdate(note_id));
}

/** The server responds with a sentence, also when it refuses. */
const confirmsUpdate =
  (note_id: string) =>
  (text: string): Written => {
    if (text.startsWith(`Note ${note_id} updated successfully`)) return DONE;
    const words = `${TOOL}: ${head(text)}`;
    return /^(CONFLICT|[A-Z_]+_ERROR)\b/.test(text) ? refused(words) : unknown(words);
  };
