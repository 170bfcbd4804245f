// Reads on every notes server, over the real client: different tools, the same results.
import { describe, expect, test } from "vitest";
import type { NoteBrief, TreeNode } from "../../../capabilities/notes/notes-server.ts";
import type { NotesModel } from "../../simulators/notes/notes-model.ts";
import { openNotes, PROFILES } from "./open-notes.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `child${at}`);
const idsOf = (briefs: readonly NoteBrief[] | null): string[] | undefined =>
  briefs?.map(({ note_id }) => note_id).sort();

function plant(model: NotesModel): void {
  model.add({ note_id: "inbox", title: "Inbox" });
  model.add({ note_id: "archive", title: "Archive" });
  model.add({ note_id: "meeting1", title: "Meeting one", parents: ["inbox"], content: "first" });
  model.add({ note_id: "shown2x", title: "Shown twice", parents: ["inbox", "archive"] });
  model.add({ note_id: "script1", title: "Script", parents: ["archive"], type: "code", content: "<b>1 < 2</b>" });
  model.add({ note_id: "secret1", title: "Secret", parents: ["archive"], is_protected: true });
}

describe.each(PROFILES)("the notes server %s", (profile) => {
  const opened = async () => {
    const server = await openNotes(profile);
    plant(server.model);
    return Object.assign(server, { notes: await server.connect() });
  };

  test("returns a note with all its parents", async () => {
    await using server = await opened();
    const meeting = { note_id: "meeting1", title: "Meeting one", type: "text" };
    expect(await server.notes.note("meeting1")).toEqual({
      ...meeting,
      parent_note_ids: ["inbox"],
      is_protected: false,
    });
    expect((await server.notes.note("shown2x"))?.parent_note_ids.toSorted()).toEqual(["archive", "inbox"]);
    expect(await server.notes.note("root")).toMatchObject({ note_id: "root", parent_note_ids: [] });
  });

  test("marks a protected note", async () => {
    await using server = await opened();
    expect(await server.notes.note("secret1")).toMatchObject({ is_protected: true, parent_note_ids: ["archive"] });
  });

  test("returns null for a missing note", async () => {
    await using server = await opened();
    for (const read of [server.notes.note, server.notes.children, server.notes.content])
      expect(await read("nowhere1")).toBeNull();
    if (profile !== "npm") expect(await server.notes.tree?.("nowhere1", 2)).toBeNull();
  });

  test("lists all children, and an empty list for a note without children", async () => {
    await using server = await opened();
    const [first] =
      (await server.notes.children("inbox"))?.notes.toSorted((a, b) => (a.note_id < b.note_id ? -1 : 1)) ?? [];
    expect(first).toMatchObject({ note_id: "meeting1", title: "Meeting one", type: "text" });
    expect(idsOf((await server.notes.children("inbox"))?.notes ?? null)).toEqual(["meeting1", "shown2x"]);
    expect(await server.notes.children("meeting1")).toEqual({ notes: [], gaps: [] });
  });

  test.each([30, 200, 450])("lists %s children completely", async (count) => {
    await using server = await opened();
    for (const note_id of numbered(count)) server.model.add({ note_id, title: note_id, parents: ["meeting1"] });
    expect(idsOf((await server.notes.children("meeting1"))?.notes ?? null)).toEqual(numbered(count).sort());
    const further = profile === "git" && count > 200 ? ["get_note", "search_notes"] : [];
    expect(
      server
        .calls()
        .slice(1)
        .map(({ tool }) => tool),
    ).toEqual(further);
  });

  test.runIf(profile === "npm")("has no tool for a tree", async () => {
    await using server = await opened();
    expect(server.notes.tree).toBeNull();
  });

  test.runIf(profile !== "npm")("returns a tree in one call, and marks the notes whose children are cut", async () => {
    await using server = await opened();
    const read = (note_id: string, depth: number) => server.notes.tree?.(note_id, depth);
    const whole = await read("root", 5);
    const [inbox] = whole?.root.children ?? [];
    expect([whole?.root, inbox]).toMatchObject([
      { note_id: "root", is_cut: false },
      { note_id: "inbox", is_cut: false },
    ]);
    const within = (node: TreeNode): number => 1 + node.children.reduce((sum, child) => sum + within(child), 0);
    expect(whole && within(whole.root)).toBe(8);
    expect(await read("root", 1)).toMatchObject({
      root: { is_cut: false, children: [{ children: [], is_cut: true }, {}] },
    });
    const count = profile === "native" ? 30 : 450;
    for (const note_id of numbered(count)) server.model.add({ note_id, title: note_id, parents: ["meeting1"] });
    const cut = await read("meeting1", 5);
    expect(cut).toMatchObject({ root: { note_id: "meeting1", is_cut: true } });
    expect(cut?.root.children).toHaveLength(profile === "native" ? 10 : 200);
    expect(server.calls()).toHaveLength(3);
  });

  test("returns the content of a note, also when it is empty, and code unchanged", async () => {
    await using server = await opened();
    expect(await server.notes.content("meeting1")).toBe("first");
    expect(await server.notes.content("inbox")).toBe("");
    expect(await server.notes.content("script1")).toBe("<b>1 < 2</b>");
  });

  test("does not return protected content", async () => {
    await using server = await opened();
    await expect(server.notes.content("secret1")).rejects.toMatchObject({ name: "NotesFault" });
  });
});

describe.each(PROFILES)("a search on the notes server %s", (profile) => {
  const HOSTILE = [
    "#label",
    "note.title = x",
    "note.title orderBy note.title",
    "cats or dogs",
    "it's (1), 50%",
    'say "x"',
  ];
  /** For npm without backslashes, which it reads as escapes in a criterion. */
  const titles = profile === "npm" ? HOSTILE : [...HOSTILE, "back\\slash", 'a\\" or #x'];

  test.each(titles)("finds a note with the title %s, and no other", async (title) => {
    await using server = await openNotes(profile);
    const notes = await server.connect();
    server.model.add({ note_id: "wanted12", title });
    for (const other of ["label", "x", "cats", "dogs", "it's", "1", "say", "slash", "Inbox"]) {
      server.model.add({ note_id: `other-${other}`, title: other });
    }
    const end = await notes.search({ title, ancestor_note_id: null, limit: 50 });
    expect(end).toMatchObject({ found: [{ note_id: "wanted12", title }], truncated: false });
  });

  test("finds only notes below the given one, and marks a result above the limit as truncated", async () => {
    await using server = await openNotes(profile);
    const notes = await server.connect();
    server.model.add({ note_id: "here", title: "Here" });
    for (const note_id of numbered(6)) server.model.add({ note_id, title: `Meeting ${note_id}`, parents: ["here"] });
    server.model.add({ note_id: "elsewhere", title: "Meeting elsewhere" });
    const query = { title: "meeting", ancestor_note_id: "here" };
    const all = await notes.search({ ...query, limit: 6 });
    expect(idsOf(all.found)).toEqual(numbered(6));
    expect(all.truncated).toBe(false);
    const some = await notes.search({ ...query, limit: 5 });
    expect(some.found).toHaveLength(5);
    expect(some.truncated).toBe(true);
    expect((await notes.search({ ...query, ancestor_note_id: null, limit: 50 })).found).toHaveLength(7);
  });

  test.runIf(profile !== "npm")("finds a note whose title is part of many others and a type of note", async () => {
    await using server = await openNotes(profile);
    const notes = await server.connect();
    for (const note_id of numbered(300)) server.model.add({ note_id, title: `Text of ${note_id}` });
    server.model.add({ note_id: "wanted12", title: "Text" });
    const end = await notes.search({ title: "Text", ancestor_note_id: null, limit: 5 });
    expect(end).toMatchObject({ found: [{ note_id: "wanted12" }], truncated: false });
  });

  test("finds nothing for an unknown title", async () => {
    await using server = await openNotes(profile);
    const notes = await server.connect();
    const end = await notes.search({ title: "no such title", ancestor_note_id: null, limit: 5 });
    expect(end).toEqual({ found: [], truncated: false });
  });
});
