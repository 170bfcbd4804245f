import { expect, test } from "vitest";
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
        ...{ note_id: "archive", title: "Archive", type: "book" },
        children: [{ note_id: "y2026", title: "2026", type: "book", children: [] }],
      },
      truncated: false,
      depth: 5,
    },
  });
  await undertake({ operation: "fetch_note_tree", root_note_id: "root", depth: 2 }, notes.server).end();
  expect(notes.callsOf("tree")).toEqual([
    ["archive", 5],
    ["root", 2],
  ]);
  expect(notes.callsOf("note")).toEqual([]);
});

test("a tree that the server truncated is not reported as complete [4.notes.fetch_note_tree]", async () => {
  const { server } = memoryNotes(
    (plain) => ({
      tree: async (...asked) => {
        const tree = await plain.tree(...asked);
        return tree === null ? null : { ...tree, truncated: true };
      },
    }),
    someNotes(),
  );
  expect(await undertake({ operation: "fetch_note_tree", root_note_id: "root" }, server).end()).toMatchObject({
    status: "ok",
    code: "tree_truncated",
    message:
      'The tree below "root" (root) was read to a depth of 5, and is not complete: there are notes below that it does not show.',
    next: "read on further down: fetch_note_tree with the note_id of a note in it as root_note_id",
    result: { truncated: true },
  });
});

test("reading the tree of a missing note fails", async () => {
  const { server } = memoryNotes();
  expect(await undertake({ operation: "fetch_note_tree", root_note_id: "nobody" }, server).end()).toMatchObject({
    status: "failed",
    code: "not_found",
  });
});
