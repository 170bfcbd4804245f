// Each guard by itself, and what is above a note. Real notes servers delete or lose notes in each of these cases.
import { describe, expect, test } from "vitest";
import { boundTo, lineageOf, pathOf, remembering } from "../../../../capabilities/notes/ancestors.ts";
import { createTreeAhead } from "../../../../capabilities/notes/examine-moves.ts";
import { type Approved, judgeMove, type Wish } from "../../../../capabilities/notes/guards.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

type Prepare = (model: NotesModel) => void;
type Known = { readonly approved?: Partial<Approved>; readonly chooses_place?: boolean };

const none: Prepare = () => undefined;
const moved =
  (note_id: string, from: string, to: string): Prepare =>
  (model) =>
    model.move({ note_id, from, to });
const cloned =
  (note_id: string, to: string): Prepare =>
  (model) =>
    model.clone({ note_id, to });
const added =
  (note_id: string, over: object = {}): Prepare =>
  (model) =>
    void model.add({ note_id, title: note_id, ...over });
const named =
  (note_id: string, title: string): Prepare =>
  (model) =>
    void Object.assign(model.note(note_id) ?? {}, { title });
const all =
  (...steps: Prepare[]): Prepare =>
  (model) => {
    for (const step of steps) step(model);
  };

/** Where the note is moved from, or the code that speaks against it. The approval is of the notes before they were prepared. */
async function judged(wish: Partial<Wish>, prepare: Prepare = none, known: Known = {}) {
  const answer = await answered(wish, prepare, known);
  return answer.is === "movable" ? `from ${answer.from}` : answer.code;
}

async function answered(wish: Partial<Wish>, prepare: Prepare, known: Known) {
  const model = someNotes();
  const { note } = memoryNotes(undefined, model).server;
  const whole = { note_id: "m1", from: "inbox", to: "y2026", ...wish };
  const lineages = () => Promise.all([lineageOf(whole.to, note), lineageOf(whole.from ?? "inbox", note)]);
  const [to, from] = known.approved === undefined ? [] : await lineages();
  const bound = to && from && { from: boundTo(from), to: boundTo(to) };
  const approved = bound && { title: "Meeting 1", target_title: "2026", also: [], bound, ...known.approved };
  prepare(model);
  const [target, source] = await lineages();
  const around = { target, source, chooses_place: known.chooses_place ?? false };
  return judgeMove(whole, await note(whole.note_id), around, approved);
}

const hidden = all(
  added("_hidden"),
  added("tool", { parents: ["_hidden"] }),
  added("bulk", { parents: ["_hidden"] }),
  added("deep", { parents: ["bulk"] }),
);

test.each<[string, Partial<Wish>, Prepare, string]>([
  ["from its only parent", {}, none, "from inbox"],
  ["from its current parent when the plan names none", { from: null }, none, "from inbox"],
  ["under the root", { to: "root" }, none, "from inbox"],
  ["with everything below it", { note_id: "inbox", from: "root" }, none, "from root"],
  ["not when it is the root", { note_id: "root", from: "none" }, none, "system_note"],
  ["not when it is above the root", { note_id: "none" }, none, "system_note"],
  ["not when it is a system note", { note_id: "_hidden" }, none, "system_note"],
  ["not when it lies directly under one", { note_id: "tool", from: "_hidden" }, hidden, "system_note"],
  ["not when the target belongs to the system", { to: "_hidden" }, hidden, "system_target"],
  ["not when the target is above the root", { to: "none" }, none, "system_target"],
  ["not into the hidden part of the tree, where it would vanish", { to: "deep" }, hidden, "target_hidden"],
  ["there when that is shown too", { to: "deep" }, all(hidden, cloned("bulk", "archive")), "from inbox"],
  ["not onto itself", { to: "m1" }, none, "onto_itself"],
  ["not when it is not there", { note_id: "nobody" }, none, "gone"],
  ["not when the target is not there", { to: "nobody" }, none, "target_gone"],
  ["not to where it is, because one server then deletes it", { to: "inbox" }, none, "already_in_place"],
  ["not when it has come there meanwhile", {}, moved("m1", "inbox", "y2026"), "already_in_place"],
  ["not when it has been moved since", {}, moved("m1", "inbox", "folder"), "moved_meanwhile"],
  ["not when it has several parents", {}, cloned("m1", "folder"), "cloned"],
  ["not when the target is one of several parents", {}, cloned("m1", "y2026"), "cloned"],
  [
    "not when it is protected",
    { note_id: "secret" },
    added("secret", { parents: ["inbox"], is_protected: true }),
    "protected",
  ],
  ["not when the target is protected", { to: "secret" }, added("secret", { is_protected: true }), "target_protected"],
  [
    "not when the target lies inside it, because two servers then lose the subtree",
    { note_id: "archive", from: "root", to: "y2026" },
    none,
    "inside_itself",
  ],
  [
    "not when the target lies inside it by another path",
    { note_id: "archive", from: "root", to: "folder" },
    cloned("folder", "y2026"),
    "inside_itself",
  ],
  ["not when the target is detached from the root", {}, moved("archive", "root", "y2026"), "target_detached"],
])("a note can be moved %s", async (_, wish, prepare, wanted) => {
  expect(await judged(wish, prepare)).toBe(wanted);
});

test("a note that has no parent is left out", () => {
  const note = { note_id: "m1", title: "", type: "text", parent_note_ids: [], is_protected: false };
  const around = { target: null, source: null, chooses_place: true };
  expect(judgeMove({ note_id: "m1", from: null, to: "y2026" }, note, around)).toMatchObject({ code: "detached" });
});

const inFolderToo = cloned("m1", "folder");
const bookmarked = all(added("_lbBookmarks"), cloned("m1", "_lbBookmarks"));

test.each<[string, Partial<Wish>, Prepare, string, Partial<Approved>?]>([
  ["from the place that the plan names", {}, inFolderToo, "from inbox"],
  ["from the other place", { from: "folder" }, inFolderToo, "from folder"],
  ["not when the plan names none", { from: null }, inFolderToo, "cloned"],
  ["not when the target is one of them", { to: "folder" }, inFolderToo, "cloned"],
  ["from the user's place when the other is the application's", { from: null }, bookmarked, "from inbox"],
  ["not from the application's own place", { from: "_lbBookmarks" }, bookmarked, "system_note"],
  ["not when it was approved with other places", {}, inFolderToo, "cloned", {}],
  ["when it was approved with these", {}, inFolderToo, "from inbox", { also: ["folder"] }],
])("a note in several places is moved, where they can be chosen, %s", async (_, wish, prepare, wanted, approved) => {
  expect(await judged(wish, prepare, { chooses_place: true, ...(approved && { approved }) })).toBe(wanted);
});

const shared = (note_id: string) => all(added("_share"), cloned(note_id, "_share"));

test.each<[string, Prepare, string, Partial<Approved>?]>([
  ["is made while its note and its target keep their names and places", none, "from inbox"],
  ["is made when only a note above the target was renamed", named("archive", "Old"), "from inbox"],
  ["is made when the name of the target was not known", named("y2026", "Trash"), "from inbox", { target_title: null }],
  ["is left out when its note was renamed", named("m1", "Bank"), "renamed"],
  ["is left out when its target was renamed", named("y2026", "Trash"), "target_renamed"],
  ["is left out when the target was shared", shared("y2026"), "target_moved"],
  ["is left out when a note above the target was shared", shared("archive"), "target_moved"],
  ["is left out when the target was moved", moved("y2026", "archive", "folder"), "target_moved"],
  ["is left out when the source was moved", all(added("other"), moved("inbox", "root", "other")), "source_moved"],
  ["is left out when the source was shared", shared("inbox"), "source_moved"],
])("a move that was approved %s", async (_, prepare, wanted, approved = {}) => {
  expect(await judged({}, prepare, { approved })).toBe(wanted);
});

test("a renamed note is reported with its new name, control characters escaped", async () => {
  expect(await answered({}, named("m1", "a\u001b[2J"), { approved: {} })).toMatchObject({
    code: "renamed",
    reason: 'is called "a\\u001b[2J" now',
  });
});

describe("what is above a note", () => {
  test.each<[string, Prepare, string, string[] | null, string?]>([
    ["is everything up to the root", none, "y2026", ["archive", "root", "y2026"], "Archive / 2026"],
    [
      "includes the ancestors of every parent, and its path follows the first",
      cloned("y2026", "folder"),
      "y2026",
      ["archive", "folder", "inbox", "root", "y2026"],
      "Archive / 2026",
    ],
    ["ends where the tree has a cycle", moved("archive", "root", "y2026"), "y2026", ["archive", "y2026"]],
    ["is nothing for a missing note", none, "nobody", null],
    ["is the root alone for the root", none, "root", ["root"], "root"],
  ])("%s", async (_, prepare, note_id, above, path) => {
    const model = someNotes();
    prepare(model);
    const lineage = await lineageOf(note_id, memoryNotes(undefined, model).server.note);
    expect(lineage && [...lineage.above.keys()].sort()).toEqual(above);
    if (path !== undefined) expect(lineage && pathOf(lineage)).toBe(path);
  });

  test("is a fault when it is longer than in any real tree", async () => {
    const endless = async (note_id: string) => {
      const parent_note_ids = [`${Number(note_id) + 1}`];
      return { note_id, title: "", type: "text", parent_note_ids, is_protected: false };
    };
    await expect(lineageOf("0", endless)).rejects.toMatchObject({ code: "incomplete" });
  });

  test("is read once, also by concurrent readers", async () => {
    let reads = 0;
    const read = remembering(async (id) => {
      reads += 1;
      return id;
    });
    expect(await Promise.all(["a", "a", "b"].map(read))).toEqual(["a", "a", "b"]);
    expect(reads).toBe(2);
  });

  test("is worked out ahead of moves, once, unless a note above is one of them", async () => {
    const notes = memoryNotes(undefined, someNotes());
    const tree = createTreeAhead(notes.server.note);
    const above = async (note_id: string) => [...((await tree.lineage(note_id))?.above.keys() ?? [])];
    expect(await above("y2026")).toEqual(["y2026", "archive", "root"]);
    tree.move({ note_id: "m1", to: "y2026" });
    await above("y2026");
    expect(notes.callsOf("note")).toHaveLength(2);
    tree.move({ note_id: "archive", to: "folder" });
    expect(await tree.note("archive")).toMatchObject({ title: "Archive", parent_note_ids: ["folder"] });
    expect(await above("y2026")).toEqual(["y2026", "archive", "folder", "inbox", "root"]);
    tree.move({ note_id: "nobody", to: "inbox" });
    expect([await tree.note("nobody"), await tree.lineage("nobody")]).toEqual([null, null]);
    expect(notes.writes()).toBe(0);
  });
});
