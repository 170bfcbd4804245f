// What each kind of notes server is asked, and what is made of its answers, also of wrong ones.
import { describe, expect, test } from "vitest";
import type { ContentChange, NotesServer } from "../../../../../capabilities/notes/notes-server.ts";
import { createChildrenListServer } from "../../../../../capabilities/notes/servers/children-list.ts";
import { createOrganizerServer } from "../../../../../capabilities/notes/servers/organizer.ts";
import { createSubtreeServer } from "../../../../../capabilities/notes/servers/subtree.ts";
import { canned, fails, says } from "./canned.ts";

type Ready = Parameters<typeof canned>[0];
type Create = (call: ReturnType<typeof canned>["call"]) => NotesServer;
const SUBTREE: Create = createSubtreeServer;
const ORGANIZER: Create = createOrganizerServer;
const LIST: Create = createChildrenListServer;

const brief = (note_id: string) => ({ note_id, title: note_id.toUpperCase(), type: "text" });
const counted = (note_id: string) => ({ ...brief(note_id), child_count: 0 });
const node = (noteId: string, more: object = {}) => ({
  noteId,
  title: noteId.toUpperCase(),
  type: "text",
  childCount: 0,
  childBranchIds: [],
  ...more,
});
const meta = (noteId: string, more: object = {}) => ({
  ...node(noteId),
  isProtected: false,
  blobId: `blob-${noteId}`,
  parentNoteIds: ["r"],
  ...more,
});
const list = (ids: readonly string[], more: object = {}) => ({
  parentNoteId: "r",
  totalChildCount: ids.length,
  fetchedCount: ids.length,
  failedCount: 0,
  children: ids.map((id) => node(id)),
  ...more,
});
const note = { note: (server: NotesServer) => server.note("a") };
const children = { children: (server: NotesServer) => server.children("r") };
const content = { content: (server: NotesServer) => server.content("a") };
const search = { search: (server: NotesServer) => server.search({ title: "x", ancestor_note_id: null, limit: 2 }) };
const tree = { tree: (server: NotesServer) => server.tree?.("r", 5) ?? Promise.resolve() };
const info = (truncated: boolean, more: object = {}) => ({ ...meta("a"), contentInfo: { truncated, ...more } });

type Read = { readonly [name: string]: (server: NotesServer) => Promise<unknown> };
type Fault = readonly [what: string, ready: unknown, read: Read, code: string, words?: string];

const TOOLS = new Map<Create, Record<string, string>>([
  [SUBTREE, { note: "get_note", children: "get_child_notes", search: "search_notes", tree: "get_subtree" }],
  [LIST, { note: "get_note", children: "list_children_notes", content: "get_note", search: "search_notes" }],
  [ORGANIZER, { note: "get_note", children: "get_note_tree", content: "get_note" }],
]);

const faults = (name: string, create: Create, rows: readonly Fault[]) =>
  test.each<[string, unknown, Read, string, string?]>(rows.map((row) => [...row]))(
    `${name}: %s is a fault, and no missing note`,
    async (_, answer, read, code, words = "") => {
      const isReady = typeof answer === "object" && answer !== null && "ok" in answer;
      const ready = isReady ? (answer as ReturnType<typeof says>) : says(answer);
      for (const [kind, ask] of Object.entries(read)) {
        const { call } = canned({ [TOOLS.get(create)?.[kind] ?? ""]: ready });
        const fault = { code, message: expect.stringContaining(words) };
        await expect(ask(create(call))).rejects.toMatchObject(fault);
      }
    },
  );

faults("subtree", SUBTREE, [
  ["a tree of another note", node("x"), tree, "unreadable"],
  ["a child twice", [node("a"), node("a")], children, "unreadable"],
  ["a child without an id", [node("a"), node("")], children, "unreadable"],
  ["a child without a title", [{ noteId: "a", type: "text" }], children, "unreadable"],
  ["no list of children", { children: [node("a")] }, children, "unreadable"],
  ["a note without parents", meta("a", { parentNoteIds: undefined }), note, "unreadable"],
  ["a note with parents that are no list", meta("a", { parentNoteIds: "p" }), note, "unreadable"],
  ["a note with a parent that is no id", meta("a", { parentNoteIds: [null] }), note, "unreadable"],
  ["a note with a text as isProtected", meta("a", { isProtected: "yes" }), note, "unreadable"],
  ["a search without a total", { results: [node("a")] }, search, "unreadable"],
  ...["Target parent note not found", "Note not found in cache", "Tool get_note not found", "HTTP 404 Not Found"].map(
    (words): Fault => [words, fails(words), note, "refused", `get_note: ${words}`],
  ),
]);

faults("children_list", LIST, [
  ["fewer children than there are", list(["a", "b"], { totalChildCount: 3 }), children, "incomplete", "only 2 of 3"],
  ["fewer than it says", list(["a"], { totalChildCount: 2, fetchedCount: 2 }), children, "incomplete", "only 1 of 2"],
  ["all of which fewer were fetched", list(["a", "b"], { fetchedCount: 1 }), children, "incomplete", "only 1 of 2"],
  ["a child twice", list(["a", "a"]), children, "unreadable", "the note a twice"],
  ["the children of another note", list(["a"], { parentNoteId: "x" }), children, "unreadable", "of x, not of r"],
  ["children of an unknown note", list(["a"], { parentNoteId: undefined }), children, "unreadable", "parentNoteId"],
  [
    "children without their number",
    list([], { totalChildCount: undefined }),
    children,
    "unreadable",
    "totalChildCount",
  ],
  ["no list of children", list([], { children: undefined }), children, "unreadable", "children"],
  [
    "a token that is refused",
    fails("MCP error -32602: Request failed with status code 401", false),
    note,
    "token_refused",
  ],
  ["a stack that is too deep", fails("MCP error -32603: Maximum call stack size exceeded", false), note, "refused"],
  ["a missing tool", fails("MCP error -32601: Tool get_note not found", false), note, "refused"],
  ["another note that is missing", fails("Note b not found", false), note, "unreachable"],
  ["a gateway's 404", fails("Request failed with status code 404 at the gateway", false), note, "unreachable"],
  ["a search answered in words", says('\n--- Query Debug ---\n[{"noteId":"a"}]'), search, "unreadable"],
  ["the content of a file", meta("a", { type: "file", contentHash: "h" }), content, "unreadable"],
  ["content without a hash", meta("a"), content, "unreadable"],
  ["content that is no text", meta("a", { content: { html: "" } }), content, "unreadable"],
]);

faults("organizer", ORGANIZER, [
  ["no count of children", node("r", { childCount: undefined, children: [] }), children, "unreadable"],
  ["a child twice", node("r", { childCount: 2, children: [node("a"), node("a")] }), children, "unreadable"],
  ["the children of another note", node("x", { children: [] }), children, "unreadable"],
  ["a note without parents", meta("a", { parentNoteIds: undefined }), note, "unreadable"],
  ...["**Error**: Note 'b' not found.", "Note 'a' not found.", "**Error**: Branch 'a' not found.", "Unknown tool"].map(
    (words): Fault => [words, fails(words), note, "refused"],
  ),
  ["content cut off without a word on where", says(info(true), "half"), content, "incomplete"],
  ["another part of it", says(info(true, { returnedStart: 9, returnedEnd: 12 }), "half"), content, "incomplete"],
  ["an empty part of it", says(info(true, { returnedStart: 0, returnedEnd: 0 }), "half"), content, "unreadable"],
  ["no content", says(info(false)), content, "unreadable"],
  ["content with a third text", says(info(false), "x", "y"), content, "unreadable"],
  ["the content of another note", says({ ...info(false), noteId: "b" }, "x"), content, "unreadable"],
  ["content without metadata", says("just text"), content, "unreadable"],
  ["an error in place of content", says({ error: "no" }), content, "refused"],
]);

test.each([
  "MCP error -32602: Request failed with status code 404",
  "Request failed with status code 404",
  "MCP error -32603: Note a not found",
  "Note 'a' not found.",
])("children_list: a note of which %s is said is null", async (words) => {
  const server = LIST(canned({ get_note: fails(words, false) }).call);
  expect([await server.note("a"), await server.content("a")]).toEqual([null, null]);
});

const MISSING = fails("MCP error -32602: Request failed with status code 404", false);
const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
const SHORT = node("r", { childCount: 3, truncated: true, children: [node("a"), { noteId: "b", error: "HTTP 500" }] });
const noteByNote = (third: ReturnType<typeof says>, childNoteIds?: string[]): Ready => ({
  get_note_tree: says(SHORT),
  get_note: ({ noteId }) => (noteId === "r" ? says(meta("r", { childNoteIds })) : third),
});
const manyNotes = {
  get_note_tree: says(node("r", { childCount: 40, truncated: true, children: ids.slice(0, 10).map((id) => node(id)) })),
  get_note: ({ noteId }: { readonly [name: string]: unknown }) =>
    says(meta(String(noteId), { childNoteIds: noteId === "r" ? ["_hidden", ...ids] : [] })),
};

describe("the children", () => {
  test.each<[string, Create, Ready, object, string[], string?]>([
    [
      "with a gap where a synchronisation has left no title and no type",
      SUBTREE,
      { get_child_notes: says([node("a"), { noteId: "b", childCount: 0 }, node("c")]) },
      { notes: [counted("a"), counted("c")], gaps: ["b"] },
      ["get_child_notes"],
    ],
    [
      "in one call when the server shows as many as it counts",
      ORGANIZER,
      { get_note_tree: says(node("r", { childCount: 2, systemChildrenSkipped: 1, children: [node("a"), node("b")] })) },
      { notes: [counted("a"), counted("b")], gaps: [] },
      ["get_note_tree"],
    ],
    [
      "by a search where the tree does not show them, and the others one by one",
      ORGANIZER,
      {
        ...manyNotes,
        search_notes: says({
          results: [...ids.slice(12).map((id) => meta(id)), meta("n11", { parentNoteIds: ["x"] })],
        }),
      },
      { notes: ids.map((note_id) => expect.objectContaining({ note_id })), gaps: [] },
      ["get_note_tree", "get_note", "search_notes", "get_note", "get_note"],
    ],
    [
      "by the ids in the tree when it has them",
      ORGANIZER,
      {
        get_note_tree: says(node("r", { childCount: 2, children: [node("a")], childNoteIds: ["a", "b"] })),
        get_note: says(meta("b")),
      },
      { notes: [counted("a"), brief("b")], gaps: [] },
      ["get_note_tree", "get_note"],
    ],
    [
      "with system notes for a system note",
      ORGANIZER,
      {
        get_note_tree: says(node("_h", { childCount: 1, children: [], childNoteIds: ["_x"] })),
        get_note: says(meta("_x", { parentNoteIds: ["_h"] })),
      },
      { notes: [brief("_x")], gaps: [] },
      ["get_note_tree", "get_note"],
      "_h",
    ],
    [
      "with gaps where they are gone or cannot be read",
      ORGANIZER,
      noteByNote(fails("**Error**: Note 'c' not found.\n**Status**: 404 (NOTE_NOT_FOUND)"), ["a", "b", "c"]),
      { notes: [counted("a")], gaps: ["b", "c"] },
      ["get_note_tree", "get_note", "get_note"],
    ],
  ])("are read %s", async (_, create, ready, wanted, tools, of = "r") => {
    const { call, tools: asked } = canned(ready);
    expect(await create(call).children(of)).toEqual(wanted);
    expect(asked()).toEqual(tools);
  });

  test.each([
    ["one has moved away", noteByNote(says(meta("c", { parentNoteIds: ["q"] })), ["a", "b", "c"]), "only 1 of 2"],
    ["the ids of the rest are unknown", noteByNote(MISSING), "only 1 of 3"],
  ])("organizer: are a fault when %s", async (_what, ready, words) => {
    const fault = { code: "incomplete", message: expect.stringContaining(words) };
    await expect(ORGANIZER(canned(ready).call).children("r")).rejects.toMatchObject(fault);
  });

  test("organizer: that neither the tree nor a search shows are read one by one, at most sixteen at a time", async () => {
    let under_way = 0;
    let most = 0;
    const { call, sent } = canned({ ...manyNotes, search_notes: fails("**Error**: HTTP 500") });
    const slow: typeof call = async (tool, args) => {
      under_way += 1;
      most = Math.max(most, under_way);
      await new Promise((done) => setTimeout(done, 1));
      under_way -= 1;
      return call(tool, args);
    };
    expect(await ORGANIZER(slow).children("r")).toEqual({
      notes: [...ids.slice(0, 10).map(counted), ...ids.slice(10).map(brief)],
      gaps: [],
    });
    expect([most, sent.length]).toEqual([16, 1 + 1 + 1 + 30]);
    const single = sent.filter(({ tool }) => tool === "get_note");
    expect(single.filter(({ args }) => args["include_content"] !== false)).toEqual([]);
  });

  test("organizer: are a fault when one cannot be read, and no further read starts", async () => {
    const many = Array.from({ length: 100 }, (_, at) => `n${at}`);
    const { call, sent } = canned({
      get_note_tree: says(node("r", { childCount: 100, children: [], childNoteIds: many })),
      search_notes: says({ results: [] }),
      get_note: fails("**Error**: HTTP 500"),
    });
    await expect(ORGANIZER(call).children("r")).rejects.toMatchObject({ code: "refused" });
    await new Promise((done) => setTimeout(done, 5));
    expect(sent.length).toBeLessThan(20);
  });

  test("children_list: are null for a note that is not there, though the server lists none", async () => {
    const server = LIST(canned({ list_children_notes: says(list([])), get_note: [says(meta("r")), MISSING] }).call);
    expect([await server.children("r"), await server.children("r")]).toEqual([{ notes: [], gaps: [] }, null]);
  });
});

describe("a search", () => {
  const fast = { fastSearch: true, includeArchivedNotes: true };
  const whole = { query: 'note.title %= "^Meeting #1$"', ...fast };
  const hit = { ...node("a"), parentTitle: "Inbox", contentPreview: "…" };
  const found = [{ ...brief("a"), parent_title: "Inbox" }];
  const criterion = { type: "noteProperty", logic: "AND" };
  const two = ["a", "b"].map((id) => ({ ...brief(id), parent_title: null }));
  const three = ["a", "b", "c"].map((id) => meta(id));

  test.each<[string, Create, Ready[string], string, string | null, object, object[]]>([
    [
      "subtree: asks for the whole title, archived notes included, up to the limit",
      SUBTREE,
      says({ totalResults: 7, results: [hit] }),
      "Meeting #1",
      "r",
      { found, truncated: true },
      [{ ...whole, limit: 2, ancestorNoteId: "r" }],
    ],
    [
      "subtree: continues with a phrase where no note has the title",
      SUBTREE,
      [says({ totalResults: 0, results: [] }), says({ totalResults: 1, results: [hit] })],
      "Meeting #1",
      null,
      { found, truncated: false },
      [
        { ...whole, limit: 2 },
        { ...whole, query: '"Meeting #1"', limit: 2 },
      ],
    ],
    [
      "subtree: is truncated only at the limit, where the total is below the number of results",
      SUBTREE,
      says({ totalResults: 0, results: three.slice(0, 2) }),
      "Meeting #1",
      null,
      { found: two, truncated: false },
      [{ ...whole, limit: 2 }],
    ],
    [
      "subtree: is truncated where there are more results than the limit",
      SUBTREE,
      says({ totalResults: 2, results: three }),
      "Meeting #1",
      null,
      { found: two, truncated: true },
      [{ ...whole, limit: 2 }],
    ],
    [
      "organizer: asks for one result more than wanted, because the server gives no total",
      ORGANIZER,
      says({ results: three }),
      "Meeting #1",
      null,
      { found: two, truncated: true },
      [{ ...whole, limit: 3 }],
    ],
    [
      "children_list: is by criteria, which a title cannot leave",
      LIST,
      says(three),
      "a\\' or note.title != '",
      "r",
      { found: two, truncated: true },
      [
        {
          searchCriteria: [
            { ...criterion, property: "title", op: "contains", value: "a\\\\' or note.title != '" },
            { ...criterion, property: "ancestors.noteId", op: "=", value: "r" },
          ],
          limit: 3,
        },
      ],
    ],
  ])("%s", async (_, create, ready, title, ancestor_note_id, wanted, args) => {
    const { call, sent } = canned({ search_notes: ready });
    expect(await create(call).search({ title, ancestor_note_id, limit: 2 })).toEqual(wanted);
    expect(sent).toEqual(args.map((one) => ({ tool: "search_notes", args: one })));
  });
});

describe("content", () => {
  const ERROR = '{"error":"x"}';
  const raw = { format: "html", include_content: true, includeImages: false, content_max_chars: 500_000 };
  const first = says(info(true, { returnedStart: 0, returnedEnd: 4 }), "half\n\n---\n**Content truncated:** more");
  const second = says(info(false, { returnedStart: 4, returnedEnd: 7 }), "way");
  const stored = "<p>One &amp; <b>two</b></p>";

  test.each<[string, Create, string, ReturnType<typeof says>[], string, object[]]>([
    ["subtree: as it is", SUBTREE, "get_note_content", [says({ noteId: "a", content: "# One" })], "# One", [{}]],
    ["subtree: empty", SUBTREE, "get_note_content", [says({ noteId: "a", content: "" })], "", [{}]],
    ["subtree: like an error", SUBTREE, "get_note_content", [says({ noteId: "a", content: ERROR })], ERROR, [{}]],
    [
      "children_list: stored",
      LIST,
      "get_note",
      [says(meta("a", { content: stored }))],
      stored,
      [{ includeContent: true }],
    ],
    [
      "children_list: a hash alone",
      LIST,
      "get_note",
      [says(meta("a", { contentHash: "h" }))],
      "",
      [{ includeContent: true }],
    ],
    [
      "organizer: after the metadata",
      ORGANIZER,
      "get_note",
      [says(info(false), ERROR)],
      ERROR,
      [{ ...raw, content_start: 0 }],
    ],
    ["organizer: empty", ORGANIZER, "get_note", [says(info(false), "")], "", [raw]],
    ["organizer: in the metadata", ORGANIZER, "get_note", [says(meta("a", { content: "x" }))], "x", [raw]],
    [
      "organizer: in parts",
      ORGANIZER,
      "get_note",
      [first, second],
      "halfway",
      [{ content_start: 0 }, { content_start: 4 }],
    ],
  ])("is read whole, without words about it: %s", async (_, create, tool, answers, wanted, args) => {
    const { call, sent } = canned({ [tool]: answers });
    expect(await create(call).content("a")).toBe(wanted);
    expect(sent).toMatchObject(args.map((one) => ({ tool, args: { noteId: "a", ...one } })));
  });

  test.each([
    ["replace", "text", "old", "new"],
    ["append", "text", "old", "new"],
    ["replace", "code", "old", "new"],
    ["append", "code", "old", "\nnew"],
    ["append", "code", "old\n", "new"],
    ["append", "mermaid", "", "new"],
  ] as const)("organizer: is written to %s in a %s note that says %j as %j", async (mode, type, over, text) => {
    const { call, sent } = canned({ write_note: says({ success: true, noteId: "a", mode, url: "http://x" }) });
    const change = { note_id: "a", type, mode, content: "new", over, only_over: false };
    expect(await ORGANIZER(call).setContent(change)).toEqual({ is: "done" });
    expect(sent).toEqual([{ tool: "write_note", args: { noteId: "a", mode, content: text, format: "html" } }]);
  });
});

describe("children_list: content with the hash of what is there", () => {
  const change = { note_id: "a", type: "text", mode: "append", content: "new", over: "seen", only_over: true } as const;
  const held = (over: object = {}) => says(meta("a", { type: "code", content: "seen", ...over }));
  const DONE = says("Note a updated successfully");
  const written = async (ready: Ready, over: Partial<ContentChange> = {}) => {
    const { call, sent } = canned(ready);
    const end = await LIST(call).setContent({ ...change, ...over });
    return { end, updates: sent.filter(({ tool }) => tool === "update_note").map(({ args }) => args) };
  };

  test.each([
    ["is refused", fails("MCP error -32602: Request failed with status code 409", false), "refused"],
    ["is not taken for its kind of note", says("CONTENT_VALIDATION_ERROR: must be empty"), "refused"],
    ["has no answer", fails("lost; CONFLICT", "unknown"), "unknown"],
    ["is confirmed for another note", says("Note ab updated successfully"), "unknown"],
    ["is confirmed in other words", says("Updated."), "unknown"],
    ["is answered by nothing", says(), "unknown"],
  ])("is sent once when it %s", async (_what, answer, is) => {
    const { end, updates } = await written({ get_note: held(), update_note: answer });
    expect([end.is, updates.length]).toEqual([is, 1]);
  });

  const CODE = "end the note with an empty";
  test.each<[string, ReturnType<typeof says>, string, Partial<ContentChange>?]>([
    ["the note is not there", MISSING, "there is no note a"],
    ["the note cannot be read", fails("lost", "unknown"), "nothing was written: get_note: lost"],
    ["there is no hash", held({ blobId: undefined }), "no blobId"],
    ...(
      [
        ["append", "new", "\tkey: 1"],
        ["append", "new", "<b>x</b>"],
        ["append", "new", "a &amp; b"],
        ["append", "  new", ""],
        ["append", "\n\nnew", "\tkey: 1\n"],
        ["replace", "\tnew: 1", "old"],
      ] as const
    ).map(([mode, text, over]): [string, ReturnType<typeof says>, string, Partial<ContentChange>] => [
      `the server would change other lines of the code, to ${mode} ${JSON.stringify([text, over])}`,
      held({ content: over }),
      CODE,
      { type: "code", mode, content: text, over },
    ]),
  ])("is not written when %s", async (_what, answer, words, over) => {
    const { end, updates } = await written({ get_note: answer }, over);
    expect([end, updates]).toMatchObject([{ is: "refused", message: expect.stringContaining(words) }, []]);
  });

  test.each([
    [
      "on a new line, with all that was there",
      "seen",
      { mode: "overwrite", content: "seen\nnew", expectedHash: "blob-a" },
    ],
    ["alone after an empty line, also where that has tags", "\tif (a<b> c) {\n", { mode: "append", content: "new" }],
    ["alone to an empty note", "", { mode: "append", content: "new" }],
  ])("is appended to a note of code %s", async (_where, over, sent) => {
    const { end, updates } = await written(
      { get_note: held({ content: over }), update_note: DONE },
      { type: "code", over },
    );
    expect([end, updates]).toMatchObject([{ is: "done" }, [sent]]);
  });

  test.each([
    ["again when it may follow another writer's words", false, 3],
    ["once when it must follow what was read", true, 1],
  ])("is sent %s, after a conflict", async (_how, only_over, times) => {
    const conflict = says("CONFLICT: Note has been modified by another user.");
    const ready = { get_note: [held(), held(), held()], update_note: [conflict, conflict, DONE] };
    const { end, updates } = await written(ready, { only_over });
    expect([end.is, updates.length]).toEqual([only_over ? "refused" : "done", times]);
  });
});
