import { describe, expect, test } from "vitest";
import type { NotesServer } from "../../../../capabilities/notes/notes-server.ts";
import type { Json } from "../../../../src/domain/json.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

function asked(payload: Record<string, Json>) {
  const model = someNotes();
  model.clone({ note_id: "m2", to: "archive" });
  const notes = memoryNotes(undefined, model);
  return { notes, end: () => undertake(payload, notes.server).end() };
}

describe("the placement of one note [4.notes.verify_tree_placement]", () => {
  const placement = (note_id: string, expected_parent_note_id: string) =>
    asked({ operation: "verify_tree_placement", note_id, expected_parent_note_id }).end();

  test("is right under each of its parents", async () => {
    expect(await placement("m1", "inbox")).toMatchObject({
      status: "ok",
      code: "placed",
      message: '"Meeting 1" (m1) is under inbox.',
      result: { placed: true, parent_note_ids: ["inbox"] },
    });
    expect(await placement("m2", "archive")).toMatchObject({ status: "ok", result: { placed: true } });
  });

  test("is wrong elsewhere, and the message names the actual parents", async () => {
    expect(await placement("m1", "root")).toMatchObject({
      status: "failed",
      code: "not_placed",
      message: "m1 is under inbox, and not under root.",
      result: { placed: false, parent_note_ids: ["inbox"] },
    });
    expect(await placement("nobody", "root")).toMatchObject({ message: "nobody is not there, and not under root." });
  });
});

describe("the placement of many notes [4.notes.verify_note_tree] [4.notes.verify_lists_once]", () => {
  const placement = (note_ids: string[], expected_parent_note_id: string) =>
    asked({ operation: "verify_note_tree", note_ids, expected_parent_note_id });

  test("is verified with one list of the children (promises 4.14)", async () => {
    const { notes, end } = placement(["m1", "m2", "m3"], "inbox");
    expect(await end()).toMatchObject({ status: "ok", code: "placed", message: "All 3 notes are under inbox." });
    expect([notes.callsOf("children").length, notes.callsOf("note").length]).toEqual([1, 0]);
    const many = placement([...Array.from({ length: 40 }, (_, n) => `x${n}`), "m1"], "inbox");
    await many.end();
    expect([many.notes.callsOf("children").length, many.notes.callsOf("note").length]).toEqual([1, 0]);
    expect(await placement(["m1"], "inbox").end()).toMatchObject({ message: "1 note is under inbox." });
  });

  test("is wrong when some are missing, and lists them", async () => {
    expect(await placement(["m1", "y2026", "nobody"], "inbox").end()).toMatchObject({
      status: "failed",
      code: "not_placed",
      message: "2 of 3 notes are not in place: not under inbox: y2026, nobody.",
      result: { placed: ["m1"], missing: ["y2026", "nobody"] },
    });
  });

  test("is wrong for a note whose place a synchronisation has left without title and type", async () => {
    const ghosts = (plain: NotesServer) => ({
      children: async (note_id: string) => {
        const all = await plain.children(note_id);
        return all && { notes: all.notes.filter((note) => note.note_id !== "m2"), gaps: ["m2", "other"] };
      },
    });
    const { server } = memoryNotes(ghosts, someNotes());
    const order = { operation: "verify_note_tree", note_ids: ["m1", "m2"], expected_parent_note_id: "inbox" };
    expect(await undertake(order, server).end()).toMatchObject({
      status: "failed",
      message: expect.stringContaining("listed there, and cannot be read: m2"),
      result: { placed: ["m1"], missing: ["m2"] },
    });
  });

  test("is wrong under a missing parent", async () => {
    expect(await placement(["m1"], "nobody").end()).toMatchObject({
      status: "failed",
      message: "1 of 1 note is not in place: nobody is not there.",
      result: { missing: ["m1"] },
    });
  });
});
