// Notes and the branches they hang from, as the application beneath every simulated notes server keeps them: a branch is a
// parent and a note, a note lives while it has a branch. Nothing is checked: no cycle, no note under itself, not the root.

export type Note = {
  readonly note_id: string;
  title: string;
  type: string;
  content: string;
  is_protected: boolean;
};

export type Branch = {
  branch_id: string;
  readonly note_id: string;
  readonly parent_note_id: string;
  prefix: string;
};

export type NewNote = {
  readonly note_id: string;
  readonly title: string;
  readonly parents?: readonly string[];
  readonly type?: string;
  readonly content?: string;
  readonly is_protected?: boolean;
};

/**
 * What a synchronisation leaves of a note that was moved here and deleted on the other machine (seen on two real ones): the machine
 * that serves has its place without a title and a type, and reads a note without them; the other still lists it, and has no note.
 */
export type Trace = { readonly note_id: string; readonly parent_note_id: string; readonly title: string | null };

export type NotesModel = ReturnType<typeof createNotesModel>;

/** What the root hangs from; no note of its own. */
const ABOVE_THE_ROOT = "none";
/** Places that the application makes for itself: a note that has no other is deleted (seen in the real application's branches). */
const WEAK = new Set(["_share", "_lbBookmarks"]);

type Held = { readonly note: Note; readonly above: Branch[]; readonly below: Map<string, Branch> };

/** What everybody is shown. */
export const titleOf = ({ is_protected, title }: Note): string => (is_protected ? "[protected]" : title);

/** All that a model is made of. */
type Contents = { readonly notes: readonly Note[]; readonly branches: readonly Branch[] };

const ROOT: Contents = {
  notes: [{ note_id: "root", title: "root", type: "text", content: "", is_protected: false }],
  branches: [{ branch_id: "none_root", note_id: "root", parent_note_id: ABOVE_THE_ROOT, prefix: "" }],
};

export function createNotesModel(contents: Contents = ROOT) {
  const all = new Map<string, Held>();
  const branches = new Map<string, Branch>();
  const traces: Trace[] = [];

  const parentsOf = (note_id: string): string[] => all.get(note_id)?.above.map((one) => one.parent_note_id) ?? [];
  const childrenOf = (note_id: string): string[] => [...(all.get(note_id)?.below.keys() ?? [])];

  const keep = (note: Note): Note => {
    if (all.has(note.note_id)) throw new Error(`there is a note ${note.note_id} already`);
    all.set(note.note_id, { note: { ...note }, above: [], below: new Map() });
    return all.get(note.note_id)?.note ?? note;
  };

  const hang = (branch: Branch): Branch => {
    // Ids are joined by what may be part of them.
    if (branches.has(branch.branch_id)) throw new Error(`two branches would be called ${branch.branch_id}`);
    branches.set(branch.branch_id, branch);
    all.get(branch.note_id)?.above.push(branch);
    all.get(branch.parent_note_id)?.below.set(branch.note_id, branch);
    return branch;
  };

  /** One that is there already gets the new prefix, also none. Undefined where one of the two notes is not. */
  const postBranch = (note_id: string, parent_note_id: string, prefix = ""): Branch | undefined => {
    const parent = all.get(parent_note_id);
    if (parent === undefined || !all.has(note_id)) return undefined;
    const branch_id = `${parent_note_id}_${note_id}`;
    const existing = parent.below.get(note_id);
    if (existing !== undefined) return Object.assign(existing, { prefix });
    return hang({ branch_id, note_id, parent_note_id, prefix });
  };

  /** With its last branch that is not weak a note is deleted, and every branch below it. False where there is none. */
  const deleteBranch = (branch_id: string): boolean => {
    if (!branches.has(branch_id)) return false;
    const doomed = [branch_id];
    for (const id of doomed) {
      const branch = branches.get(id);
      const held = branch && all.get(branch.note_id);
      if (branch === undefined || held === undefined) continue;
      branches.delete(id);
      all.get(branch.parent_note_id)?.below.delete(branch.note_id);
      held.above.splice(held.above.indexOf(branch), 1);
      if (held.above.some((one) => !WEAK.has(one.parent_note_id))) continue;
      for (const weak of held.above.splice(0)) {
        branches.delete(weak.branch_id);
        all.get(weak.parent_note_id)?.below.delete(branch.note_id);
      }
      all.delete(branch.note_id);
      for (const lower of held.below.values()) doomed.push(lower.branch_id);
    }
    return true;
  };

  const restore = ({ notes, branches: kept }: Contents): void => {
    all.clear();
    branches.clear();
    notes.forEach(keep);
    for (const branch of kept) hang({ ...branch });
  };
  restore(contents);

  return {
    /** Under `parents`, the root without them. All of them must be there. */
    add: ({ note_id, title, parents = ["root"], type = "text", content = "", is_protected = false }: NewNote): Note => {
      const missing = parents.filter((parent) => !all.has(parent));
      if (missing.length > 0 || parents.length === 0) throw new Error(`${note_id} has no parent ${missing}`);
      const note = keep({ note_id, title, type, content, is_protected });
      for (const parent of parents) postBranch(note_id, parent);
      return note;
    },
    /** The note itself: what is set on it is set. */
    note: (note_id: string): Note | undefined => all.get(note_id)?.note,
    notes: (): Note[] => [...all.values()].map(({ note }) => note),
    /** In the order in which they came to be. That of the root is `none`. */
    parentsOf,
    childrenOf,
    branches: (): Branch[] => [...branches.values()],
    branchesOf: (note_id: string): Branch[] => [...(all.get(note_id)?.above ?? [])],
    branchesBelow: (note_id: string): Branch[] => [...(all.get(note_id)?.below.values() ?? [])],
    /** Everything as it was then. */
    restore,
    traces: (parent_note_id: string): Trace[] => traces.filter((one) => one.parent_note_id === parent_note_id),
    traceOf: (note_id: string): Trace | undefined => traces.find((one) => one.note_id === note_id),
    leaveTrace: (trace: Trace): void => void traces.push(trace),
    postBranch,
    deleteBranch,
    /** As in a database from the early years of the application, which gave branches random names. */
    rename: (branch_id: string, name: string): void => {
      const branch = branches.get(branch_id);
      if (branch === undefined) throw new Error(`there is no branch ${branch_id}`);
      branches.delete(branch_id);
      branches.set(name, Object.assign(branch, { branch_id: name }));
    },
    clone: ({ note_id, to }: { readonly note_id: string; readonly to: string }): void => {
      postBranch(note_id, to);
    },
    /** Both steps, as they come: where `from` is `to` as well, the note is deleted. */
    move: ({ note_id, from, to }: { readonly note_id: string; readonly from: string; readonly to: string }): void => {
      if (postBranch(note_id, to) !== undefined) deleteBranch(`${from}_${note_id}`);
    },
    /** As a user does: in one, checked by the application, and with the prefix. False where it is refused. */
    moveByHand: ({ note_id, from, to }: { readonly note_id: string; readonly from: string; readonly to: string }) => {
      const branch = all.get(from)?.below.get(note_id);
      if (branch === undefined || !all.has(to) || parentsOf(note_id).includes(to)) return false;
      if (spread(to, parentsOf).has(note_id)) return false;
      postBranch(note_id, to, branch.prefix);
      return deleteBranch(branch.branch_id);
    },
    /** From everywhere. */
    delete: (note_id: string): void => {
      for (const { branch_id } of [...(all.get(note_id)?.above ?? [])]) deleteBranch(branch_id);
    },
    /** Itself included, as often as there are ways. */
    reachable: (from = "root"): Set<string> => spread(from, childrenOf),
    /** Itself included, and `none`. */
    ancestors: (note_id: string): Set<string> => spread(note_id, parentsOf),
    /** Whether any way upwards from a note comes back to itself. */
    hasLoopAbove: (note_id: string): boolean => hasLoop(note_id, parentsOf),
    /** Every branch there is, sorted: two of these are equal when the trees are. */
    snapshot: (): string[] => [...branches.values()].map((one) => `${one.parent_note_id} > ${one.note_id}`).sort(),
  };
}

export const contentsOf = (model: NotesModel): Contents => ({
  notes: model.notes().map((note) => ({ ...note })),
  branches: model.branches().map((branch) => ({ ...branch })),
});

/** The same notes and branches; changes to it leave the first alone. */
export const copyOf = (model: NotesModel): NotesModel => createNotesModel(contentsOf(model));

type Next = (note_id: string) => readonly string[];

function spread(start: string, next: Next): Set<string> {
  const reached = new Set([start]);
  for (const note_id of reached) for (const further of next(note_id)) reached.add(further);
  return reached;
}

function hasLoop(note_id: string, next: Next, way = new Set<string>(), done = new Set<string>()): boolean {
  if (way.has(note_id)) return true;
  if (done.has(note_id)) return false;
  way.add(note_id);
  const found = next(note_id).some((further) => hasLoop(further, next, way, done));
  way.delete(note_id);
  done.add(note_id);
  return found;
}
