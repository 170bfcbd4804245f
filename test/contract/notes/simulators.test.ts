// What the three simulated notes servers do as the real ones were seen to do, where that is not what one would expect: each row is a
// call, what is answered, and what becomes of the notes.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { connectNotes, startNotes } from "../../support/notes/notes-client.ts";
import { PROFILES } from "./open-notes.ts";

type Profile = (typeof PROFILES)[number];

/** root > a > b > c, box, other; `clone` is under box and other, `secret` is protected. */
function forest() {
  const model = createNotesModel();
  for (const note_id of ["a", "box", "other", "_hidden"]) model.add({ note_id, title: note_id.toUpperCase() });
  model.add({ note_id: "b", title: "B", parents: ["a"] });
  model.add({ note_id: "c", title: "C", parents: ["b"], content: "<p>text</p>" });
  model.add({ note_id: "clone", title: "Clone", parents: ["box", "other"] });
  model.add({ note_id: "secret", title: "Secret", is_protected: true });
  model.add({ note_id: "script", title: "Script", type: "code", content: "one" });
  return model;
}

const start = (profile: Profile) => startNotes(profile, { model: forest() });
const move = (profile: Profile, noteId: string, newParentNoteId: string) =>
  profile === "git"
    ? ({ tool: "organize_note", args: { action: "move", noteId, newParentNoteId } } as const)
    : ({ tool: "move_note", args: { noteId, newParentNoteId } } as const);
const error = (words: string) => ({ error: expect.stringContaining(words) });
const CYCLE = error("would create cycle");

test.each<[Profile, string, string, object, string[] | null]>([
  ["native", "b", "a", { success: true }, ["a"]],
  ["npm", "b", "a", { message: "Note b is already a child of a. No move performed." }, ["a"]],
  ["git", "b", "a", { success: true }, null],
  ["native", "a", "c", CYCLE, ["root"]],
  ["native", "a", "a", CYCLE, ["root"]],
  ["npm", "a", "c", { newParentNoteId: "c" }, ["c"]],
  ["git", "a", "c", { success: true }, ["c"]],
  ["native", "clone", "a", { success: true }, ["other", "a"]],
  ["git", "clone", "a", { success: true }, ["other", "a"]],
  ["npm", "clone", "a", { requiresBranchId: true, branches: [{ branchId: "box_clone" }, {}] }, ["box", "other"]],
  ["native", "clone", "other", error('already exists in the "OTHER"'), ["box", "other"]],
  ["git", "clone", "other", { success: true }, ["other"]],
  ["npm", "clone", "other", { requiresBranchId: true }, ["box", "other"]],
  ["native", "b", "gone", error("Target parent note not found"), ["a"]],
  ["native", "root", "box", error("Cannot move system notes"), []],
  ["native", "_hidden", "box", error("Cannot move system notes"), ["root"]],
  ["npm", "root", "box", {}, ["box"]],
  ["git", "root", "box", {}, ["box"]],
  ["native", "secret", "box", error("protected"), ["root"]],
  ["native", "b", "secret", error("protected parent"), ["a"]],
  ["npm", "secret", "box", {}, ["box"]],
  ["git", "secret", "box", {}, ["box"]],
])("%s moves %s to %s, and answers %o: then it is under %j", async (profile, note_id, to, answer, parents) => {
  await using notes = await start(profile);
  const { tool, args } = move(profile, note_id, to);
  expect(await notes.json(tool, args)).toMatchObject(answer);
  if (parents === null) expect([notes.model.note("b"), notes.model.note("c")]).toEqual([undefined, undefined]);
  else expect(notes.model.parentsOf(note_id).filter((id) => id !== "none")).toEqual(parents);
});

test("npm moves the place that is named, and cannot read notes that are within themselves", async () => {
  await using notes = await start("npm");
  await notes.json("move_note", { noteId: "clone", newParentNoteId: "a", branchId: "other_clone" });
  expect(notes.model.parentsOf("clone")).toEqual(["box", "a"]);
  await notes.json("move_note", { noteId: "a", newParentNoteId: "c" });
  await expect(notes.json("get_note", { noteId: "b" })).rejects.toThrow("Maximum call stack size exceeded");
});

test("git removes a place, and deletes a note with its last one", async () => {
  await using notes = await start("git");
  await notes.json("organize_note", { action: "clone", noteId: "b", parentNoteId: "box" });
  for (const [branchId, parents] of [
    ["a_b", ["box"]],
    ["box_b", []],
  ] as const) {
    await notes.json("organize_note", { action: "unlink", branchId });
    expect(notes.model.parentsOf("b")).toEqual(parents);
  }
});

describe("content", () => {
  // Observed on version 0.103 of the application.
  test.each([
    ["- one\n- two", "*   one\n*   two", "the form of a list"],
    ["```bash\nls\n```", "```\nls\n```", "the name of a language that it does not know"],
    ["```sql\nSELECT 1\n```", "```mariadb\nSELECT 1\n```", "the name that it does not use"],
    ["```json\n1\n```", "```json\n1\n```", "nothing of a name that it knows"],
    ["&lt;b&gt; &copy;", "<b> ©", "entities"],
    ["<u>a</u> <kbd>b</kbd>", "a <kbd>b</kbd>", "tags without a form in Markdown"],
    ["a<!-- c --> b", "a b", "comments"],
    ["List<String> x", "List x", "tags that it does not know, which are words"],
    ["a <script>b</script> c", "a c", "scripts"],
    ["all\n\n# B\n\nof it", "all\n\nof it", "a heading that is the title of the note"],
    ["[w](https://e.org/A_(b))", "[w](https://e.org/A_\\(b\\))", "parentheses in an address"],
    ["[[wiki]]", '<a class="reference-link" href="/wiki">wiki</a>', "the form of a link to another note"],
    ["t[^1]\n\n[^1]: n", 't<sup><a href="#fn1">[1]</a></sup>\n\n1.  **[^](#fnref1)** n', "the form of footnotes"],
  ])("%j comes back from native as %j: it changes %s", async (content, shown) => {
    await using notes = await start("native");
    expect(await notes.json("set_note_content", { noteId: "b", content })).toMatchObject({ content: shown });
  });

  const update = async (notes: Awaited<ReturnType<typeof start>>, noteId: string, mode: string, content: string) => {
    const { blobId } = await notes.json("get_note", { noteId });
    return (await notes.ask("update_note", { noteId, expectedHash: blobId, mode, content })).texts[0];
  };

  // Observed on version 0.3.17 of the package.
  test.each([
    ["- a\n- b", "<p>- a\n- b</p>"],
    ["# Head", "<p># Head</p>"],
    ["## Deploy\n\nDone `now`.", "<p>## Deploy<p>Done <code>now</code>.</p></p>"],
    ["List<String> a<b>c", "List<String> a<b>c"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("that is Markdown is stored by npm as text or broken HTML: %j", async (content, stored) => {
    await using notes = await start("npm");
    await update(notes, "b", "overwrite", content);
    expect(notes.model.note("b")?.content.trim()).toBe(stored);
  });

  test("that is code loses the empty space around it on npm, may not look like HTML, and needs its current hash", async () => {
    await using notes = await start("npm");
    const stale = { noteId: "script", expectedHash: "stale", mode: "append", content: "x" };
    expect((await notes.ask("update_note", stale)).texts[0]).toMatch(/^CONFLICT: Note has been modified/);
    await update(notes, "script", "append", "\n\ttwo");
    expect(notes.model.note("script")?.content).toBe("onetwo");
    expect(await update(notes, "script", "append", "a<b>c")).toMatch(/^CONTENT_VALIDATION_ERROR/);
  });

  test("is a second text on git, and cut at the limit with words about the rest", async () => {
    await using notes = await start("git");
    const { texts } = await notes.ask("get_note", { noteId: "c", format: "markdown", content_max_chars: 2 });
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ contentInfo: { totalChars: 4, truncated: true } });
    expect(texts[1]).toMatch(/^te\n\n---\n\*\*Content truncated:/);
  });
});

test.each<[Profile, string, object, unknown]>([
  ["native", "search_notes", { query: "B" }, { totalResults: 2 }],
  ["native", "search_notes", { query: 'note.title %= "^B$"', fastSearch: true }, { results: [{ noteId: "b" }] }],
  ["native", "search_notes", { query: "#b" }, { totalResults: 0 }],
  ["git", "search_notes", { query: "clone elephants" }, { searchMode: "fuzzy", results: [{ noteId: "clone" }] }],
  ["npm", "search_notes", { text: "clone" }, [{ noteId: "clone" }]],
  ["npm", "list_children_notes", { noteId: "gone" }, { totalChildCount: 0, children: [] }],
  [
    "native",
    "get_subtree",
    { noteId: "root", depth: 1 },
    {
      children: expect.arrayContaining([
        expect.objectContaining({ children: "1 children not shown (depth limit reached)" }),
      ]),
    },
  ],
])("%s answers %s with %o as %o", async (profile, tool, args, answer) => {
  await using notes = await start(profile);
  expect(await notes.json(tool, args)).toMatchObject(answer as object);
});

describe.each(PROFILES)("%s", (profile) => {
  test("answers a handshake, loses the answer to a write once, and lets another come first", async () => {
    await using notes = await start(profile);
    const { tool, args } = move(profile, "b", "box");
    notes.switches.lose_reply_after_write = 1;
    await expect(notes.ask(tool, args)).rejects.toThrow("fetch failed");
    expect(notes.model.parentsOf("b")).toEqual(["box"]);
    notes.switches.before_write = () => notes.model.move({ note_id: "b", from: "box", to: "other" });
    await notes.json(tool, { ...args, newParentNoteId: "a" });
    expect(notes.model.parentsOf("b")).toEqual(["a"]);
    expect(notes.writes().map((call) => call.tool)).toEqual([tool, tool]);
  });
});

test("the command line starts a server with a small tree", async () => {
  const file = new URL("../../simulators/notes/serve.ts", import.meta.url);
  const child = execFile(process.execPath, [fileURLToPath(file), "--profile", "native"]);
  try {
    const printed = new Promise<string>((resolve) => child.stdout?.once("data", (data) => resolve(String(data))));
    await using notes = await connectNotes((await printed).trim());
    expect(await notes.json("get_child_notes", { noteId: "inbox" })).toHaveLength(12);
  } finally {
    child.kill();
  }
});
