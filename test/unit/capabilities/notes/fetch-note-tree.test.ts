import { describe, expect, test } from "vitest";
import type { NotesServer, TreeNode } from "../../../../capabilities/notes/notes-server.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

test("one call reads a tree, five levels deep by default [4.notes.fetch_note_tree] [8.depth]", async () => {
  const notes = memoryNotes(undefined, someNotes());
  const ended = await undertake({ operation: "fetch_note_tree", root_note_id: "archive" }, notes.server).end();
  expect(ended).toEqual({
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
  await undertake({ operation: "fetch_note_tree", root_note_id: "root", depth: 2 }, notes.server).end();
  expect(notes.callsOf("children")).toEqual([]);
  expect(notes.callsOf("tree")).toEqual([
    ["archive", 5],
    ["root", 2],
  ]);
  expect(notes.callsOf("note")).toEqual([]);
});

describe("a tree that the server cuts", () => {
  const CUT = 3;
  /** Shows three children of a note, as real servers show ten. */
  const cutting = (plain: NotesServer) => ({
    tree: async (note_id: string, depth: number) => {
      const cut = (node: TreeNode): TreeNode => ({
        ...node,
        children: node.children.slice(0, CUT).map(cut),
        is_cut: node.is_cut || node.children.length > CUT,
      });
      const tree = await plain.tree?.(note_id, depth);
      return tree ? { ...tree, root: cut(tree.root) } : null;
    },
  });
  const idsIn = (result: unknown) => JSON.stringify(result).match(/"note_id":"\w+"/g) ?? [];

  test("has its cut levels listed whole, with what is below them [4.notes.fetch_note_tree]", async () => {
    const model = someNotes();
    model.add({ note_id: "deep", title: "Deep", parents: ["folder"] });
    const notes = memoryNotes(cutting, model);
    const ended = await undertake({ operation: "fetch_note_tree", root_note_id: "inbox" }, notes.server).end();
    expect(ended).toMatchObject({ code: "tree_read", result: { truncated: false } });
    expect(idsIn(ended.result)).toHaveLength(7);
    expect(notes.callsOf("tree")).toHaveLength(1);
  });

  test("is read by lists alone where the server has no tool for trees [4.notes.fetch_note_tree]", async () => {
    const { server } = memoryNotes(() => ({ tree: null }), someNotes());
    const ended = await undertake({ operation: "fetch_note_tree", root_note_id: "root" }, server).end();
    expect(ended).toMatchObject({ code: "tree_read", result: { truncated: false, tree: { note_id: "root" } } });
    expect(idsIn(ended.result)).toHaveLength(9);
  });

  test("is not reported as complete when there are notes below its depth [4.notes.fetch_note_tree]", async () => {
    const { server } = memoryNotes(undefined, someNotes());
    const order = { operation: "fetch_note_tree", root_note_id: "root", depth: 1 };
    expect(await undertake(order, server).end()).toMatchObject({
      status: "ok",
      code: "tree_truncated",
      message:
        'The tree below "root" (root) was read to a depth of 1, and is not complete: there may be notes below that depth.',
      next: "read on further down: fetch_note_tree with the note_id of a note at that depth as root_note_id",
      result: { truncated: true },
    });
  });

  test("is not reported as complete when a note of it cannot be read, or when it is too large", async () => {
    const model = someNotes();
    const gap = memoryNotes(
      (plain) => ({
        tree: null,
        children: async (id) => ({
          notes: (await plain.children(id))?.notes ?? [],
          gaps: id === "inbox" ? ["ghost"] : [],
        }),
      }),
      model,
    );
    expect(await undertake({ operation: "fetch_note_tree", root_note_id: "root" }, gap.server).end()).toMatchObject({
      code: "tree_truncated",
      message: expect.stringContaining("is not complete: 1 note cannot be read: ghost."),
      result: { truncated: true, gaps: ["ghost"] },
    });
    for (let n = 0; n < 2_100; n += 1) model.add({ note_id: `n${n}`, title: `N ${n}`, parents: ["m1"] });
    model.add({ note_id: "last", title: "Last", parents: ["n1"] });
    const large = memoryNotes(() => ({ tree: null }), model);
    expect(await undertake({ operation: "fetch_note_tree", root_note_id: "root" }, large.server).end()).toMatchObject({
      code: "tree_truncated",
      message: expect.stringContaining("it has more notes than are read at once"),
    });
  });
});

test("all children of a note are listed, page by page [4.notes.fetch_note_tree]", async () => {
  const model = someNotes();
  for (let n = 0; n < 12; n += 1) model.add({ note_id: `n${n}`, title: `N ${n}`, parents: ["m1"] });
  const { server } = memoryNotes(undefined, model);
  const list = (more: object) => undertake({ operation: "list_children", note_id: "m1", ...more }, server).end();
  expect(await list({ limit: 10 })).toMatchObject({
    status: "ok",
    code: "children_listed",
    message: "12 notes under m1, 10 of them from 0 on.",
    next: "list_children with offset 10 lists on",
    result: { total: 12, next_offset: 10, gaps: [] },
  });
  expect(await list({ offset: 10 })).toMatchObject({
    result: { children: [{ note_id: "n10", title: "N 10", type: "text" }, { note_id: "n11" }], next_offset: null },
  });
  expect(await list({ note_id: "missing" })).toMatchObject({ status: "failed", code: "not_found" });
});

test("reading the tree of a missing note fails", async () => {
  const { server } = memoryNotes();
  expect(await undertake({ operation: "fetch_note_tree", root_note_id: "nobody" }, server).end()).toMatchObject({
    status: "failed",
    code: "not_found",
  });
});
