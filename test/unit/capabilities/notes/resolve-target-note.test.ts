import { describe, expect, test } from "vitest";
import type { NotesServer } from "../../../../capabilities/notes/notes-server.ts";
import type { Json } from "../../../../src/domain/json.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { someNotes, undertake } from "../../../support/notes/undertake.ts";

type Prepare = (model: NotesModel) => unknown;

function resolved(
  asked: Record<string, Json>,
  prepare: Prepare = () => undefined,
  over: (plain: NotesServer) => Partial<NotesServer> = () => ({}),
) {
  const model = someNotes();
  prepare(model);
  const { server } = memoryNotes(over, model);
  return undertake({ operation: "resolve_target_note", ...asked }, server).end();
}

/** A second folder called 2026. */
const twice: Prepare = (model) => {
  model.add({ note_id: "other", title: "2026", parents: ["folder"] });
};

describe("a path [4.notes.resolve_target_note]", () => {
  test.each<[string, Json]>([
    ["with slashes", "Archive/2026"],
    ["with blanks around them, and one at the front", "/ Archive / 2026"],
    ["of titles", ["Archive", "2026"]],
  ])("%s leads to its note", async (_, path) => {
    expect(await resolved({ path })).toEqual({
      status: "ok",
      code: "resolved",
      message: '"Archive / 2026" is y2026, at "Archive / 2026".',
      result: { note_id: "y2026", title: "2026", path: "Archive / 2026" },
    });
  });

  test("made of titles may have slashes in them", async () => {
    const slashed: Prepare = (model) => model.add({ note_id: "ab", title: "a/b", parents: ["archive"] });
    expect(await resolved({ path: ["Archive", "a/b"] }, slashed)).toMatchObject({ result: { note_id: "ab" } });
    expect(await resolved({ path: "Archive/a/b" }, slashed)).toMatchObject({ code: "not_found" });
  });

  test("begins at the root that is given", async () => {
    expect(await resolved({ path: "2026", root_note_id: "archive" })).toMatchObject({ result: { note_id: "y2026" } });
    expect(await resolved({ path: "2026" })).toMatchObject({ status: "failed", code: "not_found" });
    expect(await resolved({ path: "2026", root_note_id: "nobody" })).toMatchObject({ code: "root_not_found" });
  });

  test("is followed along every note of a title, and one that leads to several is no answer", async () => {
    const archives: Prepare = (model) => {
      model.add({ note_id: "archive2", title: "Archive" });
      model.add({ note_id: "y2025", title: "2025", parents: ["archive2"] });
    };
    expect(await resolved({ path: "Archive/2025" }, archives)).toMatchObject({ result: { note_id: "y2025" } });
    expect(await resolved({ path: "Archive" }, archives)).toMatchObject({
      status: "failed",
      code: "ambiguous",
      message: '"Archive": 2 notes have exactly this title.',
      result: { complete: true, candidates: [{ note_id: "archive" }, { note_id: "archive2" }] },
    });
  });

  test("that leads to one note along two ways leads to it", async () => {
    const cloned: Prepare = (model) => {
      model.add({ note_id: "archive2", title: "Archive" });
      model.clone({ note_id: "y2026", to: "archive2" });
    };
    expect(await resolved({ path: "Archive/2026" }, cloned)).toMatchObject({ code: "resolved" });
  });

  test("that ends nowhere is answered with what might have been meant", async () => {
    expect(await resolved({ path: "archive/2026" })).toMatchObject({
      status: "failed",
      code: "not_found",
      result: { candidates: [{ note_id: "archive", title: "Archive", path: "Archive" }] },
    });
  });
});

describe("a title [4.notes.resolve_target_note]", () => {
  test("counts only below the root that is given, also where the server looks everywhere", async () => {
    const everywhere = (plain: NotesServer): Partial<NotesServer> => ({
      search: (query) => plain.search({ ...query, ancestor_note_id: null }),
    });
    const below = { title: "2026", root_note_id: "folder" };
    expect(await resolved(below, twice)).toMatchObject({ code: "resolved", result: { note_id: "other" } });
    expect(await resolved(below, twice, everywhere)).toMatchObject({ code: "resolved", result: { note_id: "other" } });
    expect(await resolved({ ...below, root_note_id: "nobody" })).toMatchObject({ code: "root_not_found" });
  });

  test("in a search that was cut off is no answer, with one note of it or none", async () => {
    const cut = (plain: NotesServer): Partial<NotesServer> => ({
      search: async (query) => ({ ...(await plain.search(query)), truncated: true }),
    });
    expect(await resolved({ title: "Meeting 1" }, undefined, cut)).toMatchObject({
      status: "failed",
      code: "ambiguous",
      message: expect.stringContaining("there may be more"),
      result: { complete: false, candidates: [{ note_id: "m1" }] },
    });
    expect(await resolved({ title: "Nothing" }, undefined, cut)).toMatchObject({
      status: "failed",
      code: "search_incomplete",
    });
  });

  test("that very many notes have is answered with the first of them, and says so", async () => {
    const many: Prepare = (model) => {
      for (let n = 0; n < 30; n += 1) model.add({ note_id: `same${n}`, title: "Same", parents: ["archive"] });
    };
    const ended = await resolved({ title: "Same" }, many);
    expect(ended).toMatchObject({
      code: "ambiguous",
      message: '"Same": 30 notes have exactly this title. The first 20 are listed.',
      result: { complete: false },
    });
    expect((ended.result as { candidates: unknown[] }).candidates).toHaveLength(20);
  });

  test("that only a system note has is not found", async () => {
    const hidden: Prepare = (model) => model.add({ note_id: "_hidden", title: "Hidden" });
    expect(await resolved({ title: "Hidden" }, hidden)).toMatchObject({ code: "not_found" });
    expect(await resolved({ path: "Hidden" }, hidden)).toMatchObject({ code: "not_found" });
  });
});
