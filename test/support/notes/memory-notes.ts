// A notes server in memory, well-behaved, over the notes and branches that the fakes on HTTP keep as well.
import { setTimeout as sleep } from "node:timers/promises";
import type { Note, NoteBrief, NotesServer, TreeNode } from "../../../capabilities/notes/notes-server.ts";
import { createNotesModel, type NotesModel, titleOf } from "../../simulators/notes/notes-model.ts";

/** Everything that is asked is counted by the name of its method. `over` replaces a method, and can use the one before. */
export function memoryNotes(
  over: (plain: NotesServer) => Partial<NotesServer> = () => ({}),
  model: NotesModel = createNotesModel(),
  { delay_ms = 0 }: { readonly delay_ms?: number } = {},
) {
  const calls: { readonly method: keyof NotesServer; readonly args: readonly unknown[] }[] = [];
  const plain = plainServer(model);
  const served: NotesServer = { ...plain, ...over(plain) };
  const counted = <A extends unknown[], R>(method: keyof NotesServer, run: (...args: A) => Promise<R>) => {
    return async (...args: A): Promise<R> => {
      calls.push({ method, args });
      if (delay_ms > 0) await sleep(delay_ms);
      return run(...args);
    };
  };
  const server: NotesServer = {
    chooses_place: served.chooses_place,
    keeps_prefix: served.keeps_prefix,
    tree: served.tree && counted("tree", served.tree),
    children: counted("children", served.children),
    note: counted("note", served.note),
    under: served.under && counted("under", served.under),
    search: counted("search", served.search),
    content: counted("content", served.content),
    text_form: served.text_form,
    keeps_revisions: served.keeps_revisions,
    move: counted("move", served.move),
    setContent: counted("setContent", served.setContent),
  };
  return {
    server,
    model,
    callsOf: (method: keyof NotesServer) => calls.filter((call) => call.method === method).map(({ args }) => args),
    writes: () => calls.filter(({ method }) => method === "move" || method === "setContent").length,
  };
}

function plainServer(model: NotesModel): NotesServer {
  const brief = (note_id: string) => {
    const note = model.note(note_id);
    return note === undefined ? [] : [{ note_id, title: titleOf(note), type: note.type }];
  };
  const noteOf = (note_id: string): Note | null => {
    const note = model.note(note_id);
    const [known] = brief(note_id);
    if (note === undefined || known === undefined) return null;
    return { ...known, parent_note_ids: model.parentsOf(note_id), is_protected: note.is_protected };
  };
  const below = (note_id: string, depth: number): TreeNode[] =>
    depth === 0
      ? []
      : model
          .childrenOf(note_id)
          .flatMap(brief)
          .map((child) => nodeOf(child, depth - 1));
  const nodeOf = (node: NoteBrief, depth: number): TreeNode => {
    const is_cut = depth === 0 && model.childrenOf(node.note_id).length > 0;
    return { ...node, children: below(node.note_id, depth), is_cut };
  };

  return {
    chooses_place: false,
    keeps_prefix: true,
    tree: async (note_id, depth) => {
      const [root] = brief(note_id);
      return root === undefined ? null : { root: nodeOf(root, depth), gaps: [] };
    },
    children: async (note_id) =>
      model.note(note_id) === undefined
        ? null
        : { notes: model.childrenOf(note_id).flatMap((id) => brief(id)), gaps: [] },
    note: async (note_id) => noteOf(note_id),
    under: null,
    search: async ({ title, ancestor_note_id, limit }) => {
      const within = ancestor_note_id === null ? null : model.reachable(ancestor_note_id);
      const found = model
        .notes()
        .filter((note) => note.title.toLowerCase().includes(title.toLowerCase()) && within?.has(note.note_id) !== false)
        .map(({ note_id, title, type }) => ({ note_id, title, type, parent_title: null }));
      return { found: found.slice(0, limit), truncated: found.length > limit };
    },
    content: async (note_id) => model.note(note_id)?.content ?? null,
    text_form: "markdown",
    keeps_revisions: true,
    move: async (move) => {
      model.move(move);
      return { is: "done" };
    },
    setContent: async ({ note_id, mode, content }) => {
      const note = model.note(note_id);
      if (note === undefined) return { is: "refused", message: "no such note" };
      note.content = mode === "append" ? `${note.content}\n${content}` : content;
      return { is: "done" };
    },
  };
}
