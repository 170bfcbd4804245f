import { describe, expect, test } from "vitest";
import { createOrganizerServer } from "../../../../../capabilities/notes/servers/organizer.ts";
import { canned, fails, says } from "./canned.ts";

const node = (noteId: string, more: object = {}) => ({
  noteId,
  title: noteId.toUpperCase(),
  type: "text",
  childCount: 0,
  childBranchIds: [],
  ...more,
});
const brief = (note_id: string) => ({ note_id, title: note_id.toUpperCase(), type: "text" });
const counted = (note_id: string) => ({ ...brief(note_id), child_count: 0 });
const meta = (noteId: string, more: object = {}) => ({
  ...node(noteId),
  isProtected: false,
  parentNoteIds: ["r"],
  ...more,
});
const missing = (id: unknown) => fails(`**Error**: Note '${id}' not found.\n**Status**: 404 (NOTE_NOT_FOUND)`);

describe("the children", () => {
  test("take one call when the server shows as many as it counts", async () => {
    const reply = node("r", { childCount: 2, systemChildrenSkipped: 1, children: [node("a"), node("b")] });
    const { call, sent } = canned({ get_note_tree: says(reply) });
    expect(await createOrganizerServer(call).children("r")).toEqual({ notes: [counted("a"), counted("b")], gaps: [] });
    expect(sent).toEqual([{ tool: "get_note_tree", args: { noteId: "r", depth: 1 } }]);
  });

  test("that the server does not show are found by a search, and the others are read", async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
    const elsewhere = meta("n11", { parentNoteIds: ["x"] });
    const results = [...ids.slice(12).map((id) => meta(id)), elsewhere];
    const { call, tools } = canned({
      get_note_tree: says(node("r", { childCount: 40, children: ids.slice(0, 10).map((id) => node(id)) })),
      search_notes: says({ results }),
      get_note: ({ noteId }) => says(meta(String(noteId), { childNoteIds: noteId === "r" ? ids : [] })),
    });
    const children = await createOrganizerServer(call).children("r");
    expect(children?.notes.map(({ note_id }) => note_id)).toEqual(ids);
    expect(tools()).toEqual(["get_note_tree", "get_note", "search_notes", "get_note", "get_note"]);
  });

  test("that neither the tree nor a search shows are read one by one, at most sixteen at a time", async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
    let under_way = 0;
    let most = 0;
    const { call, tools } = canned({
      get_note_tree: says(
        node("r", { childCount: 40, truncated: true, children: ids.slice(0, 10).map((id) => node(id)) }),
      ),
      search_notes: fails("**Error**: HTTP 500"),
      get_note: ({ noteId, include_content }) => {
        expect(include_content).toBe(false);
        const childNoteIds = noteId === "r" ? ["_hidden", ...ids] : [];
        return says(meta(String(noteId), { childNoteIds }));
      },
    });
    const slow: typeof call = async (tool, args) => {
      under_way += 1;
      most = Math.max(most, under_way);
      await new Promise((done) => setTimeout(done, 1));
      under_way -= 1;
      return call(tool, args);
    };
    expect(await createOrganizerServer(slow).children("r")).toEqual({
      notes: [...ids.slice(0, 10).map(counted), ...ids.slice(10).map(brief)],
      gaps: [],
    });
    expect(most).toBe(16);
    expect(tools()).toHaveLength(1 + 1 + 1 + 30);
  });

  test("are read by the ids in the tree when it has them", async () => {
    const reply = node("r", { childCount: 2, children: [node("a")], childNoteIds: ["a", "b"] });
    const { call, sent } = canned({ get_note_tree: says(reply), get_note: says(meta("b")) });
    expect(await createOrganizerServer(call).children("r")).toEqual({ notes: [counted("a"), brief("b")], gaps: [] });
    expect(sent[1]?.args).toMatchObject({ noteId: "b" });
  });

  test("include system notes for a system note", async () => {
    const reply = node("_h", { childCount: 1, children: [], childNoteIds: ["_x"] });
    const { call } = canned({ get_note_tree: says(reply), get_note: says(meta("_x", { parentNoteIds: ["_h"] })) });
    expect(await createOrganizerServer(call).children("_h")).toEqual({ notes: [brief("_x")], gaps: [] });
  });

  const SHORT = node("r", {
    childCount: 3,
    truncated: true,
    children: [node("a"), { noteId: "b", error: "HTTP 500" }],
  });
  const withIds = (childNoteIds: string[] | undefined, third: ReturnType<typeof says>) =>
    canned({
      get_note_tree: says(SHORT),
      get_note: ({ noteId }) => (noteId === "r" ? says(meta("r", { childNoteIds })) : third),
    });

  test("that are gone or cannot be read are gaps", async () => {
    const { call } = withIds(["a", "b", "c"], missing("c"));
    expect(await createOrganizerServer(call).children("r")).toEqual({ notes: [counted("a")], gaps: ["b", "c"] });
  });

  test.each([
    ["one has moved away", ["a", "b", "c"], says(meta("c", { parentNoteIds: ["q"] })), "only 1 of 2"],
    ["the ids of the rest are unknown", undefined, missing("c"), "only 1 of 3"],
  ])("are a fault when %s", async (_what, childNoteIds, third, words) => {
    const { call } = withIds(childNoteIds, third);
    await expect(createOrganizerServer(call).children("r")).rejects.toMatchObject({
      code: "incomplete",
      message: expect.stringContaining(words),
    });
  });

  test("are a fault when one cannot be read, and no further read starts", async () => {
    const ids = Array.from({ length: 100 }, (_, at) => `n${at}`);
    const { call, sent } = canned({
      get_note_tree: says(node("r", { childCount: 100, children: [], childNoteIds: ids })),
      search_notes: says({ results: [] }),
      get_note: fails("**Error**: HTTP 500"),
    });
    await expect(createOrganizerServer(call).children("r")).rejects.toMatchObject({ code: "refused" });
    await new Promise((done) => setTimeout(done, 5));
    expect(sent.length).toBeLessThan(20);
  });

  test.each([
    ["no count", { ...node("r"), childCount: undefined, children: [] }],
    ["a child twice", node("r", { childCount: 2, children: [node("a"), node("a")] })],
    ["the children of another note", node("x", { children: [] })],
  ])("are a fault with %s", async (_what, reply) => {
    const { call } = canned({ get_note_tree: says(reply) });
    await expect(createOrganizerServer(call).children("r")).rejects.toMatchObject({ code: "unreadable" });
  });
});

test("a note without parentNoteIds is a fault, not a note without parents", async () => {
  const { call } = canned({ get_note: says({ ...meta("a"), parentNoteIds: undefined }) });
  await expect(createOrganizerServer(call).note("a")).rejects.toMatchObject({ code: "unreadable" });
});

test.each([
  "**Error**: Note 'b' not found.",
  "Note 'a' not found.",
  "**Error**: Branch 'a' not found.",
  "Unknown tool: get_note",
])("%s does not mean that the note a is missing", async (words) => {
  const { call } = canned({ get_note: fails(words) });
  await expect(createOrganizerServer(call).note("a")).rejects.toMatchObject({ code: "refused" });
});

test("a search asks for one result more than wanted, because the server gives no total", async () => {
  const { call, sent } = canned({ search_notes: says({ results: ["a", "b", "c"].map((id) => meta(id)) }) });
  const wanted = { title: "cats or dogs", ancestor_note_id: null, limit: 2 };
  const end = await createOrganizerServer(call).search(wanted);
  expect(end).toEqual({ found: ["a", "b"].map((id) => ({ ...brief(id), parent_title: null })), truncated: true });
  const query = 'note.title %= "^cats or dogs$"';
  expect(sent.map(({ args }) => args)).toEqual([{ query, fastSearch: true, includeArchivedNotes: true, limit: 3 }]);
});

describe("content", () => {
  const info = (truncated: boolean, more: object = {}) => ({ ...meta("a"), contentInfo: { truncated, ...more } });

  test("is requested as it is stored, and is the text after the metadata", async () => {
    const { call, sent } = canned({ get_note: [says(info(false), '{"error": 1}')] });
    expect(await createOrganizerServer(call).content("a")).toBe('{"error": 1}');
    const all = { include_content: true, includeImages: false, content_start: 0, content_max_chars: 500_000 };
    expect(sent).toEqual([{ tool: "get_note", args: { noteId: "a", format: "html", ...all } }]);
  });

  test("may be empty, and may be part of the metadata", async () => {
    const answers = [says(info(false), ""), says(meta("a", { content: "x" }))];
    const server = createOrganizerServer(canned({ get_note: answers }).call);
    expect(await server.content("a")).toBe("");
    expect(await server.content("a")).toBe("x");
  });

  test("that is long is read in parts, without the words about the rest", async () => {
    const first = says(info(true, { returnedStart: 0, returnedEnd: 4 }), "half\n\n---\n**Content truncated:** more");
    const second = says(info(false, { returnedStart: 4, returnedEnd: 7 }), "way");
    const { call, sent } = canned({ get_note: [first, second] });
    expect(await createOrganizerServer(call).content("a")).toBe("halfway");
    expect(sent.map(({ args }) => args["content_start"])).toEqual([0, 4]);
  });

  test.each([
    ["is cut off without a word on where", says(info(true), "half"), "incomplete"],
    ["is another part", says(info(true, { returnedStart: 9, returnedEnd: 12 }), "half"), "incomplete"],
    ["is an empty part", says(info(true, { returnedStart: 0, returnedEnd: 0 }), "half"), "unreadable"],
    ["is not there", says(info(false)), "unreadable"],
    ["comes with a third text", says(info(false), "x", "y"), "unreadable"],
    ["is that of another note", says({ ...info(false), noteId: "b" }, "x"), "unreadable"],
    ["comes without metadata", says("just text"), "unreadable"],
    ["is an error", says({ error: "no" }), "refused"],
  ])("is a fault when it %s", async (_what, answer, code) => {
    const { call } = canned({ get_note: [answer] });
    await expect(createOrganizerServer(call).content("a")).rejects.toMatchObject({ code });
  });
});

test.each([
  ["replace", "text", "old", "new"],
  ["append", "text", "old", "new"],
  ["replace", "code", "old", "new"],
  ["append", "code", "old", "\nnew"],
  ["append", "code", "old\n", "new"],
  ["append", "mermaid", "", "new"],
] as const)("content is written to %s in a %s note that says %j as %j", async (mode, type, over, content) => {
  const written = says({ success: true, noteId: "a", mode, url: "http://x" });
  const { call, sent } = canned({ write_note: written });
  const change = { note_id: "a", type, mode, content: "new", over, only_over: false };
  expect(await createOrganizerServer(call).setContent(change)).toEqual({ is: "done" });
  expect(sent).toEqual([{ tool: "write_note", args: { noteId: "a", mode, content, format: "html" } }]);
});
