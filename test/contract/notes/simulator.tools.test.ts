// The tools of the three simulated notes servers: names, arguments and results.
import { describe, expect, test } from "vitest";
import type { NotesModel } from "../../simulators/notes/notes-model.ts";
import { startNotes } from "../../support/notes/notes-client.ts";

/** root > box > n1 .. n12, n1 > leaf > deep. */
function plant(model: NotesModel, count = 12): void {
  model.add({ note_id: "box", title: "Box", type: "book" });
  for (let at = 1; at <= count; at += 1) model.add({ note_id: `n${at}`, title: `Note ${at}`, parents: ["box"] });
  model.add({ note_id: "leaf", title: "Leaf", parents: ["n1"] });
  model.add({ note_id: "deep", title: "Deep", parents: ["leaf"] });
}

test.each([
  {
    profile: "native",
    needed: {
      get_subtree: ["noteId"],
      get_child_notes: ["noteId"],
      get_note: ["noteId"],
      get_note_content: ["noteId"],
      create_note: ["parentNoteId", "title"],
      move_note: ["noteId", "newParentNoteId"],
      clone_note: ["noteId", "parentNoteId"],
      set_note_content: ["noteId", "content"],
      append_to_note: ["noteId", "content"],
      search_notes: ["query"],
    },
  },
  {
    profile: "git",
    needed: {
      search_notes: ["query"],
      get_note_tree: ["noteId"],
      get_note: ["noteId"],
      create_note: ["parentNoteId", "title"],
      write_note: ["noteId", "mode"],
      organize_note: ["action"],
    },
  },
  {
    profile: "npm",
    needed: {
      list_children_notes: ["noteId"],
      get_note: ["noteId"],
      create_note: ["parentNoteId", "title"],
      move_note: ["noteId", "newParentNoteId"],
      update_note: ["noteId", "expectedHash"],
      resolve_note_id: ["noteName"],
      search_notes: undefined,
    },
  },
] as const)("$profile lists its tools and their required arguments", async ({ profile, needed }) => {
  await using notes = await startNotes(profile);
  const { tools } = await notes.client.listTools();
  expect(Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required]))).toEqual(needed);
});

describe("native", () => {
  test("shows a tree of two levels with at most ten children of a note, and counts the rest", async () => {
    await using notes = await startNotes("native");
    plant(notes.model);
    const tree = await notes.json("get_subtree", { noteId: "root" });
    expect(tree).toMatchObject({ noteId: "root", title: "root", type: "text" });
    const [box] = tree.children;
    expect(box.children).toHaveLength(11);
    expect(box.children[0]).toEqual({
      noteId: "n1",
      title: "Note 1",
      type: "text",
      children: "1 children not shown (depth limit reached)",
    });
    expect(box.children[1]).toEqual({ noteId: "n2", title: "Note 2", type: "text" });
    expect(box.children[10]).toEqual({ noteId: "", title: "... and 2 more", type: "truncated" });
  });

  test("shows a tree of the given depth, from 1 to 5", async () => {
    await using notes = await startNotes("native");
    plant(notes.model);
    const deep = await notes.json("get_subtree", { noteId: "root", depth: 5 });
    expect(deep.children[0].children[0].children[0].children[0]).toEqual({
      noteId: "deep",
      title: "Deep",
      type: "text",
    });
    const flat = await notes.json("get_subtree", { noteId: "root", depth: 1 });
    expect(flat.children[0].children).toBe("12 children not shown (depth limit reached)");
    const beyond = await notes.ask("get_subtree", { noteId: "root", depth: 6 });
    expect(beyond).toMatchObject({ isError: true, texts: [expect.stringContaining("-32602: Input validation error")] });
  });

  test("shows at most 50 children with a note, and the total", async () => {
    await using notes = await startNotes("native");
    plant(notes.model, 60);
    const { childNotes } = await notes.json("get_note", { noteId: "box" });
    expect(childNotes.totalCount).toBe(60);
    expect(childNotes.results).toHaveLength(50);
    expect(childNotes.results[0]).toEqual({ noteId: "n1", title: "Note 1" });
  });
});

describe("git", () => {
  test("shows a tree of one level, with the ids of the notes below it", async () => {
    await using notes = await startNotes("git");
    plant(notes.model);
    notes.model.add({ note_id: "_hidden", title: "Hidden" });
    expect(await notes.json("get_note_tree", { noteId: "root" })).toEqual({
      noteId: "root",
      title: "root",
      type: "text",
      childCount: 1,
      childBranchIds: ["root_box", "root__hidden"],
      systemChildrenSkipped: 1,
      children: [
        {
          noteId: "box",
          title: "Box",
          type: "book",
          childCount: 12,
          childBranchIds: notes.model.childrenOf("box").map((id) => `box_${id}`),
          childNoteIds: notes.model.childrenOf("box"),
        },
      ],
    });
  });

  test("shows at most 200 notes; a note at the limit counts more children than it shows, without ids", async () => {
    await using notes = await startNotes("git");
    plant(notes.model, 250);
    const tree = await notes.json("get_note_tree", { noteId: "box" });
    expect(tree).toMatchObject({ childCount: 250, truncated: true });
    expect(tree.children).toHaveLength(200);
    expect(tree.childBranchIds).toHaveLength(250);
    expect(tree).not.toHaveProperty("childNoteIds");
    const deep = await notes.json("get_note_tree", { noteId: "root", depth: 3 });
    expect(deep.children[0].children).toHaveLength(199);
    expect(deep.children[0].children[0]).toMatchObject({ childCount: 1, children: [] });
  });

  test("refuses a depth above 5", async () => {
    await using notes = await startNotes("git");
    expect(await notes.ask("get_note_tree", { noteId: "root", depth: 6 })).toMatchObject({ isError: true });
  });
});

describe("npm", () => {
  test("returns a note with its parents and the hash of its content", async () => {
    await using notes = await startNotes("npm");
    notes.model.add({ note_id: "a", title: "A", content: "what it says" });
    const note = await notes.json("get_note", { noteId: "a" });
    expect(note).toMatchObject({ noteId: "a", parentNoteIds: ["root"], isProtected: false, content: "what it says" });
    expect(note.blobId).toMatch(/^[0-9a-f]{20}$/);
    expect(await notes.json("get_note", { noteId: "a", includeContent: false })).not.toHaveProperty("content");
  });
});
