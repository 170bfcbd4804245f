// The write of a content, and the look at what became of it. A write is sent once (D-126).
import {
  type ChangeFinding,
  findingOf,
  missingIn,
  type SentChange,
  saysAlready,
  type Text,
  textOf,
} from "./content.ts";
import { lookAgain } from "./look-again.ts";
import { NotesFault, type NotesServer } from "./notes-server.ts";
import { excerpt, listed } from "./readable.ts";
import { orFault, type Work } from "./work.ts";

/** The change as it is sent, and what was read of its note. */
export type KnownChange = Required<SentChange> & { readonly note_id: string; readonly type: string };

export type After = {
  ok: boolean;
  code: string;
  message: string;
  next: string | null;
  digest_after: string | null;
  /** Where the content that was changed is not the one read at first. */
  digest_before?: string;
};

/** What was read; `content` is null when the read is an earlier one, from the journal. */
type Before = { readonly text: Text; readonly content: string | null };

export async function changeContent(work: Work, change: KnownChange, before: Before): Promise<After> {
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
export const INTERRUPTED: Told = { why: "the change was interrupted" };

/** Reads what happened, and never writes again. */
export async function lookAfter(work: Work, change: KnownChange, before: Text, told: Told): Promise<After> {
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
  ...{ ok: false, code, message, next },
  digest_after: null,
});

const UNCHANGED: After = { ...ended("unchanged", "says what was sent already; nothing of it is different."), ok: true };
