// The operations that only read: trees, lists, places and targets.
import { describe, expect, test } from "vitest";
import type { NotesServer, TreeNode } from "../../../../capabilities/notes/notes-server.ts";
import type { Json } from "../../../../src/domain/json.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

type Prepare = (model: NotesModel) => unknown;
type Over = (plain: NotesServer) => Partial<NotesServer>;

/** The end of an operation that writes nothing, and what it asked of the server. */
async function read(payload: Record<string, Json>, prepare: Prepare = () => undefined, over: Over = () => ({})) {
  const model = someNotes();
  prepare(model);
  const notes = memoryNotes(over, model);
  const end = await undertake(payload, notes.server).end();
  expect(notes.writes()).toBe(0);
  return { ...end, asked: (method: keyof NotesServer) => notes.callsOf(method) };
}
const says = (words: string) => expect.stringContaining(words);
const idsIn = (result: unknown) => JSON.stringify(result).match(/"note_id":"\w+"/g) ?? [];
const gapIn =
  (place: string, ghost: string): Over =>
  (plain) => ({
    children: async (note_id) => {
      const notes = (await plain.children(note_id))?.notes ?? [];
      return note_id === place
        ? { notes: notes.filter((note) => note.note_id !== ghost), gaps: [ghost] }
        : { notes, gaps: [] };
    },
  });

describe("a tree [4.notes.fetch_note_tree]", () => {
  const tree = (root_note_id: string, more: Record<string, Json> = {}) => ({
    operation: "fetch_note_tree",
    root_note_id,
    ...more,
  });
  const listing: Over = () => ({ tree: null });

  test("is read in one call, five levels deep by default [8.depth]", async () => {
    const { asked, ...end } = await read(tree("archive"));
    expect(end).toEqual({
      status: "ok",
      code: "tree_read",
      message: 'The tree below "Archive" (archive) was read to a depth of 5, and is complete.',
      result: {
        tree: {
          note_id: "archive",
          title: "Archive",
          type: "book",
          children: [{ note_id: "y2026", title: "2026", type: "book", children: [] }],
        },
        truncated: false,
        gaps: [],
        depth: 5,
      },
    });
    expect([asked("children"), asked("note"), asked("tree")]).toEqual([[], [], [["archive", 5]]]);
  });

  test("has its levels that the server cuts listed whole, with what is below them", async () => {
    const cut = (node: TreeNode): TreeNode => ({
      ...node,
      children: node.children.slice(0, 3).map(cut),
      is_cut: node.is_cut || node.children.length > 3,
    });
    const cutting: Over = (plain) => ({
      tree: async (note_id, depth) => {
        const found = await plain.tree?.(note_id, depth);
        return found ? { ...found, root: cut(found.root) } : null;
      },
    });
    const deep: Prepare = (model) => model.add({ note_id: "deep", title: "Deep", parents: ["folder"] });
    const end = await read(tree("inbox"), deep, cutting);
    expect(end).toMatchObject({ code: "tree_read", result: { truncated: false } });
    expect(idsIn(end.result)).toHaveLength(7);
    expect(end.asked("tree")).toHaveLength(1);
  });

  test("is read by lists alone where the server has no tool for trees", async () => {
    const end = await read(tree("root"), undefined, listing);
    expect(end).toMatchObject({ code: "tree_read", result: { truncated: false, tree: { note_id: "root" } } });
    expect(idsIn(end.result)).toHaveLength(9);
  });

  const crowd: Prepare = (model) => {
    for (let n = 0; n < 2_100; n += 1) model.add({ note_id: `n${n}`, title: `N ${n}`, parents: ["m1"] });
    model.add({ note_id: "last", title: "Last", parents: ["n1"] });
  };
  test.each<[string, Prepare, Over, Record<string, Json>, object]>([
    [
      "there are notes below its depth",
      () => undefined,
      () => ({}),
      { depth: 1 },
      {
        message:
          'The tree below "root" (root) was read to a depth of 1, and is not complete: there may be notes below that depth.',
        next: "read on further down: fetch_note_tree with the note_id of a note at that depth as root_note_id",
        result: { truncated: true },
      },
    ],
    [
      "a note of it cannot be read",
      () => undefined,
      (plain) => ({ ...gapIn("inbox", "ghost")(plain), tree: null }),
      {},
      { message: says("is not complete: 1 note cannot be read: ghost."), result: { truncated: true, gaps: ["ghost"] } },
    ],
    ["it is too large", crowd, listing, {}, { message: says("it has more notes than are read at once") }],
  ])("is not reported as complete when %s", async (_, prepare, over, more, wanted) => {
    const end = await read(tree("root", more), prepare, over);
    expect(end).toMatchObject({ status: "ok", code: "tree_truncated", ...wanted });
  });

  test("fails where the note is missing", async () => {
    expect(await read(tree("nobody"))).toMatchObject({ status: "failed", code: "not_found" });
  });

  test("has the children of a note listed page by page", async () => {
    const dozen: Prepare = (model) => {
      for (let n = 0; n < 12; n += 1) model.add({ note_id: `n${n}`, title: `N ${n}`, parents: ["m1"] });
    };
    const list = (more: object) => read({ operation: "list_children", note_id: "m1", ...more }, dozen);
    expect(await list({ limit: 10 })).toMatchObject({
      status: "ok",
      code: "children_listed",
      message: "12 notes under m1, 10 of them from 0 on.",
      next: "list_children with offset 10 lists on",
      result: { total: 12, next_offset: 10, gaps: [] },
    });
    const children = [{ note_id: "n10", title: "N 10", type: "text" }, { note_id: "n11" }];
    expect(await list({ offset: 10 })).toMatchObject({ result: { children, next_offset: null } });
    expect(await list({ note_id: "missing" })).toMatchObject({ status: "failed", code: "not_found" });
  });
});

const WRONG = { status: "failed", code: "not_placed" };

test.each<[string, string, object]>([
  [
    "m1",
    "inbox",
    { status: "ok", code: "placed", message: '"Meeting 1" (m1) is under inbox.', result: { placed: true } },
  ],
  ["m2", "archive", { status: "ok", result: { placed: true } }],
  [
    "m1",
    "root",
    {
      ...WRONG,
      message: "m1 is under inbox, and not under root.",
      result: { placed: false, parent_note_ids: ["inbox"] },
    },
  ],
  ["nobody", "root", { message: "nobody is not there, and not under root." }],
])(
  "the place of one note is verified: %s under %s [4.notes.verify_tree_placement]",
  async (note_id, parent, wanted) => {
    const payload = { operation: "verify_tree_placement", note_id, expected_parent_note_id: parent };
    expect(await read(payload, (model) => model.clone({ note_id: "m2", to: "archive" }))).toMatchObject(wanted);
  },
);

test.each<[string, string[], string, object, Over?]>([
  ["all", ["m1", "m2", "m3"], "inbox", { status: "ok", code: "placed", message: "All 3 notes are under inbox." }],
  ["one", ["m1"], "inbox", { message: "1 note is under inbox." }],
  ["one of many", [...Array.from({ length: 40 }, (_, n) => `x${n}`), "m1"], "inbox", { result: { placed: ["m1"] } }],
  [
    "some missing",
    ["m1", "y2026", "nobody"],
    "inbox",
    {
      ...WRONG,
      message: "2 of 3 notes are not in place: not under inbox: y2026, nobody.",
      result: { placed: ["m1"], missing: ["y2026", "nobody"] },
    },
  ],
  [
    "one without title and type, as a synchronisation leaves it",
    ["m1", "m2"],
    "inbox",
    { ...WRONG, message: says("listed there, and cannot be read: m2"), result: { placed: ["m1"], missing: ["m2"] } },
    gapIn("inbox", "m2"),
  ],
  [
    "a missing parent",
    ["m1"],
    "nobody",
    { ...WRONG, message: "1 of 1 note is not in place: nobody is not there.", result: { missing: ["m1"] } },
  ],
])(
  "the places of many notes are verified with one list of the children (promises 4.14): %s [4.notes.verify_note_tree] [4.notes.verify_lists_once]",
  async (_, note_ids, expected_parent_note_id, wanted, over) => {
    const end = await read({ operation: "verify_note_tree", note_ids, expected_parent_note_id }, undefined, over);
    expect(end).toMatchObject(wanted);
    expect([end.asked("children").length, end.asked("note").length]).toEqual([1, 0]);
  },
);

describe("a target [4.notes.resolve_target_note]", () => {
  const added =
    (...notes: readonly [id: string, title: string, parent?: string][]): Prepare =>
    (model) => {
      for (const [note_id, title, parent = "root"] of notes) model.add({ note_id, title, parents: [parent] });
    };
  const slashed = added(["ab", "a/b", "archive"]);
  const archives = added(["archive2", "Archive"], ["y2025", "2025", "archive2"]);
  const cloned: Prepare = (model) => {
    archives(model);
    model.clone({ note_id: "y2026", to: "archive2" });
  };
  const twice = added(["other", "2026", "folder"]);
  const many = added(
    ...Array.from({ length: 30 }, (_, n): [string, string, string] => [`same${n}`, "Same", "archive"]),
  );
  const hidden = added(["_hidden", "Hidden"]);
  const everywhere: Over = (plain) => ({ search: (query) => plain.search({ ...query, ancestor_note_id: null }) });
  const cut: Over = (plain) => ({ search: async (query) => ({ ...(await plain.search(query)), truncated: true }) });
  const y2026 = {
    status: "ok",
    code: "resolved",
    message: '"Archive / 2026" is y2026, at "Archive / 2026".',
    result: { note_id: "y2026", title: "2026", path: "Archive / 2026" },
  };
  const other = { code: "resolved", result: { note_id: "other" } };
  const below = { title: "2026", root_note_id: "folder" };
  const none = () => undefined;

  test.each<[string, Record<string, Json>, Prepare, object, Over?]>([
    ["a path with slashes leads to it", { path: "Archive/2026" }, none, y2026],
    ["blanks around them do not matter, nor one at the front", { path: "/ Archive / 2026" }, none, y2026],
    ["a path of titles leads to it", { path: ["Archive", "2026"] }, none, y2026],
    [
      "a title in a path of titles may have a slash",
      { path: ["Archive", "a/b"] },
      slashed,
      { result: { note_id: "ab" } },
    ],
    ["a title in a path with slashes may not", { path: "Archive/a/b" }, slashed, { code: "not_found" }],
    ["a path begins at the root given", { path: "2026", root_note_id: "archive" }, none, { code: "resolved" }],
    ["a path begins at the top otherwise", { path: "2026" }, none, { status: "failed", code: "not_found" }],
    ["the root may be missing", { path: "2026", root_note_id: "nobody" }, none, { code: "root_not_found" }],
    ["a path goes along every note of a title", { path: "Archive/2025" }, archives, { result: { note_id: "y2025" } }],
    [
      "a path that leads to several is no answer",
      { path: "Archive" },
      archives,
      {
        status: "failed",
        code: "ambiguous",
        message: '"Archive": 2 notes have exactly this title.',
        result: { complete: true, candidates: [{ note_id: "archive" }, { note_id: "archive2" }] },
      },
    ],
    ["a path may lead to one note along two ways", { path: "Archive/2026" }, cloned, { code: "resolved" }],
    [
      "a path that ends nowhere is answered with what might have been meant",
      { path: "archive/2026" },
      none,
      { code: "not_found", result: { candidates: [{ note_id: "archive", title: "Archive", path: "Archive" }] } },
    ],
    ["a title counts only below the root given", below, twice, other],
    ["also where the server looks everywhere", below, twice, other, everywhere],
    ["the root of a title may be missing", { ...below, root_note_id: "nobody" }, none, { code: "root_not_found" }],
    [
      "a title in a search that was cut off is no answer",
      { title: "Meeting 1" },
      none,
      {
        code: "ambiguous",
        message: says("there may be more"),
        result: { complete: false, candidates: [{ note_id: "m1" }] },
      },
      cut,
    ],
    ["none in one is no answer either", { title: "Nothing" }, none, { code: "search_incomplete" }, cut],
    [
      "a title that very many notes have is answered with the first of them",
      { title: "Same" },
      many,
      {
        code: "ambiguous",
        message: '"Same": 30 notes have exactly this title. The first 20 are listed.',
        result: { complete: false, candidates: Array(20).fill({}) },
      },
    ],
    ["a title that only a system note has is not found", { title: "Hidden" }, hidden, { code: "not_found" }],
    ["nor a path of it", { path: "Hidden" }, hidden, { code: "not_found" }],
  ])("is found, or the reason is given: %s", async (_, asked, prepare, wanted, over) => {
    expect(await read({ operation: "resolve_target_note", ...asked }, prepare, over)).toMatchObject(wanted);
  });
});
