import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/domain/json.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

type Plan = { readonly note_id: string; readonly target_parent_note_id: string }[];
const move = (note_id: string, target_parent_note_id: string) => ({ note_id, target_parent_note_id });

function begun(move_plan: Plan, more: Record<string, Json> = {}, model: NotesModel = someNotes()) {
  const notes = memoryNotes(undefined, model);
  return { model, notes, task: undertake({ operation: "apply_note_moves", move_plan, ...more }, notes.server) };
}

async function applied(move_plan: Plan, model?: NotesModel) {
  const one = begun(move_plan, { dry_run: false }, model);
  await one.task.run();
  one.task.decide("approved");
  return one.task.end();
}

describe("a dry run [4.notes.apply_dry_run]", () => {
  test("is the default, reports what would be moved, and neither writes nor asks", async () => {
    const { model, notes, task } = begun([move("m1", "archive"), move("shop", "root"), move("nobody", "root")]);
    const before = model.snapshot();
    const ended = await task.end();
    expect(ended).toMatchObject({
      status: "ok",
      code: "dry_run",
      message: "Nothing was written. 2 notes would be moved, 1 left out.",
      result: {
        moves: [
          { note_id: "m1", from: '"Inbox" (inbox)', to: '"Archive" (archive)' },
          { note_id: "shop", from: '"Inbox" (inbox)', to: '"root" (root)' },
        ],
        left_out: [{ note_id: "nobody", title: null, code: "gone" }],
      },
    });
    expect([model.snapshot(), notes.writes(), task.asked()]).toEqual([before, 0, []]);
  });

  test("is blocked with the reasons when nothing can be moved", async () => {
    const { task } = begun([move("root", "inbox"), move("inbox", "m1"), move("m1", "_hidden")]);
    expect(await task.end()).toMatchObject({
      status: "blocked",
      code: "nothing_to_move",
      result: { left_out: [{ code: "system_note" }, { code: "inside_itself" }, { code: "system_target" }] },
    });
  });

  test.each([
    ["before", [move("m1", "folder"), move("folder", "public")]],
    ["after", [move("folder", "public"), move("m1", "folder")]],
  ])("counts the notes that become public over the whole plan, %s the move that publishes them", async (_, plan) => {
    const model = someNotes();
    model.add({ note_id: "_share", title: "Shared" });
    model.add({ note_id: "public", title: "Public", parents: ["root", "_share"] });
    const effect = expect.stringContaining("becomes public");
    expect(await begun(plan, {}, model).task.end()).toMatchObject({
      message: expect.stringContaining("2 notes would become public"),
      result: { moves: [{ effect }, { effect }] },
    });
  });

  test("counts no note as public that a later move takes out of what is shared", async () => {
    const model = someNotes();
    model.add({ note_id: "_share", title: "Shared" });
    model.add({ note_id: "public", title: "Public", parents: ["root", "_share"] });
    model.move({ note_id: "folder", from: "inbox", to: "public" });
    const ended = await begun([move("m1", "folder"), move("folder", "archive")], {}, model).task.end();
    expect(ended.message).toMatch(/left out\. 1 note would not be public any more\.$/);
  });

  test("is ok when everything is already in place", async () => {
    expect(await begun([move("m1", "inbox")]).task.end()).toMatchObject({ status: "ok", code: "already_in_place" });
  });
});

describe("a plan that is applied [4.notes.apply_note_moves] [4.notes.apply_approval]", () => {
  test("asks first, and shows the source and the target of each note", async () => {
    const { notes, task } = begun([move("m1", "archive"), move("y2026", "inbox")], { dry_run: false });
    expect(await task.run()).toMatchObject({
      is: "asks",
      content: {
        action: "Move 2 notes under 2 notes.",
        details: [
          '"Meeting 1" (m1): from "Inbox" (inbox) to "Archive" (archive)',
          '"2026" (y2026): from "Archive" (archive) to "Inbox" (inbox)',
        ],
      },
    });
    expect(notes.writes()).toBe(0);
  });

  test("leaves out a move that would make a cycle after an earlier move", async () => {
    const model = someNotes();
    expect(await applied([move("inbox", "archive"), move("archive", "inbox")], model)).toMatchObject({
      status: "failed",
      code: "partly_moved",
      result: { done: [{ note_id: "inbox" }], left_out: [{ note_id: "archive", code: "inside_itself" }] },
    });
    expect(model.reachable()).toContain("m1");
  });

  test("may contain a move that only an earlier move makes possible", async () => {
    const model = someNotes();
    const plan = [move("folder", "root"), move("inbox", "folder"), move("archive", "m1")];
    expect(await applied(plan, model)).toMatchObject({ status: "ok", code: "moved", result: { left_out: [] } });
    expect(["folder", "inbox", "archive"].map(model.parentsOf)).toEqual([["root"], ["folder"], ["m1"]]);
  });

  test("asks for approval without the move that an earlier move makes impossible", async () => {
    const { task } = begun([move("inbox", "y2026"), move("archive", "m1"), move("m2", "root")], { dry_run: false });
    expect(await task.run()).toMatchObject({
      content: {
        action: "Move 2 notes under 2 notes. 1 note would be left out.",
        details: [{}, {}, 'Left out: "Archive" (archive) the target m1 lies inside it'].map((line) =>
          typeof line === "string" ? line : expect.stringContaining(": from "),
        ),
      },
    });
  });

  test.each([
    ["m2", "renamed", '"Meeting 2" (m2) is called "Bank" now', ["m1"]],
    ["archive", "target_renamed", '"Meeting 2" (m2) the target archive is called "Bank" now', ["m1"]],
    ["y2026", null, "2 notes moved and verified", ["m1", "m2"]],
  ])(
    "moves no note that was renamed, or whose target was renamed, after the approval: %s",
    async (note_id, code, words, done) => {
      const { model, task } = begun([move("m1", "y2026"), move("m2", "archive")], { dry_run: false });
      await task.run();
      Object.assign(model.note(note_id) ?? {}, { title: note_id === "y2026" ? "2026" : "Bank" });
      task.decide("approved");
      expect(await task.end()).toMatchObject({
        message: expect.stringContaining(words),
        result: {
          done: done.map((id) => ({ note_id: id })),
          left_out: code === null ? [] : [{ note_id: "m2", code }],
        },
      });
      expect(model.parentsOf("m2")).toEqual([code === null ? "archive" : "inbox"]);
    },
  );

  test("is undone with the notes in their order, also where later moves depend on earlier ones", async () => {
    const model = someNotes();
    const orders = () => ["root", "inbox", "archive", "folder", "m1"].map(model.childrenOf);
    const before = orders();
    const plan = [
      ...["m1", "m2", "m3", "shop", "folder"].map((note_id) => move(note_id, "y2026")),
      ...[move("archive", "inbox")],
    ];
    const { result } = await applied(plan, model);
    expect(orders()).not.toEqual(before);
    const { reverse_plan } = result as { reverse_plan: Plan };
    expect(await applied(reverse_plan, model)).toMatchObject({ status: "ok", code: "moved" });
    expect(orders()).toEqual(before);
  });

  test("needs no approval when everything is already in place", async () => {
    const { notes, task } = begun([move("m1", "inbox")], { dry_run: false });
    expect(await task.end()).toMatchObject({ status: "ok", code: "already_in_place" });
    expect([notes.writes(), task.asked()]).toEqual([0, []]);
  });
});
