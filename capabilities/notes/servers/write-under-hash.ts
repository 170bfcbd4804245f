// Writes content on servers that require the hash of the existing content (update_note). The hash is of the content that was read
// with it or of an earlier one, so a change of another writer in between is not lost.
import { setTimeout as sleep } from "node:timers/promises";
import { type ContentChange, NotesFault, onNewLine, type Written } from "../notes-server.ts";
import { head } from "./head.ts";
import type { CallTool } from "./read-reply.ts";
import { faultIn, refused, unknown, writtenBy } from "./write-reply.ts";

export type Hashed = { readonly content: string; readonly hash: string | undefined };

type Read = (note_id: string) => Promise<Hashed | null>;

const TOOL = "update_note";
/** How often an append that may follow another writer's words begins anew. */
const ATTEMPTS = 100;

export async function writeUnderHash(change: ContentChange, call: CallTool, read: Read): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    const written = await writeOnce(change, call, read);
    const mayRepeat = !change.only_over && attempt < ATTEMPTS;
    if (!mayRepeat || written.is !== "refused" || !isConflict(written.message)) return written;
    // Writers that collide at the same pace would collide again.
    await sleep(Math.random() * 20);
  }
}

async function writeOnce(change: ContentChange, call: CallTool, read: Read): Promise<Written> {
  const { note_id, over, only_over } = change;
  const seen = await read(note_id).catch(faultIn);
  if (seen === null) return refused(`there is no note ${note_id}`);
  if (seen instanceof NotesFault) return refused(`nothing was written: ${seen.message}`);
  if (seen.hash === undefined) return refused(`nothing was written: get_note gives no blobId of the note ${note_id}`);
  if (only_over && seen.content !== over) return refused("nothing was written: the note has changed since it was read");
  const sent = sentAs(change, seen.content);
  if (typeof sent === "string") return refused(`nothing was written: ${sent}`);
  const args = { noteId: note_id, expectedHash: seen.hash, ...sent };
  const written = writtenBy(await call(TOOL, args), TOOL, confirmsUpdate(note_id));
  return written.is === "done" ? { ...written, over: seen.content } : written;
}

/**
 * The server takes away the empty space around all that it is given, and takes nothing with tags for a note that is not text. So what
 * is there stays there where it can; where a new line has to come with it, it is sent once more. Otherwise the reason why nothing is sent.
 */
function sentAs({ type, mode, content }: ContentChange, there: string) {
  if (content.trim() === "") return KEEPS_SOMETHING;
  if (mode === "replace") return isCode(type) && isIndented(content) ? KEEPS_NO_SPACE : { mode: "overwrite", content };
  if (!isCode(type)) return { mode: "append", content };
  if ((there === "" || there.endsWith("\n")) && !isIndented(content)) return { mode: "append", content };
  const whole = there + onNewLine(content, there);
  return isIndented(whole) || HAS_TAGS.test(there) ? KEEPS_NO_SPACE : { mode: "overwrite", content: whole };
}

const isCode = (type: string): boolean => type !== "text";
const isIndented = (content: string): boolean => /^\s/.test(content);
/** As this server looks for them. */
const HAS_TAGS = /<[a-z][^>]*>|&[a-z]+;/i;

const KEEPS_SOMETHING = "this notes server cannot empty a note; empty it in the application, or send some text";
const KEEPS_NO_SPACE =
  "this notes server drops the empty space at the beginning of what it is given, and refuses tags, so this would change other lines of the note; end the note with an empty line in the application, and send lines that are not indented";

const CONFLICT = "CONFLICT";
const isConflict = (message: string): boolean => message.startsWith(`${TOOL}: ${CONFLICT}`);

/** The server responds with a sentence, also when it refuses. */
const confirmsUpdate =
  (note_id: string) =>
  (text: string): Written => {
    if (text.startsWith(`Note ${note_id} updated successfully`)) return { is: "done" };
    const words = `${TOOL}: ${head(text)}`;
    return /^(CONFLICT|[A-Z_]+_ERROR)\b/.test(text) ? refused(words) : unknown(words);
  };
