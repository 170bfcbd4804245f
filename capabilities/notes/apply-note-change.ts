// Changes the content of one note in its turn: a read, one write, and a read of the result. A note that has changed since the
// supervisor read it stays unchanged (D-126).
import type { SkillEnd } from "../../src/domain/skill.ts";
import { type After, changeContent, INTERRUPTED, type KnownChange, lookAfter } from "./change-content.ts";
import { type Form, type Text, textOf } from "./content.ts";
import { isSystemId } from "./guards.ts";
import { keptMarkdown } from "./kept-markdown.ts";
import { droppedAddresses, htmlOf, PICTURE_SCHEMES, SCHEMES } from "./markdown.ts";
import { formOf, type NotesServer } from "./notes-server.ts";
import type { ApplyNoteChange } from "./parameters.ts";
import { excerpt, listed, named } from "./readable.ts";
import { readStep, type Work } from "./work.ts";

type Before =
  | { is: "refused"; code: string; message: string }
  | { is: "read"; title: string; type: string; form: Form; text: Text };

/** The types that contain text. Writing text would destroy a picture or a file. */
const WRITABLE: ReadonlySet<string> = new Set(["text", "code", "mermaid"]);

/** One after the other: each reads what the one before has written. */
export const applyNoteChange = (work: Work, order: ApplyNoteChange): Promise<SkillEnd> =>
  work.mutex.run(() => inTurn(work, order), work.ctx.signal);

async function inTurn(work: Work, order: ApplyNoteChange): Promise<SkillEnd> {
  const { note_id, mode, expected_digest } = order;
  let fresh: string | null = null;
  const before = await readStep(work, "read the note as it is", (notes) =>
    read(notes, note_id, (content) => {
      fresh = content;
    }),
  );
  if (before.is === "refused") return { status: "blocked", code: before.code, message: before.message };
  const digest_before = before.text.digest;
  const name = named({ note_id, title: before.title });
  if (expected_digest !== undefined && expected_digest !== digest_before) {
    const message = `${name} has changed since it was looked at, and was left as it is.`;
    const result = { note_id, expected_digest, digest_before };
    return { status: "failed", code: "changed_meanwhile", message, next: LOOK_FIRST, result };
  }
  const dropped = before.form === "plain" ? [] : droppedAddresses(order.content);
  if (dropped.length > 0)
    return { ...NO_LINK, message: `${name} was left as it is: payload.content has ${notKept(dropped)}.` };
  const known = knownOf(order, before);
  const after = await work.ctx.step(
    mode === "append" ? `append to ${name}` : `replace the content of ${name}`,
    () => changeContent(work, known, { text: before.text, content: fresh }),
    () => lookAfter(work, known, before.text, INTERRUPTED),
  );
  return endOf(after, name, { note_id, mode, digest_before: after.digest_before ?? digest_before });
}

const NO_LINK = {
  status: "blocked",
  code: "payload_invalid",
  next: "write these addresses between backticks, or use others, and submit under a new task_id",
} as const;

const notKept = (addresses: readonly string[]): string =>
  `links or pictures that notes do not keep, ${excerpt(listed(addresses))}; they may begin with ${SCHEMES.join(", ")}, pictures with ${PICTURE_SCHEMES.join(", ")}`;

const LOOK_FIRST = "look at the note, then send digest_before as expected_digest";

function endOf({ ok, code, message, next, digest_after }: After, name: string, about: object): SkillEnd {
  const end = { status: ok ? ("ok" as const) : ("failed" as const), code, message: `${name} ${message}` };
  return { ...end, ...(next !== null && { next }), result: { ...about, digest_after } };
}

function knownOf(
  { note_id, mode, content, expected_digest }: ApplyNoteChange,
  before: Before & { is: "read" },
): KnownChange {
  const { title, type, form } = before;
  const sent = form === "html" ? htmlOf(content) : form === "markdown" ? keptMarkdown(content) : content;
  return { note_id, mode, content: sent, title, type, form, may_have_others: mode === "append" && !expected_digest };
}

type Keep = (content: string) => void;

async function read(server: NotesServer, note_id: string, keep: Keep): Promise<Before> {
  if (isSystemId(note_id)) return refused("system_note", `${note_id} is a note of the system and is not written to.`);
  const found = await server.note(note_id);
  if (found === null) return refused("not_found", `The note ${note_id} is not there.`);
  if (found.is_protected) return refused("protected", `${named(found)} is protected; change it in the application.`);
  if (found.type === "book") return refused("not_text", `${named(found)} ${SHOWS_NO_TEXT}`);
  if (!WRITABLE.has(found.type))
    return refused("not_text", `${named(found)} is of type ${excerpt(found.type)}, and not text.`);
  const content = await server.content(note_id);
  if (content === null) return refused("not_found", `The note ${note_id} is not there.`);
  keep(content);
  const form = formOf(server, found.type);
  return { is: "read", title: found.title, type: found.type, form, text: textOf(content, form) };
}

const SHOWS_NO_TEXT = "is a collection, which shows the notes below it and no text of its own; write to a text note.";

const refused = (code: string, message: string): Before => ({ is: "refused", code, message });
