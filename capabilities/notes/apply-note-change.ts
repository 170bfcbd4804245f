// Changes the content of one note: one write, then a read. A note that has changed since the supervisor read it stays
// unchanged (D-126).
import type { SkillEnd } from "../../src/domain/skill.ts";
import { changedAs, hasLetters, type Text, textOf } from "./content.ts";
import { isSystemId } from "./guards.ts";
import { lookAgain } from "./look-again.ts";
import { NotesFault, type NotesServer } from "./notes-server.ts";
import type { ApplyNoteChange } from "./parameters.ts";
import { excerpt, named } from "./readable.ts";
import { orFault, readStep, type Work } from "./work.ts";

type Before =
  | { is: "refused"; code: string; message: string }
  | { is: "read"; title: string; type: string; text: Text };
type After = { ok: boolean; code: string; message: string; digest_after: string | null };

/** The types that contain text. Writing text would destroy a picture or a file. */
const WRITABLE: ReadonlySet<string> = new Set(["text", "code", "book", "mermaid"]);

export async function applyNoteChange(work: Work, order: ApplyNoteChange): Promise<SkillEnd> {
  const { note_id, mode, expected_digest } = order;
  const before = await readStep(work, "read the note as it is", (notes) => read(notes, note_id));
  if (before.is === "refused") return { status: "blocked", code: before.code, message: before.message };
  const digest_before = before.text.digest;
  const name = named({ note_id, title: before.title });
  if (expected_digest !== undefined && expected_digest !== digest_before) {
    const message = `${name} has changed since it was looked at, and was left as it is.`;
    const next = "look at the note, then send digest_before as expected_digest";
    return {
      status: "failed",
      code: "changed_meanwhile",
      message,
      next,
      result: { note_id, expected_digest, digest_before },
    };
  }
  const known = { ...order, title: before.title, type: before.type };
  const after = await work.ctx.step(
    mode === "append" ? `append to ${name}` : `replace the content of ${name}`,
    () => work.mutex.run(() => change(work, known, before.text), work.ctx.signal),
    () => lookAfter(work, known, before.text, INTERRUPTED),
  );
  const { ok, code, message, digest_after } = after;
  const result = { note_id, mode, digest_before, digest_after };
  return { status: ok ? "ok" : "failed", code, message: `${name} ${message}`, result };
}

async function read({ note, content }: NotesServer, note_id: string): Promise<Before> {
  if (isSystemId(note_id)) return refused("system_note", `${note_id} is a note of the system and is not written to.`);
  const found = await note(note_id);
  if (found === null) return refused("not_found", `The note ${note_id} is not there.`);
  if (found.is_protected) return refused("protected", `${named(found)} is protected; change it in the application.`);
  if (!WRITABLE.has(found.type))
    return refused("not_text", `${named(found)} is of type ${excerpt(found.type)}, and not text.`);
  const text = await content(note_id);
  if (text === null) return refused("not_found", `The note ${note_id} is not there.`);
  return { is: "read", title: found.title, type: found.type, text: textOf(text) };
}

const refused = (code: string, message: string): Before => ({ is: "refused", code, message });

/** The order, and what was read of its note. */
type Known = ApplyNoteChange & { readonly title: string; readonly type: string };

async function change(work: Work, order: Known, before: Text): Promise<After> {
  const { note_id, mode, content } = order;
  const written = await orFault(work.ctx, async () => {
    const server = await work.notes();
    const now = await server.content(note_id);
    if (now === null || textOf(now).digest !== before.digest) return { is: "changed_meanwhile" as const };
    return server.setContent({ note_id, mode, content, over: now });
  });
  switch (written.is) {
    case "changed_meanwhile":
      return failed("changed_meanwhile", "was changed by somebody else just now, and was left as it is.");
    case "fault":
      return failed(written.code, `could not be read, and nothing was written: ${written.message}`);
    case "refused":
      return notWritten(work, order, before, written.message);
    case "done":
      return lookAfter(work, order, before, "the notes server says that it was changed");
    case "unknown":
      return lookAfter(work, order, before, `no answer came to the change (${excerpt(written.message)})`);
  }
}

/** Refused, perhaps because another writer was faster. */
async function notWritten(work: Work, { note_id }: Known, before: Text, words: string): Promise<After> {
  const now = await lookAgain(
    work,
    work.patience.slice(0, 1),
    ({ content }) => content(note_id),
    () => true,
  );
  const digest_after = typeof now === "string" ? textOf(now).digest : before.digest;
  const isOther = digest_after !== before.digest;
  const end = isOther
    ? failed("changed_meanwhile", "was changed by somebody else just now, and nothing was written.")
    : failed("refused", `was not changed: the notes server refused: ${excerpt(words)}`);
  return { ...end, digest_after };
}

const INTERRUPTED = "the change was interrupted";

/** Reads what happened, and never writes again. */
async function lookAfter(work: Work, order: Known, before: Text, why: string): Promise<After> {
  const { note_id } = order;
  const seen = await lookAgain(
    work,
    work.patience,
    async (notes) => seenOf(notes, order, before, await notes.content(note_id)),
    ({ is }) => is === "written",
  );
  if (seen instanceof NotesFault)
    return failed("outcome_unknown", `could not be read after the change: ${excerpt(seen.message)}`);
  const { digest_after } = seen;
  switch (seen.is) {
    case "written":
      return { ok: true, code: "changed", message: "was changed, and reads as it was written.", digest_after };
    case "lost":
      return failed("lost", "is not found after the change.");
    case "as_before":
      return { ...failed("not_applied", `is as it was before: ${why}.`), digest_after };
    case "hidden":
      return { ...failed("not_verified", `${HIDDEN}: ${why}.`), digest_after };
    case "otherwise":
      return { ...failed("not_verified", `does not read as it was written: ${why}.`), digest_after };
  }
}

const HIDDEN = "reads as it did before; what was written may not show";

type Seen = {
  readonly is: "written" | "as_before" | "hidden" | "otherwise" | "lost";
  readonly digest_after: string | null;
};

/** Some servers store more than they show. What they show counts; where they show nothing, the result stays unknown. */
function seenOf({ shows }: NotesServer, order: Known, before: Text, now: string | null): Seen {
  if (now === null) return { is: "lost", digest_after: null };
  const { mode, content, type } = order;
  const digest_after = textOf(now).digest;
  if (changedAs(order, before, now)) return { is: "written", digest_after };
  const shown = shows(content, type);
  const isSame = digest_after === before.digest;
  if (isSame && !hasLetters(shown) && (mode === "append" || before.length === 0)) return { is: "hidden", digest_after };
  if (changedAs({ ...order, content: shown }, before, now)) return { is: "written", digest_after };
  return { is: isSame ? "as_before" : "otherwise", digest_after };
}

const failed = (code: string, message: string): After => ({ ok: false, code, message, digest_after: null });
