// How the three simulated notes servers handle a missing note, read and write content, and search.
import { describe, expect, test } from "vitest";
import { createNotesModel } from "../../simulators/notes/notes-model.ts";
import { startNotes } from "../../support/notes/notes-client.ts";

function library() {
  const model = createNotesModel();
  model.add({ note_id: "box", title: "Box" });
  model.add({ note_id: "a", title: "Meeting on Monday", content: "<p>About the budget</p>", parents: ["box"] });
  model.add({ note_id: "b", title: "Budget", content: "", parents: ["box"] });
  model.add({ note_id: "c", title: "Monday", content: "no meeting" });
  model.add({ note_id: "secret", title: "Meeting in secret", content: "hidden", is_protected: true });
  return model;
}

const start = (profile: "native" | "git" | "npm") => startNotes(profile, { model: library() });
const idsOf = (found: readonly { noteId: string }[]): string[] => found.map(({ noteId }) => noteId);

describe("a missing note", () => {
  test("has no children on npm, without an error", async () => {
    await using notes = await start("npm");
    expect(await notes.json("list_children_notes", { noteId: "gone" })).toMatchObject({
      totalChildCount: 0,
      children: [],
    });
  });
});

describe("content", () => {
  test("is replaced and appended to as Markdown on native, which stores HTML and answers with its own Markdown", async () => {
    await using notes = await start("native");
    const one = { success: true, noteId: "b", title: "Budget", content: "*   one\n*   two" };
    expect(await notes.json("set_note_content", { noteId: "b", content: "- one\n- two\n" })).toEqual(one);
    const before = notes.model.note("b")?.content ?? "";
    expect(before).toContain("<li>one</li>");
    const content = "*   one\n*   two\n\nthree";
    expect(await notes.json("append_to_note", { noteId: "b", content: "three" })).toEqual({ ...one, content });
    expect(await notes.json("get_note_content", { noteId: "b" })).toEqual({ noteId: "b", content });
    expect(notes.model.note("b")?.content).toBe(`${before}<p>three</p>`);
  });

  test.each(["# Budget\n\nall of it", "all\n\n# Budget\n\nof it"])(
    "loses a heading that is the title of the note on native: %j",
    async (content) => {
      await using notes = await start("native");
      await notes.json("set_note_content", { noteId: "b", content });
      expect(notes.model.note("b")?.content).not.toContain("Budget");
      await notes.json("set_note_content", { noteId: "c", content });
      expect(notes.model.note("c")?.content).toContain("<h2>Budget</h2>");
    },
  );

  // Observed on version 0.103 of the application.
  test.each([
    ["```bash\nls\n```", "```\nls\n```", "the name of a language that it does not know"],
    ["```sql\nSELECT 1\n```", "```mariadb\nSELECT 1\n```", "the name that it does not use"],
    ["```json\n1\n```", "```json\n1\n```", "nothing of a name that it knows"],
    ["&lt;b&gt; &copy;", "<b> ©", "entities"],
    ["<u>a</u> <kbd>b</kbd>", "a <kbd>b</kbd>", "tags without a form in Markdown"],
    ["a<!-- c --> b", "a b", "comments"],
    ["List<String> x", "List x", "tags that it does not know, which are words"],
    ["a <script>b</script> c", "a c", "scripts"],
    ["[w](https://e.org/A_(b))", "[w](https://e.org/A_\\(b\\))", "parentheses in an address"],
    ["[[wiki]]", '<a class="reference-link" href="/wiki">wiki</a>', "the form of a link to another note"],
    ["t[^1]\n\n[^1]: n", 't<sup><a href="#fn1">[1]</a></sup>\n\n1.  **[^](#fnref1)** n', "the form of footnotes"],
  ])("%j comes back from native as %j: it changes %s", async (content, shown) => {
    await using notes = await start("native");
    expect(await notes.json("set_note_content", { noteId: "b", content })).toMatchObject({ content: shown });
  });

  // Observed on version 0.3.17 of the package.
  test.each([
    ["- a\n- b", "<p>- a\n- b</p>"],
    ["# Head", "<p># Head</p>"],
    ["| a | b |\n|---|---|", "<p>| a | b |\n|---|---|</p>"],
    ["## Deploy\n\nDone `now`.", "<p>## Deploy<p>Done <code>now</code>.</p></p>"],
    ["List<String> a<b>c", "List<String> a<b>c"],
    ["<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["<ul><li>a</li></ul>", "<ul><li>a</li></ul>"],
  ])("that is Markdown is stored by npm as text or broken HTML: %j", async (content, stored) => {
    await using notes = await start("npm");
    const { blobId } = await notes.json("get_note", { noteId: "b" });
    await notes.ask("update_note", { noteId: "b", expectedHash: blobId, mode: "overwrite", content });
    expect(notes.model.note("b")?.content.trim()).toBe(stored);
  });

  test("that is code loses the empty space around it on npm, and may not look like HTML", async () => {
    await using notes = await start("npm");
    notes.model.add({ note_id: "script", title: "Script", type: "code", content: "one" });
    const update = async (content: string) => {
      const { blobId } = await notes.json("get_note", { noteId: "script" });
      return notes.ask("update_note", { noteId: "script", expectedHash: blobId, mode: "append", content });
    };
    await update("\n\ttwo");
    expect(notes.model.note("script")?.content).toBe("onetwo");
    expect((await update("a<b>c")).texts[0]).toMatch(/^CONTENT_VALIDATION_ERROR/);
  });

  test("that is code is kept unchanged by native, and appended to on a new line", async () => {
    await using notes = await start("native");
    notes.model.add({ note_id: "script", title: "Script", type: "code", content: "one" });
    await notes.json("append_to_note", { noteId: "script", content: "# Script\n" });
    expect(notes.model.note("script")?.content).toBe("one\n# Script\n");
    await notes.json("append_to_note", { noteId: "script", content: "* two" });
    expect(notes.model.note("script")?.content).toBe("one\n# Script\n* two");
  });

  test("is appended to a collection by native, but cannot replace it", async () => {
    await using notes = await start("native");
    notes.model.add({ note_id: "shelf", title: "Shelf", type: "book" });
    const error = "mime is required when changing a note to code";
    expect(await notes.json("set_note_content", { noteId: "shelf", content: "x" })).toEqual({ error });
    expect(await notes.json("append_to_note", { noteId: "shelf", content: "x" })).toMatchObject({ success: true });
  });

  test.each(["set_note_content", "append_to_note"])("is not changed in an image note by %s of native", async (tool) => {
    await using notes = await start("native");
    notes.model.add({ note_id: "photo", title: "Photo", type: "image", content: "bytes" });
    const error = "Cannot update content for note type: image";
    expect(await notes.json(tool, { noteId: "photo", content: "x" })).toEqual({ error });
    expect(notes.model.note("photo")?.content).toBe("bytes");
  });

  test("is a second text on git, as HTML or Markdown, and truncated at the limit", async () => {
    await using notes = await start("git");
    const [info = "", html] = (await notes.ask("get_note", { noteId: "a" })).texts;
    expect(JSON.parse(info)).toMatchObject({ noteId: "a", contentInfo: { format: "html", truncated: false } });
    expect(html).toBe("<p>About the budget</p>");
    const { texts } = await notes.ask("get_note", { noteId: "a", format: "markdown", content_max_chars: 5 });
    expect(JSON.parse(texts[0] ?? "")).toMatchObject({ contentInfo: { totalChars: 16, truncated: true } });
    expect(texts[1]).toMatch(/^About\n\n---\n\*\*Content truncated:/);
  });

  test("is written unchanged by git, or converted from Markdown", async () => {
    await using notes = await start("git");
    const write = (args: object) => notes.json("write_note", { noteId: "a", ...args });
    expect(await write({ mode: "append", content: "more" })).toMatchObject({ success: true, mode: "append" });
    expect(notes.model.note("a")?.content).toBe("<p>About the budget</p>more");
    await write({ mode: "replace", content: "one < two\n\nthree", format: "markdown" });
    expect(notes.model.note("a")?.content).toBe("<p>one &lt; two</p>\n<p>three</p>\n");
    const { texts } = await notes.ask("get_note", { noteId: "a", format: "markdown" });
    expect(texts[1]).toBe("one < two\n\nthree");
  });

  test("is written by npm only with the current hash; a stale hash writes nothing and is no error", async () => {
    await using notes = await start("npm");
    const { blobId } = await notes.json("get_note", { noteId: "a" });
    const append = { noteId: "a", expectedHash: blobId, mode: "append", content: "more" };
    const first = await notes.ask("update_note", append);
    expect(first.texts[0]).toMatch(/^Note a updated successfully/);
    expect(notes.model.note("a")?.content).toBe("<p>About the budget</p><p>more</p>");
    const second = await notes.ask("update_note", { ...append, mode: "overwrite" });
    expect(second.isError).toBeUndefined();
    expect(second.texts[0]).toMatch(/^CONFLICT: Note has been modified by another user\./);
    expect(notes.model.note("a")?.content).toBe("<p>About the budget</p><p>more</p>");
  });

  test("that is empty is absent from a note on npm, and refused in a write", async () => {
    await using notes = await start("npm");
    const note = await notes.json("get_note", { noteId: "b" });
    expect(note).not.toHaveProperty("content");
    const empty = { noteId: "b", expectedHash: note.blobId, mode: "overwrite", content: "" };
    await expect(notes.ask("update_note", empty)).rejects.toMatchObject({ code: -32_602 });
  });
});

describe("a search", () => {
  test.each([
    [{ query: "MEETING" }, ["a", "c"]],
    [{ query: "meeting monday" }, ["a", "c"]],
    [{ query: '"meeting on"' }, ["a"]],
    [{ query: "budget", ancestorNoteId: "box" }, ["a", "b"]],
    [{ query: "meeting", ancestorNoteId: "box" }, ["a"]],
    [{ query: "budget", fastSearch: true }, ["b"]],
    [{ query: "#budget" }, []],
    [{ query: "note.title = Budget" }, []],
    [{ query: 'note.title %= "^BUDGET$"' }, ["b"]],
    [{ query: 'note.title %= "^meeting"' }, ["a"]],
    [{ query: 'note.title %= "^mond.y$"' }, ["c"]],
    [{ query: 'note.title %= "^mond\\\\.y$"' }, []],
    [{ query: "text", fastSearch: true }, ["root", "box", "a", "b", "c"]],
    [{ query: "nothing of the kind" }, []],
  ] as const)("finds words in titles, types and contents on native, or titles by a pattern: %o", async (args, ids) => {
    await using notes = await start("native");
    const { totalResults, results } = await notes.json("search_notes", args);
    expect(idsOf(results)).toEqual(ids);
    expect(totalResults).toBe(ids.length);
  });

  test("returns ten notes on native by default, and the total", async () => {
    await using notes = await start("native");
    for (let at = 0; at < 15; at += 1) notes.model.add({ note_id: `n${at}`, title: `Twin ${at}`, parents: ["box"] });
    const { totalResults, results } = await notes.json("search_notes", { query: "twin" });
    expect({ totalResults, shown: results.length }).toEqual({ totalResults: 15, shown: 10 });
    const twin = { noteId: "n0", title: "Twin 0", type: "text", parentTitle: "Box", contentPreview: null };
    expect(results[0]).toEqual(twin);
    expect((await notes.json("search_notes", { query: "twin", limit: 20 })).results).toHaveLength(15);
  });

  test("returns no total on git, and matches any of the words when nothing matches all", async () => {
    await using notes = await start("git");
    const limited = await notes.json("search_notes", { query: "monday", limit: 1 });
    expect(Object.keys(limited)).toEqual(["results"]);
    expect(idsOf(limited.results)).toEqual(["a"]);
    const fuzzy = await notes.json("search_notes", { query: "monday elephants" });
    expect(fuzzy.searchMode).toBe("fuzzy");
    expect(idsOf(fuzzy.results)).toEqual(["a", "c"]);
    expect(await notes.json("search_notes", { query: "monday #elephants" })).toEqual({ results: [] });
  });

  test("is a bare list on npm, and covers only titles when no limit is given", async () => {
    await using notes = await start("npm");
    expect(idsOf(await notes.json("search_notes", { text: "budget" }))).toEqual(["b"]);
    expect(idsOf(await notes.json("search_notes", { text: "budget", limit: 10 }))).toEqual(["a", "b"]);
    const within = { property: "ancestors.noteId", type: "noteProperty", op: "=", value: "box", logic: "AND" };
    expect(idsOf(await notes.json("search_notes", { text: "meeting", searchCriteria: [within] }))).toEqual(["a"]);
    notes.model.add({ note_id: "path", title: "C:\\notes" });
    const titled = (value: string) => ({ searchCriteria: [{ ...within, property: "title", op: "contains", value }] });
    expect(await notes.json("search_notes", titled("C:\\notes"))).toEqual([]);
    expect(idsOf(await notes.json("search_notes", titled("C:\\\\notes")))).toEqual(["path"]);
    const unknown = { text: "meeting", searchCriteria: [{ ...within, property: "isArchived" }] };
    await expect(notes.ask("search_notes", unknown)).rejects.toThrow("the simulator knows no criterion isArchived");
  });

  test("is answered in prose by npm when it is for a name", async () => {
    await using notes = await start("npm");
    const say = async (noteName: string) => (await notes.ask("resolve_note_id", { noteName })).texts[0];
    expect(await say("Budget")).toContain("to Note ID: b");
    expect(await say("Monday")).toMatch(/^Found 2 matches for "Monday"\. Please choose:/);
    expect(await say("elephants")).toMatch(/^❌ No notes found/);
  });
});
