import { expect, test } from "vitest";
import { createTreeAhead } from "../../../../capabilities/notes/examine-moves.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

function begun() {
  const notes = memoryNotes(undefined, someNotes());
  const tree = createTreeAhead(notes.server.note);
  const above = async (note_id: string) => [...((await tree.lineage(note_id))?.above.keys() ?? [])];
  return { notes, tree, above };
}

test("a note that is moved lies under its target alone, and so does everything below it", async () => {
  const { notes, tree, above } = begun();
  expect(await above("y2026")).toEqual(["y2026", "archive", "root"]);
  tree.move({ note_id: "archive", to: "folder" });
  expect(await tree.note("archive")).toMatchObject({ title: "Archive", parent_note_ids: ["folder"] });
  expect(await above("y2026")).toEqual(["y2026", "archive", "folder", "inbox", "root"]);
  tree.move({ note_id: "folder", to: "root" });
  expect(await above("y2026")).toEqual(["y2026", "archive", "folder", "root"]);
  expect(notes.writes()).toBe(0);
});

test("what is above a note is worked out once, unless one of these moves", async () => {
  const { notes, tree, above } = begun();
  const reads = () => notes.callsOf("note").length;
  await above("y2026");
  expect(reads()).toBe(2);
  tree.move({ note_id: "m1", to: "y2026" });
  await above("y2026");
  expect(reads()).toBe(2);
  tree.move({ note_id: "archive", to: "root" });
  await above("y2026");
  expect(reads()).toBe(4);
});

test("a note that is not there is not there ahead either", async () => {
  const { tree } = begun();
  tree.move({ note_id: "nobody", to: "inbox" });
  expect([await tree.note("nobody"), await tree.lineage("nobody")]).toEqual([null, null]);
});
