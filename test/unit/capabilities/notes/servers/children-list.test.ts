import { describe, expect, test } from "vitest";
import type { ContentChange } from "../../../../../capabilities/notes/notes-server.ts";
import { createChildrenListServer } from "../../../../../capabilities/notes/servers/children-list.ts";
import { canned, fails, says } from "./canned.ts";

const row = (noteId: string) => ({ noteId, title: noteId.toUpperCase(), type: "text", mime: "text/html" });
const brief = (note_id: string) => ({ note_id, title: note_id.toUpperCase(), type: "text" });
const meta = (noteId: string, more: object = {}) => ({
  ...row(noteId),
  isProtected: false,
  blobId: `blob-${noteId}`,
  parentNoteIds: ["r"],
  childNoteIds: [],
  ...more,
});
const list = (ids: readonly string[], more: object = {}) => ({
  parentNoteId: "r",
  totalChildCount: ids.length,
  fetchedCount: ids.length,
  failedCount: 0,
  children: ids.map(row),
  ...more,
});
const MISSING = fails("MCP error -32602: Request failed with status code 404", false);

describe("the children", () => {
  test.each([
    ["fetched fewer than there are", list(["a", "b"], { totalChildCount: 3 }), "incomplete", "only 2 of 3"],
    ["gives fewer than it says", list(["a"], { totalChildCount: 2, fetchedCount: 2 }), "incomplete", "only 1 of 2"],
    ["gives all and fetched fewer", list(["a", "b"], { fetchedCount: 1 }), "incomplete", "only 1 of 2"],
    ["lists a note twice", list(["a", "a"]), "unreadable", "the note a twice"],
    ["lists the children of another note", list(["a"], { parentNoteId: "x" }), "unreadable", "of x, not of r"],
    ["does not say whose children they are", list(["a"], { parentNoteId: undefined }), "unreadable", "parentNoteId"],
    ["does not say how many there are", list(["a"], { totalChildCount: undefined }), "unreadable", "totalChildCount"],
    ["has no list", list([], { children: undefined }), "unreadable", "children"],
  ])("are a fault when the server %s", async (_what, reply, code, words) => {
    const { call } = canned({ list_children_notes: says(reply) });
    await expect(createChildrenListServer(call).children("r")).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
  });

  test("are null for a note that is not there, though the server lists none", async () => {
    const { call } = canned({ list_children_notes: says(list([])), get_note: [says(meta("r")), MISSING] });
    const server = createChildrenListServer(call);
    expect(await server.children("r")).toEqual({ notes: [], gaps: [] });
    expect(await server.children("r")).toBeNull();
  });
});

test.each([
  "MCP error -32602: Request failed with status code 404",
  "Request failed with status code 404",
  "MCP error -32603: Note a not found",
  "Note 'a' not found.",
])("a note of which %s is said is null", async (words) => {
  const server = createChildrenListServer(canned({ get_note: fails(words, false) }).call);
  expect([await server.note("a"), await server.content("a")]).toEqual([null, null]);
});

test.each([
  ["MCP error -32602: Request failed with status code 401", "token_refused"],
  ["MCP error -32603: Maximum call stack size exceeded", "refused"],
  ["MCP error -32601: Tool get_note not found", "refused"],
  ["Note b not found", "unreachable"],
  ["HTTP 404 Not Found", "unreachable"],
  ["Request failed with status code 404 at the gateway", "unreachable"],
])("%s is not said of the note a", async (words, code) => {
  const { call } = canned({ get_note: fails(words, false) });
  await expect(createChildrenListServer(call).note("a")).rejects.toMatchObject({ code });
});

test("a search is by criteria, which a title cannot leave", async () => {
  const { call, sent } = canned({ search_notes: says([row("a"), row("b"), row("c")]) });
  const query = { title: "a\\' or note.title != '", ancestor_note_id: "r", limit: 2 };
  const end = await createChildrenListServer(call).search(query);
  expect(end).toEqual({ found: ["a", "b"].map((id) => ({ ...brief(id), parent_title: null })), truncated: true });
  const is = { type: "noteProperty", logic: "AND" };
  const searchCriteria = [
    { ...is, property: "title", op: "contains", value: "a\\\\' or note.title != '" },
    { ...is, property: "ancestors.noteId", op: "=", value: "r" },
  ];
  expect(sent).toEqual([{ tool: "search_notes", args: { searchCriteria, limit: 3 } }]);
});

test("a search that answers in words is a fault", async () => {
  const { call } = canned({ search_notes: says('\n--- Query Debug ---\n[{"noteId":"a"}]') });
  const search = createChildrenListServer(call).search({ title: "x", ancestor_note_id: null, limit: 2 });
  await expect(search).rejects.toMatchObject({ code: "unreadable" });
});

describe("content", () => {
  test.each([
    ["as it is stored", { content: "<p>One &amp; <b>two</b></p>" }, "<p>One &amp; <b>two</b></p>"],
    ["as empty when only its hash is given", { contentHash: "h" }, ""],
  ])("is read %s", async (_what, more, content) => {
    const { call, sent } = canned({ get_note: says(meta("a", more)) });
    expect(await createChildrenListServer(call).content("a")).toBe(content);
    expect(sent[0]?.args).toEqual({ noteId: "a", includeContent: true });
  });

  test.each([
    ["of a file", { type: "file", contentHash: "h" }],
    ["without a hash", {}],
    ["that is no text", { content: { html: "" } }],
  ])("%s that is not given is a fault", async (_what, more) => {
    const { call } = canned({ get_note: says(meta("a", more)) });
    await expect(createChildrenListServer(call).content("a")).rejects.toMatchObject({ code: "unreadable" });
  });
});

describe("content with the hash of what is there", () => {
  const change = { note_id: "a", type: "text", mode: "append", content: "new", over: "seen", only_over: true } as const;
  const held = (over: object = {}) => says(meta("a", { type: "code", content: "seen", ...over }));
  const written = (ready: Parameters<typeof canned>[0], over: Partial<ContentChange> = {}) => {
    const { call, sent } = canned(ready);
    const end = createChildrenListServer(call).setContent({ ...change, ...over });
    return { end, sent, updates: () => sent.filter(({ tool }) => tool === "update_note").map(({ args }) => args) };
  };

  test.each([
    ["is refused", fails("MCP error -32602: Request failed with status code 409", false), "refused"],
    ["is not taken for its kind of note", says("CONTENT_VALIDATION_ERROR: must be empty"), "refused"],
    ["has no answer", fails("lost; CONFLICT", "unknown"), "unknown"],
    ["is confirmed for another note", says("Note ab updated successfully"), "unknown"],
    ["is confirmed in other words", says("Updated."), "unknown"],
    ["is answered by nothing", says(), "unknown"],
  ])("is sent once when it %s", async (_what, answer, is) => {
    const { end, updates } = written({ get_note: held(), update_note: answer });
    expect(await end).toMatchObject({ is });
    expect(updates()).toHaveLength(1);
  });

  test.each([
    ["the note is not there", MISSING, "there is no note a"],
    ["the note cannot be read", fails("lost", "unknown"), "nothing was written: get_note: lost"],
    ["there is no hash", held({ blobId: undefined }), "no blobId"],
  ])("is not written when %s", async (_what, answer, words) => {
    const { end, updates } = written({ get_note: answer });
    expect(await end).toEqual({ is: "refused", message: expect.stringContaining(words) });
    expect(updates()).toEqual([]);
  });

  test("begins a new line in a note of code, with all that was there, because the server takes away the line's beginning", async () => {
    const ready = { get_note: held(), update_note: says("Note a updated successfully") };
    const { end, updates } = written(ready, { type: "code" });
    expect(await end).toMatchObject({ is: "done" });
    expect(updates()).toMatchObject([{ mode: "overwrite", content: "seen\nnew", expectedHash: "blob-a" }]);
  });

  test.each([
    ["after an empty line, also where that has tags or is indented", "\tif (a<b> c) {\n", "new"],
    ["to an empty note", "", "new"],
  ])("is appended to a note of code alone %s", async (_where, content, added) => {
    const ready = { get_note: held({ content }), update_note: says("Note a updated successfully") };
    const { end, updates } = written(ready, { type: "code", over: content });
    expect(await end).toMatchObject({ is: "done" });
    expect(updates()).toMatchObject([{ mode: "append", content: added }]);
  });

  test.each([
    ["append", "new", "\tkey: 1"],
    ["append", "new", "<b>x</b>"],
    ["append", "new", "a &amp; b"],
    ["append", "  new", ""],
    ["append", "\n\nnew", "\tkey: 1\n"],
    ["replace", "\tnew: 1", "old"],
  ] as const)(
    "is not sent to %s %j where the server would change other lines of the code %j",
    async (mode, content, over) => {
      const { end, updates } = written({ get_note: held({ content: over }) }, { type: "code", mode, content, over });
      expect(await end).toMatchObject({
        is: "refused",
        message: expect.stringContaining("end the note with an empty"),
      });
      expect(updates()).toEqual([]);
    },
  );

  test.each([
    ["again when it may follow another writer's words", false, 3],
    ["once when it must follow what was read", true, 1],
  ])("is sent %s, after a conflict", async (_how, only_over, times) => {
    const conflict = says("CONFLICT: Note has been modified by another user.");
    const done = says("Note a updated successfully");
    const ready = { get_note: [held(), held(), held()], update_note: [conflict, conflict, done] };
    const { end, updates } = written(ready, { only_over });
    expect(await end).toMatchObject({ is: only_over ? "refused" : "done" });
    expect(updates()).toHaveLength(times);
  });
});
