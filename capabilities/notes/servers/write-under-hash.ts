// Content on servers that take it only with the hash of what is there (update_note): what somebody else has written in
// between is refused by the server, and not lost.
import { type ContentChange, NotesFault, type Written } from "../notes-server.ts";
import { type CallTool, head } from "./read-reply.ts";
import type { Meta } from "./shapes.ts";
import { DONE, faultIn, refused, unknown, writtenBy } from "./write-reply.ts";

type MetaOf = (note_id: string) => Promise<Meta | null>;

const TOOL = "update_note";

export async function writeUnderHash(change: ContentChange, call: CallTool, metaOf: MetaOf): Promise<Written> {
  const first = await tryOnce(change, call, metaOf);
  // Nothing was written under the hash of what is there no more. That of now is tried, once.
  return isConflict(first) ? tryOnce(change, call, metaOf) : first;
}

async function tryOnce({ note_id, mode, content }: ContentChange, call: CallTool, metaOf: MetaOf): Promise<Written> {
  const meta = await metaOf(note_id).catch(faultIn);
  if (meta === null) return refused(`there is no note ${note_id}`);
  if (meta instanceof NotesFault) return refused(`nothing was written: ${meta.message}`);
  if (meta.blobId === undefined) return refused(`nothing was written: get_note gives no blobId of the note ${note_id}`);
  const as = { expectedHash: meta.blobId, mode: mode === "replace" ? "overwrite" : "append" };
  return writtenBy(await call(TOOL, { noteId: note_id, ...as, content }), TOOL, confirmsUpdate(note_id));
}

const CONFLICT = /^update_note: (MCP error -?\d+: )*CONFLICT\b/;
const isConflict = (written: Written): boolean => written.is === "refused" && CONFLICT.test(written.message);

/** It answers in a sentence, also when it refuses. */
const confirmsUpdate =
  (note_id: string) =>
  (text: string): Written => {
    if (text.startsWith(`Note ${note_id} updated successfully`)) return DONE;
    const words = `${TOOL}: ${head(text)}`;
    return /^(CONFLICT|[A-Z_]+_ERROR)\b/.test(text) ? refused(words) : unknown(words);
  };
