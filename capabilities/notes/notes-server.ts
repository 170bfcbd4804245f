// What the notes skill asks of a notes application, whatever its tools are called and however it answers.

export type NoteBrief = { readonly note_id: string; readonly title: string; readonly type: string };

export type Note = NoteBrief & {
  /** More than one for a note that is shown in several places. */
  readonly parent_note_ids: readonly string[];
  readonly is_protected: boolean;
};

export type TreeNode = NoteBrief & { readonly children: readonly TreeNode[] };

/** `truncated` when the server has left anything out: nobody may take such a tree as complete. */
export type Tree = { readonly root: TreeNode; readonly truncated: boolean };

export type Found = NoteBrief & { readonly parent_title: string | null };

/** What a write came to as the server tells it, which nobody may rely on: what is so is read again. */
export type Written =
  | { readonly is: "done" }
  | { readonly is: "refused"; readonly message: string }
  | { readonly is: "unknown"; readonly message: string };

/** Why nothing could be read. The first four are the server's, the last is ours to configure. */
export type FaultCode = "unreachable" | "unreadable" | "refused" | "incomplete" | "unsupported" | "unknown_tools";

/** Thrown by whatever reads; the handler turns it into an end of its task. */
export class NotesFault extends Error {
  override readonly name = "NotesFault";
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Reading throws a NotesFault. A note that is not there is null. */
export interface NotesServer {
  tree(root_note_id: string, depth: number): Promise<Tree | null>;
  /** All of them: a list that is not complete is a fault. */
  children(note_id: string): Promise<readonly NoteBrief[] | null>;
  note(note_id: string): Promise<Note | null>;
  /** `truncated` when there are more than were asked for. */
  search(query: SearchQuery): Promise<{ readonly found: readonly Found[]; readonly truncated: boolean }>;
  content(note_id: string): Promise<string | null>;
  /** What `content` would give of words that were written to a note of this type, where it is not all of them. */
  shows(content: string, type: string): string;
  /** Whether a note stays where it is when it is moved there a second time. Some servers delete it. */
  readonly may_repeat_move: boolean;
  /** Never throws, and is sent at most once. */
  move(move: { readonly note_id: string; readonly from: string; readonly to: string }): Promise<Written>;
  /** The same. */
  setContent(change: ContentChange): Promise<Written>;
}

export type SearchQuery = { readonly title: string; readonly ancestor_note_id: string | null; readonly limit: number };
export type ContentChange = {
  readonly note_id: string;
  readonly mode: "replace" | "append";
  readonly content: string;
  /** What content() gave when the change was made: servers that can tell refuse to write over anything else. */
  readonly over: string;
};
