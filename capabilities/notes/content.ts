// Compares the content of a note before and after a change (D-126, D-262). The journal contains only digests, because it is no
// place for the text of notes.
import { sha256 } from "../../src/domain/json.ts";
import { rawHtmlOf } from "./markdown.ts";
import { markupOf, readHtml, type TextReading } from "./reading.ts";

/** How a server takes and returns the content of a note. What is not text is `plain`. */
export type Form = "markdown" | "html" | "plain";

/** `digest` is of the content as the server returns it; the other two are of what is compared. */
export type Text = { digest: string; length: number; compared_digest: string };

export type SentChange = {
  readonly mode: "replace" | "append";
  /** As it is sent, so in the form of the server. */
  readonly content: string;
  readonly form: Form;
  /** The note's: a server shows it above the content and drops a first heading that repeats it. */
  readonly title?: string;
  /** Whether another writer may have appended as well. */
  readonly may_have_others?: boolean;
};

/**
 * `answer` is the content that the server gave in its answer to the write; null: it gave none. `is_confirmed` when the server has said
 * that it was written.
 */
export type Seen = { readonly now: string; readonly answer: string | null; readonly is_confirmed?: boolean };

/** `replaced`: it was written, and another writer has changed it since. */
export type ChangeFinding = "written" | "unchanged" | "replaced" | "as_before" | "otherwise";

export function textOf(content: string, form: Form): Text {
  const compared = flat(content, form);
  return { digest: sha256(content), length: compared.length, compared_digest: sha256(compared) };
}

export function findingOf(change: SentChange, before: Text, seen: Seen): ChangeFinding {
  const { now, answer } = seen;
  const isSame = sha256(now) === before.digest;
  // What Markdown does not show, such as a note within the note, was there perhaps and is not any more.
  if (isSame && isEmptied(change) && now.trim() === "" && seen.is_confirmed === true) return "written";
  if (isSame) return isUnchanged(change, seen) ? "unchanged" : "as_before";
  if (isWritten(change, before, now, answer === now)) return "written";
  // Another writer may have changed the whole note directly before the append.
  if (change.mode === "append" && change.may_have_others === true && isConfirmedEnd(change, before, seen))
    return isAmong(change, now, 0) ? "written" : "replaced";
  if (answer === null || answer === now) return "otherwise";
  return isWritten(change, before, answer, true) ? "replaced" : "otherwise";
}

/** The words and addresses that were sent and are not to be found, for a message. */
export function missingIn({ content, form }: Pick<SentChange, "content" | "form">, now: string): readonly string[] {
  if (form === "plain") return [];
  const [sent, there] = [readingOf(content, form), readingOf(now, form)];
  const words = new Set(there.words);
  const missing = new Set(sent.words.filter((word) => !words.has(word)));
  return [...missing, ...addressesMissing(sent, there)];
}

function addressesMissing(sent: TextReading, there: TextReading): readonly string[] {
  const letters = new Set(there.addresses.map((one) => one.letters));
  return sent.addresses.filter((one) => !letters.has(one.letters)).map(({ address }) => address);
}

/** Whether a write would change nothing. What reads the same may have other links, pictures or styles, or text that is not shown. */
export const saysAlready = (change: SentChange, now: string): boolean =>
  change.mode === "replace" && now.trimEnd() === change.content.trimEnd() && !isEmptied(change);

const isEmptied = ({ mode, form, content }: SentChange): boolean =>
  mode === "replace" && form === "markdown" && content.trim() === "";

/** The note says already what was sent: nothing had to be changed, or the server keeps nothing of it. */
function isUnchanged(change: SentChange, { now, answer }: Seen): boolean {
  const { mode, content, form } = change;
  const isVouched = answer === now;
  if (mode === "append") return form !== "plain" && flat(content, form) === "" && (isVouched || form === "html");
  if (now === content) return true;
  if (form === "plain") return now.trimEnd() === content.trimEnd();
  if (form === "html") return markupOf(now) === markupOf(content);
  if (isVouched) return variants(change).some((sent) => isSaid(sent, readingOf(now, form), true));
  return markupOf(rawHtmlOf(now)) === markupOf(rawHtmlOf(content));
}

/** `isVouched`: the server itself says that this is what it has made of the text. */
function isWritten(change: SentChange, before: Text, now: string, isVouched: boolean): boolean {
  const { mode, content, form } = change;
  if (mode === "replace" && now === content) return true;
  if (mode === "append" && sha256(flat(now, form).slice(0, before.length)) !== before.compared_digest) return false;
  if (form === "plain") return isPlainly(change, before, now);
  if (form === "html" && !isMarkup(change, now)) return false;
  const added = mode === "append" ? after(readingOf(now, form), before.length) : readingOf(now, form);
  if (added === null) return false;
  if (variants(change).some((sent) => isSaid(sent, added, isVouched))) return true;
  return mode === "append" && change.may_have_others === true && isAmong(change, now, before.length);
}

/** All its words one after the other, after so many letters. */
function isAmong({ content, form }: SentChange, now: string, length: number): boolean {
  if (form === "plain") return now.slice(length).includes(content.trimEnd());
  const there = after(readingOf(now, form), length);
  const sent = readingOf(content, form);
  if (there === null || addressesMissing(sent, there).length > 0) return false;
  return there.words.some((_, at) => sent.words.every((word, n) => there.words[at + n] === word));
}

function isPlainly({ mode, content, may_have_others }: SentChange, before: Text, now: string): boolean {
  const sent = content.trimEnd();
  if (mode === "replace") return now.trimEnd() === sent;
  const added = flat(now, "plain").slice(before.length);
  const at = may_have_others === true ? added.indexOf(sent) : added.length - sent.length;
  const between = added.slice(0, Math.max(0, at));
  const isOwnLine = before.length === 0 || /\n[^\S\n]*$/.test(between) || sent.startsWith("\n");
  return added.startsWith(sent, at) && isOwnLine && (may_have_others === true || between.trim() === "");
}

function isMarkup({ mode, content, may_have_others }: SentChange, now: string): boolean {
  const [sent, seen] = [markupOf(content), markupOf(now)];
  if (mode === "replace") return seen === sent;
  return seen.endsWith(sent) || now.endsWith(content) || (may_have_others === true && seen.includes(sent));
}

/**
 * That what was sent is the end of what the server says it has made, or else of what is read after it has said so, and that it is not
 * all of it where something was there.
 */
function isConfirmedEnd({ content, form }: SentChange, before: Text, { now, answer, is_confirmed }: Seen): boolean {
  if (answer === null && is_confirmed !== true) return false;
  const end = answer ?? now;
  if (form === "html" && !markupOf(end).endsWith(markupOf(content))) return false;
  const [sent, all] = [flat(content, form), flat(end, form)];
  if (form !== "plain" && addressesMissing(readingOf(content, form), readingOf(end, form)).length > 0) return false;
  return sent !== "" && all.endsWith(sent) && (before.length === 0 || all.length > sent.length);
}

/** In the same order; where the server vouches for the result, also in the order and among the words that it has given it. */
function isSaid(sent: TextReading, there: TextReading, isVouched: boolean): boolean {
  if (addressesMissing(sent, there).length > 0) return false;
  if (sent.words.join("") === there.words.join("")) return true;
  return isVouched && sent.words.length > 0 && isWithin(sent.words, [...there.words, ...there.aside]);
}

function isWithin(words: readonly string[], all: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const word of all) left.set(word, (left.get(word) ?? 0) + 1);
  return words.every((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
}

/** With and without the heading that repeats the title. */
function variants({ content, form, title }: SentChange): readonly TextReading[] {
  if (form === "plain") return [];
  const whole = readingOf(content, form);
  if (form !== "markdown" || title === undefined) return [whole];
  const short = readingOf(withoutHeading(content, title), form);
  return short.words.length === 0 ? [whole] : [whole, short];
}

/** What comes after so many letters; null where a word goes across. */
function after({ words, aside, addresses }: TextReading, length: number): TextReading | null {
  let left = length;
  const first = words.findIndex((word) => {
    if (left === 0) return true;
    left -= word.length;
    return left < 0;
  });
  if (left < 0) return null;
  const later = addresses.filter(({ at }) => at >= length);
  return { words: first === -1 ? [] : words.slice(first), aside, addresses: later };
}

const FOOTNOTE_MARK = /\[\^[^\][\s]{1,64}\]:?/g;

function readingOf(content: string, form: "markdown" | "html"): TextReading {
  if (form === "html") return readHtml(content);
  const reading = readHtml(rawHtmlOf(content.replace(FOOTNOTE_MARK, "")));
  // Servers write the text `&amp;` as it is when they give Markdown.
  return { ...reading, aside: [...reading.aside, ...(content.match(/(?<=&)\w+(?=;)/g) ?? [])] };
}

const flat = (content: string, form: Form): string =>
  form === "plain" ? content.trimEnd() : readingOf(content, form).words.join("");

function withoutHeading(content: string, title: string): string {
  const [all = "", hashed, underlined] = /^# +(.*)$|^(.*)\n=+[ \t]*$/m.exec(content) ?? [];
  return (hashed ?? underlined)?.trim() === title.trim() ? content.replace(all, () => "") : content;
}
