import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/domain/json.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import type { NotesModel } from "../../../support/notes/notes-model.ts";
import { meetings, someNotes, undertake } from "../../../support/notes/undertake.ts";

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

describe("a dry run [4.notes.apply_note_moves]", () => {
  test("is what happens without dry_run, tells what would be done, and writes and asks nothing", async () => {
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

  test("of nothing that can be moved is blocked, with the reasons", async () => {
    const { task } = begun([move("root", "inbox"), move("inbox", "m1"), move("m1", "_hidden")]);
    expect(await task.end()).toMatchObject({
      status: "blocked",
      code: "nothing_to_move",
      result: { left_out: [{ code: "system_note" }, { code: "inside_itself" }, { code: "system_target" }] },
    });
  });

  test("of what is in place already is ok", async () => {
    expect(await begun([move("m1", "inbox")]).task.end()).toMatchObject({ status: "ok", code: "already_in_place" });
  });
});

describe("a plan that is applied [4.notes.apply_note_moves]", () => {
  test("asks first, and shows where each note is taken from", async () => {
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

  test("takes each note from the one parent it has", async () => {
    const model = someNotes();
    expect(await applied([move("m1", "archive"), move("y2026", "inbox")], model)).toMatchObject({ code: "moved" });
    expect([model.parentsOf("m1"), model.parentsOf("y2026")]).toEqual([["archive"], ["inbox"]]);
  });

  test("leaves out the move that an earlier one of it has made a circle of", async () => {
    const model = someNotes();
    expect(await applied([move("inbox", "archive"), move("archive", "inbox")], model)).toMatchObject({
      status: "failed",
      code: "partly_moved",
      result: { done: [{ note_id: "inbox" }], left_out: [{ note_id: "archive", code: "inside_itself" }] },
    });
    expect(model.reachable()).toContain("m1");
  });

  test("of what is in place already asks nobody", async () => {
    const { notes, task } = begun([move("m1", "inbox")], { dry_run: false });
    expect(await task.end()).toMatchObject({ status: "ok", code: "already_in_place" });
    expect([notes.writes(), task.asked()]).toEqual([0, []]);
  });

  test("is undone by its reverse_plan as it stands, nested moves too", async () => {
    const model = someNotes();
    const before = model.snapshot();
    const { result } = await applied([move("folder", "y2026"), move("m1", "folder"), move("m2", "folder")], model);
    expect(model.snapshot()).not.toEqual(before);
    const { reverse_plan } = result as { reverse_plan: Plan };
    expect(await applied(reverse_plan, model)).toMatchObject({ status: "ok", code: "moved" });
    expect(model.snapshot()).toEqual(before);
  });

  test("may be the plan that plan_note_moves gave", async () => {
    const model = someNotes();
    const planning = undertake({ operation: "plan_note_moves", ...meetings() }, memoryNotes(undefined, model).server);
    const { move_plan } = (await planning.end()).result as { move_plan: Plan };
    expect(await applied(move_plan, model)).toMatchObject({ status: "ok", result: { done: [{}, {}, {}, {}] } });
  });
});
