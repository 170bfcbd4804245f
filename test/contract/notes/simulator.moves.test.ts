// How the three simulated notes servers move a note, as measured on the real ones.
import { describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { startNotes } from "../../support/notes/notes-client.ts";

/** root > a > b > c, root > box, root > other; `clone` is under box and other. */
function forest() {
  const model = createNotesModel();
  for (const note_id of ["a", "box", "other"]) model.add({ note_id, title: note_id.toUpperCase() });
  model.add({ note_id: "b", title: "B", parents: ["a"] });
  model.add({ note_id: "c", title: "C", parents: ["b"] });
  model.add({ note_id: "clone", title: "Clone", parents: ["box", "other"] });
  return model;
}

const start = (profile: "native" | "git" | "npm") => startNotes(profile, { model: forest() });
const toMove = (noteId: string, newParentNoteId: string) => ({ noteId, newParentNoteId });
const toOrganize = (noteId: string, newParentNoteId: string) => ({ action: "move", noteId, newParentNoteId });

describe("a move to the parent it already has", () => {
  test("changes nothing on native, and succeeds", async () => {
    await using notes = await start("native");
    expect(await notes.json("move_note", toMove("b", "a"))).toMatchObject({ success: true });
    expect(notes.model.snapshot()).toEqual(forest().snapshot());
  });

  test("changes nothing on npm, which reports that", async () => {
    await using notes = await start("npm");
    const { message } = await notes.json("move_note", toMove("b", "a"));
    expect(message).toBe("Note b is already a child of a. No move performed.");
    expect(notes.model.snapshot()).toEqual(forest().snapshot());
  });

  test("deletes the note and all notes below it on git, and reports success", async () => {
    await using notes = await start("git");
    expect(await notes.json("organize_note", toOrganize("b", "a"))).toMatchObject({ success: true });
    const { isError, texts } = await notes.ask("get_note", { noteId: "b" });
    expect({ isError, texts }).toEqual({ isError: true, texts: [expect.stringContaining("Note 'b' not found.")] });
    expect(notes.model.note("c")).toBeUndefined();
  });
});

describe("a move below the note itself", () => {
  test.each(["c", "a"])("is refused by native: to %s", async (target) => {
    await using notes = await start("native");
    expect(await notes.json("move_note", toMove("a", target))).toEqual({
      error: "Moving/cloning note here would create cycle.",
    });
    expect(notes.model.snapshot()).toEqual(forest().snapshot());
  });

  test.each(["c", "a"])("is done by npm, whose reads of these notes fail from then on: to %s", async (target) => {
    await using notes = await start("npm");
    expect(await notes.json("move_note", toMove("a", target))).toMatchObject({ newParentNoteId: target });
    expect(notes.model.reachable().has("b")).toBe(false);
    const overflow = "Maximum call stack size exceeded";
    await expect(notes.json("get_note", { noteId: "b" })).rejects.toThrow(overflow);
    await expect(notes.json("list_children_notes", { noteId: "c" })).rejects.toThrow(overflow);
    await expect(notes.json("move_note", toMove("c", "root"))).rejects.toThrow(overflow);
    await expect(notes.json("move_note", toMove("clone", "c"))).resolves.toMatchObject({ requiresBranchId: true });
    await expect(notes.json("search_notes", { text: "B", limit: 10 })).rejects.toThrow(overflow);
    expect(await notes.json("get_note", { noteId: "box" })).toMatchObject({ noteId: "box" });
  });

  test.each(["c", "a"])("is done by git, and the root no longer reaches the notes: to %s", async (target) => {
    await using notes = await start("git");
    expect(await notes.json("organize_note", toOrganize("a", target))).toMatchObject({ success: true });
    expect(notes.model.reachable().has("b")).toBe(false);
    expect(await notes.json("get_note", { noteId: "b" })).toMatchObject({ noteId: "b", parentNoteIds: ["a"] });
    const tree = await notes.json("get_note_tree", { noteId: "root", depth: 5 });
    expect(tree.children.map(({ noteId }: { noteId: string }) => noteId)).toEqual(["box", "other"]);
  });
});

describe("a move of a note with two parents", () => {
  test.each([
    { profile: "native", tool: "move_note", args: toMove("clone", "a") },
    { profile: "git", tool: "organize_note", args: toOrganize("clone", "a") },
  ] as const)("moves it from its first parent only on $profile", async ({ profile, tool, args }) => {
    await using notes = await start(profile);
    expect(await notes.json(tool, args)).toMatchObject({ success: true });
    expect(notes.model.parentsOf("clone")).toEqual(["other", "a"]);
  });

  test("moves nothing on npm, which asks for the branch without an error", async () => {
    await using notes = await start("npm");
    const { isError, texts } = await notes.ask("move_note", toMove("clone", "a"));
    expect(isError).toBeUndefined();
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({
      requiresBranchId: true,
      branches: [
        { branchId: "box_clone", parentNoteId: "box" },
        { branchId: "other_clone", parentNoteId: "other" },
      ],
    });
    expect(notes.model.snapshot()).toEqual(forest().snapshot());
  });

  test("moves the branch that the caller names on npm", async () => {
    await using notes = await start("npm");
    await notes.json("move_note", { ...toMove("clone", "a"), branchId: "other_clone" });
    expect(notes.model.parentsOf("clone")).toEqual(["box", "a"]);
    const foreign = notes.json("move_note", { ...toMove("clone", "a"), branchId: "a_b" });
    await expect(foreign).rejects.toThrow("-32603: Branch a_b does not belong to note clone.");
  });
});

describe("a move to a parent that has the note as well", () => {
  test("is refused by native", async () => {
    await using notes = await start("native");
    const error = 'Note "Clone" note already exists in the "OTHER".';
    expect(await notes.json("move_note", toMove("clone", "other"))).toEqual({ error });
    expect(notes.model.parentsOf("clone")).toEqual(["box", "other"]);
  });

  test("removes it from its first parent on git", async () => {
    await using notes = await start("git");
    expect(await notes.json("organize_note", toOrganize("clone", "other"))).toMatchObject({ success: true });
    expect(notes.model.parentsOf("clone")).toEqual(["other"]);
  });

  test("asks for the branch on npm, and then removes the note from it", async () => {
    await using notes = await start("npm");
    expect(await notes.json("move_note", toMove("clone", "other"))).toMatchObject({ requiresBranchId: true });
    await notes.json("move_note", { ...toMove("clone", "other"), branchId: "box_clone" });
    expect(notes.model.parentsOf("clone")).toEqual(["other"]);
  });
});

test("a move to a missing note is a result without isError on native", async () => {
  await using notes = await start("native");
  const { isError, texts } = await notes.ask("move_note", toMove("b", "gone"));
  expect({ isError, texts }).toEqual({ isError: undefined, texts: ['{"error":"Target parent note not found"}'] });
  expect(notes.model.snapshot()).toEqual(forest().snapshot());
});

describe("a move of the root or of a system note", () => {
  test.each(["root", "_hidden"])("is refused by native: %s", async (noteId) => {
    await using notes = await start("native");
    notes.model.add({ note_id: "_hidden", title: "Hidden" });
    expect(await notes.json("move_note", toMove(noteId, "box"))).toEqual({ error: "Cannot move system notes" });
    expect(notes.model.parentsOf("_hidden")).toEqual(["root"]);
  });

  test("is refused by native with another message for the launch bar, and done for other notes", async () => {
    await using notes = await start("native");
    notes.model.add({ note_id: "_lbVisibleLaunchers", title: "Launchers" });
    notes.model.add({ note_id: "_other", title: "Other" });
    const error = "Cannot change this note's location.";
    expect(await notes.json("move_note", toMove("_lbVisibleLaunchers", "box"))).toEqual({ error });
    expect(await notes.json("move_note", toMove("_other", "box"))).toMatchObject({ success: true });
  });

  test.each([
    { profile: "git", tool: "organize_note", args: toOrganize("root", "box") },
    { profile: "npm", tool: "move_note", args: toMove("root", "box") },
  ] as const)("is done by $profile", async ({ profile, tool, args }) => {
    await using notes = await start(profile);
    await notes.json(tool, args);
    expect(notes.model.parentsOf("root")).toEqual(["box"]);
  });
});

describe("a clone", () => {
  test("is made by native, which refuses a cycle and a second one in the same place", async () => {
    await using notes = await start("native");
    const clone = (noteId: string, parentNoteId: string) => notes.json("clone_note", { noteId, parentNoteId });
    expect(await clone("b", "box")).toMatchObject({ success: true });
    expect(notes.model.parentsOf("b")).toEqual(["a", "box"]);
    expect(await clone("b", "box")).toEqual({ error: 'Note "B" note already exists in the "BOX".' });
    expect(await clone("a", "c")).toEqual({ error: "Moving/cloning note here would create cycle." });
  });

  test("is made and removed by git, which deletes a note with its last parent", async () => {
    await using notes = await start("git");
    const cloned = await notes.json("organize_note", { action: "clone", noteId: "b", parentNoteId: "box" });
    expect(cloned).toMatchObject({ action: "clone", branch: { branchId: "box_b" } });
    await notes.json("organize_note", { action: "unlink", branchId: "a_b" });
    expect(notes.model.parentsOf("b")).toEqual(["box"]);
    await notes.json("organize_note", { action: "unlink", branchId: "box_b" });
    expect(notes.model.note("b")).toBeUndefined();
  });
});

describe("a protected note", () => {
  const locked = () => {
    const model = forest();
    model.add({ note_id: "secret", title: "Secret", content: "secret", is_protected: true });
    return model;
  };

  test("is not moved by native, accepts no other note, and has its title hidden", async () => {
    await using notes = await startNotes("native", { model: locked() });
    const error = "Note is protected and cannot be moved";
    expect(await notes.json("move_note", toMove("secret", "box"))).toEqual({ error });
    const taken = await notes.json("move_note", toMove("b", "secret"));
    expect(taken).toEqual({ error: "Cannot move note to a protected parent" });
    expect(await notes.json("get_note", { noteId: "secret" })).toMatchObject({ title: "[protected]" });
    const children = await notes.json("get_child_notes", { noteId: "root" });
    expect(children).toContainEqual(expect.objectContaining({ noteId: "secret", title: "[protected]" }));
  });

  test.each([
    { profile: "git", tool: "organize_note", args: toOrganize("secret", "box"), get: { include_content: false } },
    { profile: "npm", tool: "move_note", args: toMove("secret", "box"), get: { includeContent: false } },
  ] as const)("is moved by $profile, which marks it as protected", async ({ profile, tool, args, get }) => {
    await using notes = await startNotes(profile, { model: locked() });
    await notes.json(tool, args);
    expect(notes.model.parentsOf("secret")).toEqual(["box"]);
    const note = await notes.json("get_note", { noteId: "secret", ...get });
    expect(note).toMatchObject({ title: expect.stringMatching(/^[\w+/]{43}=$/), isProtected: true });
  });
});
