// Each guard by itself. Real notes servers delete or lose notes in each of these cases.
import { describe, expect, test } from "vitest";
import { lineageOf } from "../../../../capabilities/notes/ancestors.ts";
import { judgeMove, type Names, type Wish } from "../../../../capabilities/notes/guards.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

async function judged(
  wish: Partial<Wish>,
  prepare: (model: NotesModel) => void = () => undefined,
  approved: Names | null = null,
) {
  const model = someNotes();
  prepare(model);
  const { note } = memoryNotes(undefined, model).server;
  const whole = { note_id: "m1", from: "inbox", to: "y2026", ...wish };
  const answer = judgeMove(whole, await note(whole.note_id), await lineageOf(whole.to, note), approved);
  return answer.is === "movable" ? answer : answer.code;
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
    expect(judgeMove({ note_id: "m1", from: null, to: "y2026" }, note, null)).toMatchObject({ code: "detached" });
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

describe("a note that was approved by its name", () => {
  const NAMES = { title: "Meeting 1", target_title: "2026" };
  const named =
    (note_id: string, title: string): ((model: NotesModel) => void) =>
    (model) =>
      void Object.assign(model.note(note_id) ?? {}, { title });

  test("can be moved while it and its target keep their names", async () => {
    expect(await judged({}, undefined, NAMES)).toMatchObject({ is: "movable" });
    expect(await judged({}, named("archive", "Old"), NAMES)).toMatchObject({ is: "movable" });
    expect(await judged({}, named("y2026", "Trash"), { ...NAMES, target_title: null })).toMatchObject({
      is: "movable",
    });
  });

  test("is left out when it or its target was renamed", async () => {
    expect(await judged({}, named("m1", "Bank"), NAMES)).toBe("renamed");
    expect(await judged({}, named("y2026", "Trash"), NAMES)).toBe("target_renamed");
  });

  test("is reported with its new name, control characters escaped", () => {
    const note = { note_id: "m1", title: "a\u001b[2J", type: "text", parent_note_ids: ["inbox"], is_protected: false };
    const root = { ...note, note_id: "root", title: "root", parent_note_ids: [] };
    const above = new Map([["root", root]]);
    const wish = { note_id: "m1", from: "inbox", to: "root" };
    expect(judgeMove(wish, note, { note: root, above }, { title: "a", target_title: "root" })).toMatchObject({
      code: "renamed",
      reason: 'is called "a\\u001b[2J" now',
    });
  });
});
