// The REST API that two of the three notes servers stand on: each of their tools is a few calls of it. It validates next to
// nothing, and what it answers to a mistake is a fault with a status.
import { createHash } from "node:crypto";
import type { Note, NotesModel, Trace } from "./notes-model.ts";

const DATE = "2026-11-02 09:00:00.000+0000";

export class RestFault extends Error {
  override readonly name = "RestFault";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function restOf(model: NotesModel) {
  const find = (note_id: string): Note => {
    const note = model.note(note_id);
    if (note === undefined) throw new RestFault(404, "NOTE_NOT_FOUND", `Note '${note_id}' not found.`);
    return note;
  };
  const open = (note_id: string): Note => {
    const note = find(note_id);
    // Not measured.
    if (note.is_protected) throw new RestFault(400, "NOTE_IS_PROTECTED", `Note '${note_id}' is protected.`);
    return note;
  };

  return {
    getNote: (note_id: string): View => {
      const trace = model.traceOf(note_id);
      return trace?.title === null ? skeletonOf(trace) : viewOf(model, find(note_id));
    },
    getContent: (note_id: string): string => open(note_id).content,
    putContent: (note_id: string, content: string): void => {
      open(note_id).content = content;
    },
    patchTitle: (note_id: string, title: string): void => {
      open(note_id).title = title;
    },
    /** 201 where there is no branch yet, cycles included; the existing branch with 200. */
    postBranch: (note_id: string, parent_note_id: string, prefix?: string) => {
      find(note_id);
      find(parent_note_id);
      const { branch_id, prefix: set } = model.postBranch(note_id, parent_note_id, prefix) ?? {
        branch_id: "",
        prefix: "",
      };
      return { branchId: branch_id, noteId: note_id, parentNoteId: parent_note_id, prefix: set, notePosition: 10 };
    },
    /** 204, also where there is none. */
    deleteBranch: (branch_id: string): void => void model.deleteBranch(branch_id),
  };
}

type View = Omit<ReturnType<typeof viewOf>, "title" | "type"> & {
  readonly title?: string | undefined;
  readonly type?: string | undefined;
};

/** What a synchronisation has left of a note: it has a place, and neither a title nor a type. */
const skeletonOf = ({ note_id, parent_note_id }: Trace): View => ({
  noteId: note_id,
  isProtected: false,
  mime: "",
  blobId: "",
  dateCreated: DATE,
  dateModified: DATE,
  parentNoteIds: [parent_note_id],
  childNoteIds: [],
  parentBranchIds: [`${parent_note_id}_${note_id}`],
  childBranchIds: [],
  attributes: [],
});

/** Of a protected note it gives the title as it is stored, encrypted. */
const restTitleOf = ({ is_protected, title }: Note): string =>
  is_protected ? createHash("sha256").update(title).digest("base64") : title;

export const viewOf = (model: NotesModel, note: Note) => ({
  noteId: note.note_id,
  isProtected: note.is_protected,
  title: restTitleOf(note),
  type: note.type,
  mime: note.type === "text" ? "text/html" : "",
  blobId: createHash("sha1").update(note.content).digest("hex").slice(0, 20),
  dateCreated: DATE,
  dateModified: DATE,
  // Not measured: that the root has a parent, which is no note.
  parentNoteIds: model.parentsOf(note.note_id),
  childNoteIds: [...model.childrenOf(note.note_id), ...model.traces(note.note_id).map((one) => one.note_id)],
  parentBranchIds: model.branchesOf(note.note_id).map(({ branch_id }) => branch_id),
  childBranchIds: model.branchesBelow(note.note_id).map(({ branch_id }) => branch_id),
  attributes: [],
});
