import { expect, test } from "vitest";
import { createSubtreeServer } from "../../../../../capabilities/notes/servers/subtree.ts";
import { canned, fails, says } from "./canned.ts";

const child = (noteId: string) => ({ noteId, title: noteId.toUpperCase(), type: "text", childCount: 0 });
const brief = (note_id: string) => ({ note_id, title: note_id.toUpperCase(), type: "text" });
const META = { noteId: "a", title: "A", type: "text", mime: "text/html", parentNoteIds: ["p"], attributes: {} };

test("a tree of another note is a fault", async () => {
  const { call } = canned({ get_subtree: says(child("x")) });
  await expect(createSubtreeServer(call).tree?.("r", 5)).rejects.toMatchObject({ code: "unreadable" });
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

test("a child that a synchronisation has left without a title and a type is a gap among the others", async () => {
  const { call } = canned({ get_child_notes: says([child("a"), { noteId: "b", childCount: 0 }, child("c")]) });
  expect(await createSubtreeServer(call).children("r")).toEqual({
    notes: [brief("a"), brief("c")].map((one) => ({ ...one, child_count: 0 })),
    gaps: ["b"],
  });
});

test.each([
  ["no parents", { ...META, parentNoteIds: undefined }],
  ["parents that are no list", { ...META, parentNoteIds: "p" }],
  ["a parent that is no id", { ...META, parentNoteIds: [null] }],
  ["a text as isProtected", { ...META, isProtected: "yes" }],
])("a note with %s is a fault, not a note without parents", async (_what, reply) => {
  const { call } = canned({ get_note: says(reply) });
  await expect(createSubtreeServer(call).note("a")).rejects.toMatchObject({ code: "unreadable" });
});

test.each(["Target parent note not found", "Note not found in cache", "Tool get_note not found", "HTTP 404 Not Found"])(
  "%s does not mean that the note is missing",
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

test("a search asks for the whole title, archived notes included, up to the limit", async () => {
  const { call, sent } = canned({ search_notes: says({ totalResults: 7, results: [hit] }) });
  expect(await createSubtreeServer(call).search(wanted)).toEqual({ found, truncated: true });
  expect(sent).toEqual([asked('note.title %= "^Meeting #1$"')]);
});

test("a search that finds no note with the title continues with a phrase", async () => {
  const nothing = says({ totalResults: 0, results: [] });
  const { call, sent } = canned({ search_notes: [nothing, says({ totalResults: 1, results: [hit] })] });
  expect(await createSubtreeServer(call).search(wanted)).toEqual({ found, truncated: false });
  expect(sent).toEqual([asked('note.title %= "^Meeting #1$"'), asked('"Meeting #1"')]);
});

test.each([
  ["a total below the number of results", { totalResults: 0, results: [child("a"), child("b")] }, 5, false],
  ["more results than the limit", { totalResults: 2, results: [child("a"), child("b")] }, 1, true],
])("a search with %s is truncated only at the limit", async (_what, reply, limit, truncated) => {
  const { call, sent } = canned({ search_notes: says(reply) });
  const end = await createSubtreeServer(call).search({ title: "x", ancestor_note_id: null, limit });
  expect(end).toMatchObject({ truncated });
  expect(end.found.length).toBeLessThanOrEqual(limit);
  expect(sent[0]?.args).not.toHaveProperty("ancestorNoteId");
});

test("a search without a total is a fault, because it might be truncated", async () => {
  const { call } = canned({ search_notes: says({ results: [child("a")] }) });
  const search = createSubtreeServer(call).search({ title: "x", ancestor_note_id: null, limit: 5 });
  await expect(search).rejects.toMatchObject({ code: "unreadable" });
});

test("content is returned unchanged, also when it is empty or looks like an error", async () => {
  const contents = ["# One", "", '{"error":"x"}'];
  const { call } = canned({ get_note_content: contents.map((content) => says({ noteId: "a", content })) });
  const server = createSubtreeServer(call);
  for (const content of contents) expect(await server.content("a")).toBe(content);
});
