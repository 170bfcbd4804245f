// Each guard by itself. Real notes servers delete or lose notes in each of these cases.
import { describe, expect, test } from "vitest";
import { boundTo, lineageOf } from "../../../../capabilities/notes/ancestors.ts";
import { type Approved, judgeMove, type Wish } from "../../../../capabilities/notes/guards.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

type Prepare = (model: NotesModel) => void;
type Known = { readonly approved?: Partial<Approved>; readonly chooses_place?: boolean };

/** The approval is of the notes before they were prepared. */
async function judged(wish: Partial<Wish>, prepare: Prepare = () => undefined, known: Known = {}) {
  const model = someNotes();
  const { note } = memoryNotes(undefined, model).server;
  const whole = { note_id: "m1", from: "inbox", to: "y2026", ...wish };
  const approved = known.approved && { ...(await approvalOf(model, whole)), ...known.approved };
  prepare(model);
  const [target, source] = await Promise.all([lineageOf(whole.to, note), lineageOf(whole.from ?? "inbox", note)]);
  const around = { target, source, chooses_place: known.chooses_place ?? false };
  const answer = judgeMove(whole, await note(whole.note_id), around, approved);
  return answer.is === "movable" ? answer : answer.code;
}

async function approvalOf(model: NotesModel, { from, to }: Wish): Promise<Approved> {
  const { note } = memoryNotes(undefined, model).server;
  const [source, target] = [await lineageOf(from ?? "inbox", note), await lineageOf(to, note)];
  if (source === null || target === null) throw new Error("they are not there");
  const bound = { from: boundTo(source), to: boundTo(target) };
  return { title: "Meeting 1", target_title: "2026", also: [], bound };
}

describe("a note can be moved", () => {
  test("from its only parent to another note of the tree", async () => {
    expect(await judged({})).toEqual({ is: "movable", from: "inbox" });
  });

  test("from its current parent when the plan names none", async () => {
    expect(await judged({ from: null })).toEqual({ is: "movable", from: "inbox" });
  });

  test("under the root", async () => {
    expect(await judged({ to: "root" })).toEqual({ is: "movable", from: "inbox" });
  });

  test("with everything below it", async () => {
    expect(await judged({ note_id: "inbox", from: "root" })).toEqual({ is: "movable", from: "root" });
  });
});

describe("a note is left out", () => {
  test("when it is the root or a system note", async () => {
    expect(await judged({ note_id: "root", from: "none" })).toBe("system_note");
    expect(await judged({ note_id: "none" })).toBe("system_note");
    expect(await judged({ note_id: "_hidden" })).toBe("system_note");
  });

  test("when it lies directly under a system note", async () => {
    expect(
      await judged({ note_id: "tool", from: "_hidden" }, (model) => {
        model.add({ note_id: "_hidden", title: "Hidden" });
        model.add({ note_id: "tool", title: "Tool", parents: ["_hidden"] });
      }),
    ).toBe("system_note");
  });

  test("when the target belongs to the system", async () => {
    expect(await judged({ to: "_hidden" }, (model) => model.add({ note_id: "_hidden", title: "Hidden" }))).toBe(
      "system_target",
    );
    expect(await judged({ to: "none" })).toBe("system_target");
  });

  test("when it is its own target", async () => {
    expect(await judged({ to: "m1" })).toBe("onto_itself");
  });

  test("when it is not there, or the target is not", async () => {
    expect(await judged({ note_id: "nobody" })).toBe("gone");
    expect(await judged({ to: "nobody" })).toBe("target_gone");
  });

  test("when it is already under the target, because one server then deletes it", async () => {
    expect(await judged({ to: "inbox" })).toBe("already_in_place");
    expect(await judged({}, (model) => model.move({ note_id: "m1", from: "inbox", to: "y2026" }))).toBe(
      "already_in_place",
    );
  });

  test("when it has several parents, whether or not the target is one", async () => {
    expect(await judged({}, (model) => model.clone({ note_id: "m1", to: "folder" }))).toBe("cloned");
    expect(await judged({}, (model) => model.clone({ note_id: "m1", to: "y2026" }))).toBe("cloned");
  });

  test("when it has been moved since it was planned", async () => {
    expect(await judged({}, (model) => model.move({ note_id: "m1", from: "inbox", to: "folder" }))).toBe(
      "moved_meanwhile",
    );
  });

  test("when it has no parent", async () => {
    const note = { note_id: "m1", title: "", type: "text", parent_note_ids: [], is_protected: false };
    const around = { target: null, source: null, chooses_place: true };
    expect(judgeMove({ note_id: "m1", from: null, to: "y2026" }, note, around)).toMatchObject({ code: "detached" });
  });

  test("when it is protected", async () => {
    expect(
      await judged({ note_id: "secret" }, (model) =>
        model.add({ note_id: "secret", title: "Secret", parents: ["inbox"], is_protected: true }),
      ),
    ).toBe("protected");
  });

  test("when the target lies inside it by any path, because two servers then lose the subtree", async () => {
    expect(await judged({ note_id: "archive", from: "root", to: "y2026" })).toBe("inside_itself");
    expect(
      await judged({ note_id: "archive", from: "root", to: "folder" }, (model) =>
        model.clone({ note_id: "folder", to: "y2026" }),
      ),
    ).toBe("inside_itself");
  });

  test("when the target is protected", async () => {
    expect(
      await judged({ to: "secret" }, (model) => model.add({ note_id: "secret", title: "Secret", is_protected: true })),
    ).toBe("target_protected");
  });

  test("when the target is detached from the root, because the note would be lost", async () => {
    expect(await judged({}, (model) => model.move({ note_id: "archive", from: "root", to: "y2026" }))).toBe(
      "target_detached",
    );
  });
});

describe("a note in several places", () => {
  const inFolderToo: Prepare = (model) => model.clone({ note_id: "m1", to: "folder" });
  const chooses_place = true;

  test("is moved from the place that the plan names, on servers that can choose it", async () => {
    expect(await judged({}, inFolderToo, { chooses_place })).toEqual({ is: "movable", from: "inbox" });
    expect(await judged({ from: "folder" }, inFolderToo, { chooses_place })).toEqual({ is: "movable", from: "folder" });
    expect(await judged({}, inFolderToo)).toBe("cloned");
  });

  test("is left out when the plan names none, or when the target is one of them", async () => {
    expect(await judged({ from: null }, inFolderToo, { chooses_place })).toBe("cloned");
    expect(await judged({ to: "folder" }, inFolderToo, { chooses_place })).toBe("cloned");
  });

  test("is moved from its only place in the user's tree when the others are the application's own", async () => {
    const bookmarked: Prepare = (model) => {
      model.add({ note_id: "_lbBookmarks", title: "Bookmarks" });
      model.clone({ note_id: "m1", to: "_lbBookmarks" });
    };
    expect(await judged({ from: null }, bookmarked, { chooses_place })).toEqual({ is: "movable", from: "inbox" });
    expect(await judged({ from: "_lbBookmarks" }, bookmarked, { chooses_place })).toBe("system_note");
  });

  test("is left out when it was approved with other places", async () => {
    expect(await judged({}, inFolderToo, { chooses_place, approved: {} })).toBe("cloned");
    expect(await judged({}, inFolderToo, { chooses_place, approved: { also: ["folder"] } })).toMatchObject({
      from: "inbox",
    });
  });
});

describe("a target", () => {
  test("that lies only in the hidden part of the tree is refused, because notes would vanish there", async () => {
    const hidden: Prepare = (model) => {
      model.add({ note_id: "_hidden", title: "Hidden" });
      model.add({ note_id: "bulk", title: "Bulk", parents: ["_hidden"] });
      model.add({ note_id: "deep", title: "Deep", parents: ["bulk"] });
    };
    expect(await judged({ to: "deep" }, hidden)).toBe("target_hidden");
    const shownToo: Prepare = (model) => {
      hidden(model);
      model.clone({ note_id: "bulk", to: "archive" });
    };
    expect(await judged({ to: "deep" }, shownToo)).toMatchObject({ is: "movable" });
  });
});

describe("a move that was approved", () => {
  const named =
    (note_id: string, title: string): Prepare =>
    (model) =>
      void Object.assign(model.note(note_id) ?? {}, { title });

  test("can be made while its note and its target keep their names and places", async () => {
    expect(await judged({}, undefined, { approved: {} })).toMatchObject({ is: "movable" });
    expect(await judged({}, named("archive", "Old"), { approved: {} })).toMatchObject({ is: "movable" });
    const untitled = { approved: { target_title: null } };
    expect(await judged({}, named("y2026", "Trash"), untitled)).toMatchObject({ is: "movable" });
  });

  test("is left out when its note or its target was renamed", async () => {
    expect(await judged({}, named("m1", "Bank"), { approved: {} })).toBe("renamed");
    expect(await judged({}, named("y2026", "Trash"), { approved: {} })).toBe("target_renamed");
  });

  test.each([
    ["the target was shared", "target_moved", (model: NotesModel) => model.clone({ note_id: "y2026", to: "_share" })],
    [
      "a note above the target was shared",
      "target_moved",
      (model: NotesModel) => model.clone({ note_id: "archive", to: "_share" }),
    ],
    [
      "the target was moved",
      "target_moved",
      (model: NotesModel) => model.move({ note_id: "y2026", from: "archive", to: "folder" }),
    ],
    [
      "the source was moved",
      "source_moved",
      (model: NotesModel) => model.move({ note_id: "inbox", from: "root", to: "shop2" }),
    ],
    ["the source was shared", "source_moved", (model: NotesModel) => model.clone({ note_id: "inbox", to: "_share" })],
  ])("is left out when %s", async (_what, code, does) => {
    const prepare: Prepare = (model) => {
      model.add({ note_id: "_share", title: "Shared" });
      model.add({ note_id: "shop2", title: "Other" });
      does(model);
    };
    expect(await judged({}, prepare, { approved: {} })).toBe(code);
  });

  test("is reported with the new name of its note, control characters escaped", async () => {
    const model = someNotes();
    const { note } = memoryNotes(undefined, model).server;
    const wish = { note_id: "m1", from: "inbox", to: "y2026" };
    const approved = await approvalOf(model, wish);
    Object.assign(model.note("m1") ?? {}, { title: "a\u001b[2J" });
    const around = { target: await lineageOf("y2026", note), source: null, chooses_place: false };
    expect(judgeMove(wish, await note("m1"), around, approved)).toMatchObject({
      code: "renamed",
      reason: 'is called "a\\u001b[2J" now',
    });
  });
});
