// Describes a notes application, independent of the names and responses of its tools, with the form of a note's id, and reads of
// many notes a few at a time.
import { z } from "zod";
import type { Form } from "./content.ts";

export type NoteBrief = { readonly note_id: string; readonly title: string; readonly type: string };

export type Note = NoteBrief & {
  /** More than one for a note that appears in several places. */
  readonly parent_note_ids: readonly string[];
  readonly is_protected: boolean;
};

/** `is_cut` when the server has left out children of this note. */
export type TreeNode = NoteBrief & { readonly children: readonly TreeNode[]; readonly is_cut: boolean };

export type Tree = { readonly root: TreeNode; readonly gaps: readonly string[] };

/** A child that is known to have no children of its own has `child_count` 0. */
export type Child = NoteBrief & { readonly child_count?: number };

/**
 * `gaps` are ids of children that cannot be read, such as notes that a synchronisation of the application has deleted and whose
 * place it has kept (D-263).
 */
export type Children = { readonly notes: readonly Child[]; readonly gaps: readonly string[] };

export type FoundNote = NoteBrief & { readonly parent_title: string | null };

/**
 * The result of a write according to the server. It is not evidence: the caller reads the result. Of a change of content, `answer` is
 * the content that the server says it has now, and `over` what the server has changed where it is not what was given. Of a move,
 * `out_of` is the place that it has taken the note out of, where that is another than the one that was given.
 */
export type Written =
  | { readonly is: "done"; readonly answer?: string; readonly over?: string; readonly out_of?: string }
  | { readonly is: "refused"; readonly message: string }
  | { readonly is: "unknown"; readonly message: string };

/** A move that was begun and taken back. */
export type Withdrawn = { readonly is: "withdrawn" } & Objection;

/** Why nothing could be read. The first line is faults of the server, the last one those of the configuration. */
export type FaultCode =
  | ("unreachable" | "unreadable" | "refused" | "incomplete" | "application_down" | "too_many_requests")
  | "too_long"
  | ("unknown_tools" | "token_refused" | "host_refused" | "disabled");

/** Thrown by every read; the handler converts it to an end of its task. */
export class NotesFault extends Error {
  override readonly name = "NotesFault";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reading throws a NotesFault. A note that does not exist is null. */
export interface NotesServer {
  /** Null when the server has no tool that reads a tree. */
  readonly tree: ((root_note_id: string, depth: number) => Promise<Tree | null>) | null;
  /** All children: an incomplete list is a fault. */
  children(note_id: string): Promise<Children | null>;
  note(note_id: string): Promise<Note | null>;
  /** Notes directly under a parent, as `note` returns them, in few requests; those that it leaves out have to be read one by one. */
  readonly under: ((parent_note_id: string) => Promise<readonly Note[]>) | null;
  /** `truncated` when there are more hits than the limit. */
  search(query: SearchQuery): Promise<{ readonly found: readonly FoundNote[]; readonly truncated: boolean }>;
  content(note_id: string): Promise<string | null>;
  /** How text notes are written and read. The content of other notes stays as it is. */
  readonly text_form: "markdown" | "html";
  /** Whether the application keeps the content before each write. */
  readonly keeps_revisions: boolean;
  /** Whether a move takes exactly the place under `from`. Others move the first place of a note that has several. */
  readonly chooses_place: boolean;
  /** Whether a moved note keeps the prefix of its place, the text before its title. */
  readonly keeps_prefix: boolean;
  /**
   * Never throws, and sends each request at most once. A second move to the same place is harmless. Servers whose moves have several
   * steps ask for an objection before the one that cannot be taken back.
   */
  move(move: MoveRequest, objection: ReadObjection): Promise<Written | Withdrawn>;
  /** As `move`. */
  setContent(change: ContentChange): Promise<Written>;
}

export type MoveRequest = { readonly note_id: string; readonly from: string; readonly to: string };
/** Why a note must not go to its target after all. */
export type Objection = { readonly code: string; readonly reason: string };
/** Reads the target once more. Null: there is none. */
export type ReadObjection = () => Promise<Objection | null>;
export type SearchQuery = { readonly title: string; readonly ancestor_note_id: string | null; readonly limit: number };
export type ContentChange = {
  readonly note_id: string;
  readonly type: string;
  readonly mode: "replace" | "append";
  /** In the form of the server. */
  readonly content: string;
  /** The content on which the change is based. With `only_over`, servers that can compare refuse to change anything else. */
  readonly over: string;
  readonly only_over: boolean;
};

export const formOf = ({ text_form }: NotesServer, type: string): Form => (type === "text" ? text_form : "plain");

/** Most servers put what is appended directly after the last character. */
export const onNewLine = (content: string, over: string): string =>
  over === "" || over.endsWith("\n") || content.startsWith("\n") ? content : `\n${content}`;

/**
 * The form of a note's id. Ids are shown to humans and returned in plans, so they may contain nothing that acts on a terminal or
 * reads as other words.
 */
export const NoteId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,128}$/, "must be the id of a note: letters, digits, - and _, at most 128");

/**
 * Maps items to reads, a few at a time. In the order of the items. After the first failure, running reads continue and no further
 * read begins.
 */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // All workers draw from one generator; a failing worker closes it for the others.
  const queue = (function* () {
    yield* items.entries();
  })();
  const drawOn = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await run(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, drawOn));
  return results;
}
