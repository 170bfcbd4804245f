// Changes the content of one note in its turn: reads it, writes it once, and reads the result. A note that has changed since the
// supervisor read it stays unchanged (D-126).
import type { SkillEnd } from "../../src/domain/skill.ts";
import {
  type ChangeFinding,
  type Form,
  findingOf,
  missingIn,
  type SentChange,
  saysAlready,
  type Text,
  textOf,
} from "./content.ts";
import { isSystemId } from "./guards.ts";
import { keptMarkdown } from "./kept-markdown.ts";
import { droppedAddresses, htmlOf, PICTURE_SCHEMES, SCHEMES } from "./markdown.ts";
import { formOf, NotesFault, type NotesServer } from "./notes-server.ts";
import type { ApplyNoteChange } from "./parameters.ts";
import { excerpt, listed, named } from "./readable.ts";
import { lookAgain, orFault, readStep, type Work } from "./work.ts";

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

/** The change as it is sent, and what was read of its note. */
type KnownChange = Required<SentChange> & { readonly note_id: string; readonly type: string };

type After = {
  ok: boolean;
  code: string;
  message: string;
  next: string | null;
  digest_after: string | null;
  /** Where the content that was changed is not the one read at first. */
  digest_before?: string;
};

/** What was read; `content` is null when the read is an earlier one, from the journal. */
type ChangeContentBefore = { readonly text: Text; readonly content: string | null };

/** The write of a content, and the look at what became of it. A write is sent once (D-126). */
async function changeContent(work: Work, change: KnownChange, before: ChangeContentBefore): Promise<After> {
  const { note_id, type, mode, content, form, may_have_others } = change;
  const written = await orFault(work.ctx, async () => {
    const server = await work.notes();
    const over = before.content ?? (await server.content(note_id));
    if (over === null) return { is: "gone" as const };
    if (!may_have_others && textOf(over, form).digest !== before.text.digest) return { is: "changed" as const };
    if (saysAlready(change, over)) return { is: "same" as const, digest: textOf(over, form).digest };
    const end = await server.setContent({ note_id, type, mode, content, over, only_over: !may_have_others });
    return { ...end, text: textOf(end.is === "done" ? (end.over ?? over) : over, form) };
  });
  switch (written.is) {
    case "gone":
    case "changed":
      return ended("changed_meanwhile", "was changed by somebody else just now, and was left as it is.");
    case "same":
      return { ...UNCHANGED, digest_before: written.digest, digest_after: written.digest };
    case "fault":
      return ended(written.code, `could not be read, and nothing was written: ${written.message}`);
    case "refused":
      return notWritten(work, change, written.text, written.message);
    case "unknown":
      return lookAfter(work, change, written.text, {
        why: `no answer came to the change (${excerpt(written.message)})`,
      });
    case "done": {
      const { text, answer = null } = written;
      const after = await lookAfter(work, change, text, { why: SAYS_CHANGED, answer, is_confirmed: true });
      return { ...after, digest_before: text.digest };
    }
  }
}

const SAYS_CHANGED = "the notes server says that it was changed";

/** Refused, perhaps because another writer was faster. */
async function notWritten(work: Work, { note_id }: KnownChange, before: Text, words: string): Promise<After> {
  const now = await lookAgain(
    work,
    work.patience.slice(0, 1),
    ({ content }) => content(note_id),
    () => true,
  );
  const digest_after = typeof now === "string" ? textOf(now, "plain").digest : before.digest;
  const isOther = digest_after !== before.digest;
  const end = isOther
    ? ended("changed_meanwhile", "was changed by somebody else just now, and nothing was written.")
    : ended("refused", `was not changed: the notes server refused: ${excerpt(words)}`);
  return { ...end, digest_after };
}

type Told = { readonly why: string; readonly answer?: string | null; readonly is_confirmed?: boolean };
const INTERRUPTED: Told = { why: "the change was interrupted" };

/** Reads what happened, and never writes again. */
async function lookAfter(work: Work, change: KnownChange, before: Text, told: Told): Promise<After> {
  const { why, answer = null, is_confirmed = false } = told;
  const seen = await lookAgain(
    work,
    work.patience,
    async (server) => {
      const now = await server.content(change.note_id);
      if (now === null) return { is: "lost" as const, now, server };
      return { is: findingOf(change, before, { now, answer, is_confirmed }), now, server };
    },
    // A server that gives back its own answer will not say anything else.
    ({ is, now }) => (is !== "lost" && is !== "as_before" && is !== "otherwise") || (now !== null && now === answer),
  );
  if (seen instanceof NotesFault)
    return ended("outcome_unknown", `could not be read after the change: ${excerpt(seen.message)}`);
  const { is, now, server } = seen;
  if (is === "lost" || now === null) return ended("lost", "is not found after the change.");
  const isDropped = is === "as_before" && answer === now;
  const missing = is === "otherwise" || isDropped ? missingIn(change, now) : [];
  const after = isDropped ? ended("not_applied", `${KEEPS_NOTHING}${lacks(missing)}.`, IN_CODE) : null;
  return { ...(after ?? afterOf(is, why, missing, server)), digest_after: textOf(now, "plain").digest };
}

const KEEPS_NOTHING = "is as it was before: the notes server keeps nothing of what was sent";
const IN_CODE = "put words in angle brackets between backticks, where every notes server keeps them";

function afterOf(is: ChangeFinding, why: string, missing: readonly string[], server: NotesServer): After {
  switch (is) {
    case "written":
      return { ...ended("changed", "was changed, and reads as it was written."), ok: true };
    case "unchanged":
      return UNCHANGED;
    case "replaced":
      return ended("changed_meanwhile", "was changed as it was sent, and again by somebody else since.", LOOK);
    case "as_before":
      return ended("not_applied", `is as it was before: ${why}.`);
    case "otherwise":
      return ended("not_verified", `does not read as it was written: ${why}${lacks(missing)}.`, hasChanged(server));
  }
}

const lacks = (words: readonly string[]): string =>
  words.length === 0 ? "" : `; not in it: ${excerpt(listed(words, 10))}`;

const LOOK = "look at the note; what was sent is in its revisions, or has been replaced";

/** Sent once more, the same text would be in the note twice. */
const hasChanged = ({ keeps_revisions }: NotesServer): string =>
  `the note HAS been changed: do not send it again; look at the note in the application${keeps_revisions ? KEPT : ""}`;
const KEPT = ", where the revision before the change is kept";

const ended = (code: string, message: string, next: string | null = null): After => ({
  ok: false,
  code,
  message,
  next,
  digest_after: null,
});

const UNCHANGED: After = { ...ended("unchanged", "says what was sent already; nothing of it is different."), ok: true };
