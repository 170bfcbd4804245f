import { describe, expect, test } from "vitest";
import { lineageOf, pathOf, remembering } from "../../../../capabilities/notes/ancestors.ts";
import { createNotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

const above = async (model: ReturnType<typeof someNotes>, note_id: string) => {
  const lineage = await lineageOf(note_id, memoryNotes(undefined, model).server.note);
  return lineage === null ? null : [...lineage.above.keys()].sort();
};

describe("the lineage of a note", () => {
  test("is the note itself and everything up to the root", async () => {
    expect(await above(someNotes(), "y2026")).toEqual(["archive", "root", "y2026"]);
  });

  test("includes the ancestors of every parent", async () => {
    const model = someNotes();
    model.clone({ note_id: "y2026", to: "folder" });
    expect(await above(model, "y2026")).toEqual(["archive", "folder", "inbox", "root", "y2026"]);
  });

  test("is null for a missing note", async () => {
    expect(await above(someNotes(), "nobody")).toBeNull();
  });

  test("ends where the tree has a cycle", async () => {
    const model = someNotes();
    model.move({ note_id: "archive", from: "root", to: "y2026" });
    expect(await above(model, "y2026")).toEqual(["archive", "y2026"]);
  });

  test("is a fault when it is longer than in any real tree", async () => {
    const endless = async (note_id: string) => {
      const parent_note_ids = [`${Number(note_id) + 1}`];
      return { note_id, title: "", type: "text", parent_note_ids, is_protected: false };
    };
    await expect(lineageOf("0", endless)).rejects.toMatchObject({ code: "incomplete" });
  });
});

describe("the path of a note", () => {
  const path = async (model: ReturnType<typeof someNotes>, note_id: string) => {
    const lineage = await lineageOf(note_id, memoryNotes(undefined, model).server.note);
    return lineage === null ? null : pathOf(lineage);
  };

  test("starts below the root, so that resolve_target_note accepts it", async () => {
    expect(await path(someNotes(), "y2026")).toBe("Archive / 2026");
    expect(await path(someNotes(), "inbox")).toBe("Inbox");
  });

  test("is the title alone for the root", async () => {
    expect(await path(createNotesModel(), "root")).toBe("root");
  });

  test("follows the first of several parents", async () => {
    const model = someNotes();
    model.clone({ note_id: "y2026", to: "folder" });
    expect(await path(model, "y2026")).toBe("Archive / 2026");
  });

  test("ends where the tree has a cycle", async () => {
    const model = someNotes();
    model.move({ note_id: "archive", from: "root", to: "y2026" });
    expect(await path(model, "y2026")).toBe("Archive / 2026");
  });
});

test("a note is read once, also by concurrent readers", async () => {
  let reads = 0;
  const read = remembering(async (id) => {
    reads += 1;
    return id;
  });
  expect(await Promise.all(["a", "a", "b"].map(read))).toEqual(["a", "a", "b"]);
  expect(reads).toBe(2);
});
