import { describe, expect, test } from "vitest";
import type { NotesServer } from "../../../../capabilities/notes/notes-server.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { meetings, someNotes, undertake } from "../../../support/notes/undertake.ts";

async function planned(order = meetings(), prepare: (model: NotesModel) => void = () => undefined) {
  const model = someNotes();
  prepare(model);
  const notes = memoryNotes(undefined, model);
  const before = model.snapshot();
  const ended = await undertake({ operation: "plan_note_moves", ...order }, notes.server).end();
  expect(model.snapshot()).toEqual(before);
  expect(notes.writes()).toBe(0);
  return ended;
}

const idsIn = (result: unknown) => (result as { move_plan: { note_id: string }[] }).move_plan.map((one) => one.note_id);

describe("a plan [4.notes.plan_note_moves]", () => {
  test("holds every direct child whose title has the text, to be read by programs and by humans", async () => {
    const { result, ...ended } = await planned(meetings("y2026", "Meeting "));
    expect(ended).toMatchObject({
      status: "ok",
      code: "planned",
      message: "3 notes selected: 3 would be moved, 0 left out.",
      next: expect.stringMatching(/apply_note_moves with dry_run false.*execute_move_plan/),
    });
    expect(result).toEqual({
      move_plan: ["m1", "m2", "m3"].map((note_id) => ({ note_id, target_parent_note_id: "y2026" })),
      moves: [1, 2, 3].map((n) => ({
        note_id: `m${n}`,
        title: `Meeting ${n}`,
        from: '"Inbox" (inbox)',
        to: '"Archive / 2026" (y2026)',
      })),
      left_out: [],
      caveats: [],
      gaps: [],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("takes the text literally, and its case too", async () => {
    const withOdd = (model: NotesModel) => {
      model.add({ note_id: "odd", title: "meeting.*", parents: ["inbox"] });
    };
    expect(idsIn((await planned(meetings("y2026", ".*"), withOdd)).result)).toEqual(["odd"]);
    expect(await planned(meetings("y2026", "MEETING"))).toMatchObject({ code: "nothing_selected" });
    const loose = { ...meetings(), selection_rule: { title_contains: "MEETING ", ignore_case: true } };
    expect(idsIn((await planned(loose)).result)).toEqual(["m1", "m2", "m3"]);
  });

  test("takes an accent in either of its two forms, and a title of any length", async () => {
    const long = "x".repeat(3_000);
    const accents = (model: NotesModel) => {
      model.add({ note_id: "nfd", title: "Cafe\u0301", parents: ["inbox"] });
      model.add({ note_id: "nfc", title: "Caf\u00e9", parents: ["inbox"] });
      model.add({ note_id: "long", title: long, parents: ["inbox"] });
    };
    for (const accent of ["caf\u00e9", "cafe\u0301"]) {
      const order = { ...meetings(), selection_rule: { title_contains: accent, ignore_case: true } };
      expect(idsIn((await planned(order, accents)).result)).toEqual(["nfd", "nfc"]);
    }
    expect(idsIn((await planned(meetings("y2026", long), accents)).result)).toEqual(["long"]);
  });

  test("says which children of the source cannot be read, and leaves them out", async () => {
    const gaps = (plain: NotesServer) => ({
      children: async (id: string) => ({ notes: (await plain.children(id))?.notes ?? [], gaps: ["ghost"] }),
    });
    const { server } = memoryNotes(gaps, someNotes());
    expect(await undertake({ operation: "plan_note_moves", ...meetings() }, server).end()).toMatchObject({
      status: "ok",
      message: expect.stringMatching(
        /4 would be moved, 0 left out\. 1 place under the source cannot be read: ghost\.$/,
      ),
      result: { gaps: ["ghost"] },
    });
  });

  test("never holds the target, although its title has the text", async () => {
    const ended = await planned(meetings("folder"));
    expect(idsIn(ended.result)).toEqual(["m1", "m2", "m3"]);
    expect(ended.result).toMatchObject({ left_out: [] });
  });

  test("leaves out what may not be moved, and says why", async () => {
    const { result, message } = await planned(meetings(), (model) => {
      model.clone({ note_id: "m1", to: "archive" });
      model.add({ note_id: "m4", title: "Meeting 4", parents: ["inbox"], is_protected: true });
      model.move({ note_id: "y2026", from: "archive", to: "m3" });
    });
    expect(message).toContain("4 notes selected: 2 would be moved, 2 left out.");
    expect(idsIn(result)).toEqual(["m2", "folder"]);
    expect(result).toMatchObject({
      left_out: [
        { note_id: "m1", title: "Meeting 1", code: "cloned", reason: expect.stringContaining("2 places") },
        { note_id: "m3", title: "Meeting 3", code: "inside_itself", reason: expect.stringContaining("lies inside it") },
      ],
    });
  });

  test("says which notes become public, and which are not public any more", async () => {
    const shared = (note_id: string) => (model: NotesModel) => {
      model.add({ note_id: "_share", title: "Shared" });
      model.clone({ note_id, to: "_share" });
      model.clone({ note_id: "m2", to: "_share" });
    };
    const begins = await planned({ ...meetings(), selection_rule: { title_contains: "Meeting 3" } }, shared("archive"));
    expect(begins.message).toBe("1 note selected: 1 would be moved, 0 left out. 1 note would become public.");
    expect(begins.result).toMatchObject({
      moves: [{ note_id: "m3", effect: expect.stringContaining("becomes public") }],
    });
    const ends = await planned({ ...meetings(), selection_rule: { title_contains: "Meeting 3" } }, shared("inbox"));
    expect(ends.message).toContain("1 note would not be public any more.");
    const both = (model: NotesModel) => {
      shared("inbox")(model);
      model.clone({ note_id: "archive", to: "_share" });
    };
    const stays = await planned({ ...meetings(), selection_rule: { title_contains: "Meeting 3" } }, both);
    expect(stays.message).toBe("1 note selected: 1 would be moved, 0 left out.");
  });

  test("with nothing but notes that are left out says so", async () => {
    expect(await planned(meetings("inbox"))).toMatchObject({
      status: "ok",
      code: "nothing_to_move",
      result: { move_plan: [], left_out: Array(4).fill(expect.objectContaining({ code: "already_in_place" })) },
    });
  });

  test("with an empty selection says so", async () => {
    expect(await planned(meetings("y2026", "Budget"))).toMatchObject({
      status: "ok",
      code: "nothing_selected",
      message: 'No note directly under inbox has "Budget" in its title.',
    });
  });

  test("is not made for a source or a target that is not there", async () => {
    const nowhere = { ...meetings(), source_scope: { parent_note_id: "nobody" } };
    expect(await planned(nowhere)).toMatchObject({ status: "failed", code: "source_not_found" });
    expect(await planned(meetings("nobody"))).toMatchObject({ status: "failed", code: "target_not_found" });
  });

  test("has the same digest for the same moves, and another from another place", async () => {
    const digestOf = async (order = meetings(), prepare?: (model: NotesModel) => void) =>
      ((await planned(order, prepare)).result as { digest: string }).digest;
    const first = await digestOf();
    expect(await digestOf()).toBe(first);
    expect(await digestOf(meetings("archive"))).not.toBe(first);
  });
});

describe("5,000 notes", () => {
  test("are planned with one list, one walk upwards, and a call for each note", async () => {
    const model = someNotes();
    for (let n = 0; n < 5_000; n += 1) {
      model.add({ note_id: `n${n}`, title: `Note ${n}`, parents: ["inbox"] });
    }
    const notes = memoryNotes(undefined, model);
    const task = undertake({ operation: "plan_note_moves", ...meetings("y2026", "Note") }, notes.server);
    const ended = await task.end();
    expect(idsIn(ended.result)).toHaveLength(5_000);
    expect(notes.callsOf("children")).toHaveLength(1);
    expect(notes.callsOf("note").length).toBeLessThanOrEqual(5_000 + 6);
    expect(task.progress.at(-1)).toMatchObject({ done: 5_000, total: 5_000 });
    expect(task.progress.at(0)).toMatchObject({ done: 1, total: 5_000 });
  });
});
