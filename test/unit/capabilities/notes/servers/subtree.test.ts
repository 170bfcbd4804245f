import { expect, test } from "vitest";
import { createSubtreeServer } from "../../../../../capabilities/notes/servers/subtree.ts";
import { canned, fails, says } from "./canned.ts";

const child = (noteId: string) => ({ noteId, title: noteId.toUpperCase(), type: "text", childCount: 0 });
const brief = (note_id: string) => ({ note_id, title: note_id.toUpperCase(), type: "text" });
const META = { noteId: "a", title: "A", type: "text", mime: "text/html", parentNoteIds: ["p"], attributes: {} };

test("the tree is one call, with the depth that is asked for", async () => {
  const { call, sent } = canned({ get_subtree: says({ ...child("r"), children: [child("a")] }) });
  const tree = await createSubtreeServer(call).tree("r", 5);
  expect(tree).toEqual({ root: { ...brief("r"), children: [{ ...brief("a"), children: [] }] }, truncated: false });
  expect(sent).toEqual([{ tool: "get_subtree", args: { noteId: "r", depth: 5 } }]);
});

test("a tree of another note is a fault", async () => {
  const { call } = canned({ get_subtree: says(child("x")) });
  await expect(createSubtreeServer(call).tree("r", 5)).rejects.toMatchObject({ code: "unreadable" });
});

test("the children are one call, and complete", async () => {
  const { call, sent } = canned({ get_child_notes: says(["a", "b"].map(child)) });
  expect(await createSubtreeServer(call).children("r")).toEqual([brief("a"), brief("b")]);
  expect(sent).toEqual([{ tool: "get_child_notes", args: { noteId: "r" } }]);
});

test.each([
  ["a child twice", [child("a"), child("a")]],
  ["a child without an id", [child("a"), { ...child("b"), noteId: "" }]],
  ["a child without a title", [{ noteId: "a", type: "text" }]],
  ["no list", { children: [child("a")] }],
])("children are a fault with %s", async (_what, reply) => {
  const { call } = canned({ get_child_notes: says(reply) });
  await expect(createSubtreeServer(call).children("r")).rejects.toMatchObject({ code: "unreadable" });
});

test("a note has its parents, and says whether it is protected", async () => {
  const { call, sent } = canned({ get_note: [says(META), says({ ...META, isProtected: true })] });
  const server = createSubtreeServer(call);
  expect(await server.note("a")).toEqual({ ...brief("a"), parent_note_ids: ["p"], is_protected: false });
  expect(await server.note("a")).toMatchObject({ is_protected: true });
  expect(sent[0]).toEqual({ tool: "get_note", args: { noteId: "a" } });
});

test.each([
  ["no parents", { ...META, parentNoteIds: undefined }],
  ["parents that are no list", { ...META, parentNoteIds: "p" }],
  ["a parent that is no id", { ...META, parentNoteIds: [null] }],
  ["a word for whether it is protected", { ...META, isProtected: "yes" }],
])("a note with %s is a fault, and never one without parents", async (_what, reply) => {
  const { call } = canned({ get_note: says(reply) });
  await expect(createSubtreeServer(call).note("a")).rejects.toMatchObject({ code: "unreadable" });
});

test("a note that is not there is null, whatever is asked of it", async () => {
  const missing = fails("Note not found");
  const all = { get_subtree: missing, get_child_notes: missing, get_note: missing, get_note_content: missing };
  const server = createSubtreeServer(canned(all).call);
  expect([
    await server.tree("a", 1),
    await server.children("a"),
    await server.note("a"),
    await server.content("a"),
  ]).toEqual([null, null, null, null]);
});

test.each(["Target parent note not found", "Note not found in cache", "Tool get_note not found", "HTTP 404 Not Found"])(
  "%s is not said of the note",
  async (words) => {
    const { call } = canned({ get_note: fails(words) });
    await expect(createSubtreeServer(call).note("a")).rejects.toMatchObject({ message: `get_note: ${words}` });
  },
);

const hit = { ...child("a"), parentTitle: "Inbox", contentPreview: "…" };
const found = [{ ...brief("a"), parent_title: "Inbox" }];
const wanted = { title: "Meeting #1", ancestor_note_id: "r", limit: 5 };
const asked = (query: string) => ({
  tool: "search_notes",
  args: { query, fastSearch: true, includeArchivedNotes: true, limit: 5, ancestorNoteId: "r" },
});

test("a search is for the whole title, archived notes included, as many as are wanted", async () => {
  const { call, sent } = canned({ search_notes: says({ totalResults: 7, results: [hit] }) });
  expect(await createSubtreeServer(call).search(wanted)).toEqual({ found, truncated: true });
  expect(sent).toEqual([asked('note.title %= "^Meeting #1$"')]);
});

test("a search that finds nobody of the title is for a phrase", async () => {
  const nothing = says({ totalResults: 0, results: [] });
  const { call, sent } = canned({ search_notes: [nothing, says({ totalResults: 1, results: [hit] })] });
  expect(await createSubtreeServer(call).search(wanted)).toEqual({ found, truncated: false });
  expect(sent).toEqual([asked('note.title %= "^Meeting #1$"'), asked('"Meeting #1"')]);
});

test.each([
  ["a total below what is given", { totalResults: 0, results: [child("a"), child("b")] }, 5, false],
  ["more than was asked for", { totalResults: 2, results: [child("a"), child("b")] }, 1, true],
])("a search that gives %s is no less truncated", async (_what, reply, limit, truncated) => {
  const { call, sent } = canned({ search_notes: says(reply) });
  const end = await createSubtreeServer(call).search({ title: "x", ancestor_note_id: null, limit });
  expect(end).toMatchObject({ truncated });
  expect(end.found.length).toBeLessThanOrEqual(limit);
  expect(sent[0]?.args).not.toHaveProperty("ancestorNoteId");
});

test("a search without a total is a fault: it might be cut off", async () => {
  const { call } = canned({ search_notes: says({ results: [child("a")] }) });
  const search = createSubtreeServer(call).search({ title: "x", ancestor_note_id: null, limit: 5 });
  await expect(search).rejects.toMatchObject({ code: "unreadable" });
});

test("content comes as it is, also when it is empty or looks like an error", async () => {
  const contents = ["# One", "", '{"error":"x"}'];
  const { call } = canned({ get_note_content: contents.map((content) => says({ noteId: "a", content })) });
  const server = createSubtreeServer(call);
  for (const content of contents) expect(await server.content("a")).toBe(content);
});

test("a move is one call that names the note and its new parent", async () => {
  const reply = { success: true, noteId: "a", title: "A", newParentNoteId: "q", newParentTitle: "Q" };
  const { call, sent } = canned({ move_note: says(reply) });
  expect(await createSubtreeServer(call).move({ note_id: "a", from: "p", to: "q" })).toEqual({ is: "done" });
  expect(sent).toEqual([{ tool: "move_note", args: { noteId: "a", newParentNoteId: "q" } }]);
});

test.each([
  ["replace", "set_note_content"],
  ["append", "append_to_note"],
] as const)("one call makes content %s: %s", async (mode, tool) => {
  const { call, sent } = canned({ [tool]: says({ success: true, noteId: "a", title: "A", content: "new", over: "" }) });
  expect(await createSubtreeServer(call).setContent({ note_id: "a", mode, content: "new", over: "" })).toEqual({
    is: "done",
  });
  expect(sent).toEqual([{ tool, args: { noteId: "a", content: "new" } }]);
});

test("a write that was not done is told, and sent once", async () => {
  const { call, tools } = canned({ move_note: fails("lost", "unknown"), append_to_note: fails("Note is protected") });
  const server = createSubtreeServer(call);
  expect(await server.move({ note_id: "a", from: "p", to: "q" })).toMatchObject({ is: "unknown" });
  expect(await server.setContent({ note_id: "a", mode: "append", content: "x", over: "" })).toMatchObject({
    is: "refused",
  });
  expect(tools()).toEqual(["move_note", "append_to_note"]);
});
