import { expect, test } from "vitest";
import { createSubtreeServer } from "../../../../../capabilities/notes/servers/subtree.ts";
import { canned, fails, says } from "./canned.ts";

const child = (noteId: string) => ({ noteId, title: noteId.toUpperCase(), type: "text", childCount: 0 });
const brief = (note_id: string) => ({ note_id, title: note_id.toUpperCase(), type: "text" });
const META = { noteId: "a", title: "A", type: "text", mime: "text/html", parentNoteIds: ["p"], attributes: {} };

test("a tree of another note is a fault", async () => {
  const { call } = canned({ get_subtree: says(child("x")) });
  await expect(createSubtreeServer(call).tree("r", 5)).rejects.toMatchObject({ code: "unreadable" });
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

test.each([
  ["no parents", { ...META, parentNoteIds: undefined }],
  ["parents that are no list", { ...META, parentNoteIds: "p" }],
  ["a parent that is no id", { ...META, parentNoteIds: [null] }],
  ["a word for whether it is protected", { ...META, isProtected: "yes" }],
])("a note with %s is a fault, and never one without parents", async (_what, reply) => {
  const { call } = canned({ get_note: says(reply) });
  await expect(createSubtreeServer(call).note("a")).rejects.toMatchObject({ code: "unreadable" });
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
