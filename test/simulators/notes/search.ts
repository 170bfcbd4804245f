// The search of the notes application, as far as tests need it: words and "phrases" that all must be in the title, the type
// or the content, in any case, or a title by a regular expression. What else looks like a label or a property is no
// text, for queries are a language.
import type { Note, NotesModel } from "./notes-model.ts";

type Bounds = {
  readonly ancestor_note_id?: string | undefined;
  /** Titles only. */
  readonly is_fast?: boolean | undefined;
  /** One of the terms is enough. */
  readonly any?: boolean;
};

const TERM = /"((?:[^"\\]|\\.)*)"|(\S+)/g;
const IS_SYNTAX = /^[#~]|^note\.|[=<>]/;

/** No note has a label here, so nothing matches. */
const SYNTAX = "\0";

const read = (word: string): string => (IS_SYNTAX.test(word) ? SYNTAX : word);

export const termsOf = (query: string): string[] =>
  [...query.matchAll(TERM)].map(([, phrase, word = ""]) => phrase?.replace(/\\(.)/g, "$1") ?? read(word));

export const isPlain = (query: string): boolean => !termsOf(query).includes(SYNTAX);

/** All of a query is in lower case, a backslash precedes what is meant literally. */
function titleIn(query: string): RegExp | undefined {
  const [, quoted] = /^note\.title %= "((?:[^"\\]|\\.)*)"$/.exec(query) ?? [];
  return quoted === undefined ? undefined : new RegExp(quoted.replace(/\\(.)/g, "$1"));
}

/** Whether a note is under a parent, and, if so asked, in another place as well or protected. */
function placeIn(model: NotesModel, query: string): ((note: Note) => boolean) | undefined {
  const [, parent, isOdd] =
    /^note\.parents\.noteid = "([\w-]+)"( and \(note\.parentcount > 1 or note\.isprotected = true\))?$/.exec(query) ??
    [];
  if (parent === undefined) return undefined;
  return ({ note_id, is_protected }) => {
    const parents = model.parentsOf(note_id);
    return (
      parents.some((id) => id.toLowerCase() === parent) && (isOdd === undefined || parents.length > 1 || is_protected)
    );
  };
}

export function search(model: NotesModel, query: string, { ancestor_note_id, is_fast, any = false }: Bounds): Note[] {
  const place = placeIn(model, query.toLowerCase());
  if (place !== undefined) return model.notes().filter(place);
  const title = titleIn(query.toLowerCase());
  const terms = termsOf(query.toLowerCase());
  if (terms.length === 0) return [];
  const within = ancestor_note_id === undefined ? null : model.reachable(ancestor_note_id);
  return model.notes().filter((note) => {
    // What is protected cannot be read, and is not found.
    if (note.is_protected || within?.has(note.note_id) === false) return false;
    if (title !== undefined) return title.test(note.title.toLowerCase());
    const text = `${note.title}\n${note.type}\n${is_fast === true ? "" : note.content}`.toLowerCase();
    const isIn = (term: string): boolean => text.includes(term);
    return any ? terms.some(isIn) : terms.every(isIn);
  });
}
