// Reads on every notes server, over the real client: different tools, the same results; and each read that fails is a fault with the
// server's message, never a missing note or an empty list.
import { describe, expect, test } from "vitest";
import type { NoteBrief, TreeNode } from "../../../capabilities/notes/notes-server.ts";
import type { NotesModel } from "../../simulators/notes/notes-model.ts";
import { openNotes, PROFILES } from "./open-notes.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `child${at}`);
const idsOf = (briefs: readonly NoteBrief[] = []): string[] => briefs.map(({ note_id }) => note_id).sort();
const within = (node: TreeNode): number => 1 + node.children.reduce((sum, child) => sum + within(child), 0);

function plant(model: NotesModel): void {
  model.add({ note_id: "inbox", title: "Inbox" });
  model.add({ note_id: "archive", title: "Archive" });
  model.add({ note_id: "meeting1", title: "Meeting one", parents: ["inbox"], content: "first" });
  model.add({ note_id: "shown2x", title: "Shown twice", parents: ["inbox", "archive"] });
  model.add({ note_id: "script1", title: "Script", parents: ["archive"], type: "code", content: "<b>1 < 2</b>" });
  model.add({ note_id: "secret1", title: "Secret plan", parents: ["archive"], is_protected: true });
}

describe.each(PROFILES)("the notes server %s", (profile) => {
  const opened = async (options: Parameters<typeof openNotes>[1] = {}) => {
    const server = await openNotes(profile, options);
    plant(server.model);
    return Object.assign(server, { notes: await server.connect() });
  };
  const notFound = { title: "no such title", ancestor_note_id: null, limit: 5 };

  test("returns notes with all their parents, their children and their content, and null for a missing note", async () => {
    await using server = await opened();
    const { notes } = server;
    expect(await notes.note("meeting1")).toEqual({
      note_id: "meeting1",
      title: "Meeting one",
      type: "text",
      parent_note_ids: ["inbox"],
      is_protected: false,
    });
    expect((await notes.note("shown2x"))?.parent_note_ids.toSorted()).toEqual(["archive", "inbox"]);
    expect(await notes.note("root")).toMatchObject({ note_id: "root", parent_note_ids: [] });
    const secret = { title: "[protected]", is_protected: true, parent_note_ids: ["archive"] };
    expect(await notes.note("secret1")).toMatchObject(secret);
    await expect(notes.content("secret1")).rejects.toMatchObject({ name: "NotesFault" });
    expect(idsOf((await notes.children("inbox"))?.notes)).toEqual(["meeting1", "shown2x"]);
    expect(await notes.children("meeting1")).toEqual({ notes: [], gaps: [] });
    const contents = await Promise.all(["meeting1", "inbox", "script1"].map(notes.content));
    expect(contents).toEqual(["first", "", "<b>1 < 2</b>"]);
    for (const read of [notes.note, notes.children, notes.content]) expect(await read("nowhere1")).toBeNull();
    expect(await notes.search(notFound)).toEqual({ found: [], truncated: false });
    expect(await (notes.tree?.("nowhere1", 2) ?? null)).toBeNull();
    expect(notes.tree === null).toBe(profile === "npm");
  });

  test.each([30, 200, 450])("lists %s children completely", async (count) => {
    await using server = await opened();
    for (const note_id of numbered(count)) server.model.add({ note_id, title: note_id, parents: ["meeting1"] });
    expect(idsOf((await server.notes.children("meeting1"))?.notes)).toEqual(numbered(count).sort());
    const further = profile === "git" && count > 200 ? ["get_note", "search_notes"] : [];
    const [, ...calls] = server.calls();
    expect(calls.map(({ tool }) => tool)).toEqual(further);
  });

  test.runIf(profile !== "npm")("returns a tree in one call, and marks the notes whose children are cut", async () => {
    await using server = await opened();
    const read = (note_id: string, depth: number) => server.notes.tree?.(note_id, depth);
    const whole = await read("root", 5);
    expect(whole?.root).toMatchObject({ note_id: "root", is_cut: false, children: [{ is_cut: false }, {}] });
    expect(whole && within(whole.root)).toBe(8);
    expect(await read("root", 1)).toMatchObject({
      root: { is_cut: false, children: [{ children: [], is_cut: true }, {}] },
    });
    for (const note_id of numbered(450)) server.model.add({ note_id, title: note_id, parents: ["meeting1"] });
    const cut = await read("meeting1", 5);
    expect(cut).toMatchObject({ root: { note_id: "meeting1", is_cut: true } });
    expect(cut?.root.children).toHaveLength(profile === "native" ? 10 : 200);
    expect(server.calls()).toHaveLength(3);
  });

  test("finds only the notes with a title, below the given one, and marks a result above the limit as truncated", async () => {
    await using server = await opened();
    const hostile = [
      "#label",
      "note.title = x",
      "note.title orderBy note.title",
      "cats or dogs",
      "it's (1), 50%",
      'say "x"',
    ];
    // npm reads backslashes as escapes in a criterion.
    const titles = profile === "npm" ? hostile : [...hostile, "back\\slash", 'a\\" or #x'];
    for (const other of ["label", "x", "cats", "dogs", "it's", "1", "say", "slash"])
      server.model.add({ note_id: `other-${other}`, title: other });
    for (const [at, title] of titles.entries()) {
      server.model.add({ note_id: `wanted${at}`, title });
      const end = await server.notes.search({ title, ancestor_note_id: null, limit: 50 });
      expect(end).toMatchObject({ found: [{ note_id: `wanted${at}`, title }], truncated: false });
    }
    for (const note_id of numbered(6)) server.model.add({ note_id, title: `Talk ${note_id}`, parents: ["inbox"] });
    server.model.add({ note_id: "elsewhere", title: "Talk elsewhere" });
    const query = { title: "talk", ancestor_note_id: "inbox" };
    const all = await server.notes.search({ ...query, limit: 6 });
    expect([idsOf(all.found), all.truncated]).toEqual([numbered(6), false]);
    const some = await server.notes.search({ ...query, limit: 5 });
    expect([some.found.length, some.truncated]).toEqual([5, true]);
    expect((await server.notes.search({ ...query, ancestor_note_id: null, limit: 50 })).found).toHaveLength(7);
  });

  test.runIf(profile !== "npm")("finds a note whose title is part of many others and a type of note", async () => {
    await using server = await opened();
    for (const note_id of numbered(300)) server.model.add({ note_id, title: `Text of ${note_id}` });
    server.model.add({ note_id: "wanted12", title: "Text" });
    const end = await server.notes.search({ title: "Text", ancestor_note_id: null, limit: 5 });
    expect(end).toMatchObject({ found: [{ note_id: "wanted12" }], truncated: false });
  });

  test("makes every read a fault, as long as something is wrong", async () => {
    await using server = await opened();
    const reads = [server.notes.note, server.notes.children, server.notes.content, () => server.notes.search(notFound)];
    for (const [fault, code, words] of [
      ["unauthorized", "token_refused", "401: MCP_NOTES_TOKEN is missing"],
      ["disabled", "disabled", "disabled"],
      ["application_down", "application_down", "ECONNREFUSED"],
      ["redirect", "unreachable", "redirect"],
      ["garbage", "unreadable", "no JSON"],
    ] as const) {
      server.switches[fault] = true;
      for (const read of reads)
        await expect(read("inbox")).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
      server.switches[fault] = false;
    }
    server.switches.sse = true;
    server.forgetSessions();
    for (const read of reads) expect(await read("inbox"), "again, and as a stream").not.toBeNull();
  });

  test.each([
    ["is not authorized", { unauthorized: true }, "token_refused"],
    ["is disabled", { disabled: true }, "disabled"],
    ["is sent elsewhere", { redirect: true }, "unreachable"],
    ["has another token, of which nothing is shown", { bearer: "another-token" }, "token_refused"],
  ])("cannot be connected to where orch %s", async (_, switches, code) => {
    await using server = await openNotes(profile, { switches });
    const message = expect.not.stringMatching(/bearer/i);
    await expect(server.connect()).rejects.toMatchObject({ code, message });
  });

  test("that requires a token gets it", async () => {
    await using server = await opened({ switches: { bearer: "a-token" } });
    expect(await server.notes.note("root")).toMatchObject({ note_id: "root" });
  });

  test("gives a note that is longer than an answer may be as too_long", async () => {
    await using server = await opened();
    server.model.add({ note_id: "log1", title: "Log", content: `<p>${"x".repeat(5 * 1024 * 1024)}</p>` });
    if (profile === "git") expect((await server.notes.content("log1"))?.length).toBeGreaterThan(5_000_000);
    else await expect(server.notes.content("log1")).rejects.toMatchObject({ code: "too_long" });
  });

  test("that does not answer in time makes a read a fault", async () => {
    await using server = await opened({ limit_ms: 300 });
    server.switches.delay_ms = 900;
    const fault = { code: "unreachable", message: expect.stringContaining("0.3 s") };
    await expect(server.notes.note("inbox")).rejects.toMatchObject(fault);
  });

  test.runIf(profile === "npm")("with a cycle of notes makes every read a fault, and no note is missing", async () => {
    await using server = await opened();
    server.model.move({ note_id: "inbox", from: "root", to: "meeting1" });
    const fault = { code: "refused", message: expect.stringContaining("call stack") };
    for (const read of [server.notes.note, server.notes.children, server.notes.content])
      await expect(read("inbox")).rejects.toMatchObject(fault);
  });
});
