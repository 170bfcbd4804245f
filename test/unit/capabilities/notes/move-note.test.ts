// The outcome of one move, for each behaviour of the server.
import { describe, expect, test } from "vitest";
import { moveCutOff, moveNote } from "../../../../capabilities/notes/move-note.ts";
import { NotesFault } from "../../../../capabilities/notes/notes-server.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { DONE, MOVE, type Moving, moved, really, UNKNOWN, withContext } from "../../../support/notes/one-move.ts";
import { createRuns } from "../../../support/notes/skill-runs.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

describe("a move", () => {
  test("counts as moved when the note is at its target", async () => {
    expect(await moved(really)).toMatchObject({ is: "moved", writes: 1, parents: ["y2026"] });
  });

  test("counts as moved when the server refuses it but the note is at its target", async () => {
    const both: Moving = async (model, plain) => {
      await really(model, plain);
      return { is: "refused", message: "no" };
    };
    expect(await moved(both)).toMatchObject({ is: "moved" });
  });

  test("is waited for when its effect is late", async () => {
    const late: Moving = (model) => {
      setImmediate(() => model.move(MOVE));
      return UNKNOWN;
    };
    expect(await moved(late)).toMatchObject({ is: "moved", writes: 1 });
  });

  test("fails when the note is deleted or ends up elsewhere, even if the server reports success", async () => {
    const deletes: Moving = (model) => {
      model.delete("m1");
      return DONE;
    };
    const strays: Moving = (model) => {
      model.move({ ...MOVE, to: "folder" });
      return DONE;
    };
    expect(await moved(deletes)).toMatchObject({ is: "failed", code: "lost" });
    expect(await moved(strays)).toMatchObject({ is: "failed", code: "moved_elsewhere" });
  });

  test("is left out when the server has taken it back, and fails when it could not", async () => {
    const back = { is: "withdrawn", code: "target_moved", reason: "the target has moved" } as const;
    const message = expect.stringContaining("the target has moved");
    expect(await moved(() => back)).toMatchObject({
      is: "left_out",
      code: "target_moved",
      message,
      parents: ["inbox"],
    });
    const half: Moving = (model) => {
      model.clone({ note_id: "m1", to: "y2026" });
      return back;
    };
    expect(await moved(half)).toMatchObject({ is: "failed", code: "target_moved", message });
    const gone: Moving = (model) => {
      model.delete("m1");
      return back;
    };
    expect(await moved(gone)).toMatchObject({ is: "failed", code: "lost" });
  });

  test("fails when the server has taken the note out of another place than the approved one", async () => {
    const other: Moving = async (model, plain) => {
      await really(model, plain);
      return { is: "done", out_of: "folder" };
    };
    const message = expect.stringContaining("was taken out of folder; somebody had put it there");
    expect(await moved(other)).toMatchObject({ is: "failed", code: "moved_meanwhile", message, parents: ["y2026"] });
  });

  test("fails without a write when the note cannot be read first", async () => {
    const notes = memoryNotes(() => ({ note: () => Promise.reject(new NotesFault("unreachable", "no route")) }));
    const work = { notes: async () => notes.server, patience: [0], mutex: createMutex() };
    expect(await withContext((ctx) => moveNote({ ctx, ...work }, MOVE))).toMatchObject({
      is: "failed",
      code: "unreachable",
      message: expect.stringContaining("nothing was written"),
    });
    expect(notes.writes()).toBe(0);
  });

  test("has an unknown outcome when the note cannot be read afterwards", async () => {
    let isGone = false;
    const notes = memoryNotes(
      (plain) => ({
        move: async () => {
          isGone = true;
          return DONE;
        },
        note: async (id) => (isGone ? Promise.reject(new NotesFault("unreachable", "no route")) : plain.note(id)),
      }),
      someNotes(),
    );
    const work = { notes: async () => notes.server, patience: [0, 0], mutex: createMutex() };
    expect(await withContext((ctx) => moveNote({ ctx, ...work }, MOVE))).toMatchObject({
      is: "failed",
      code: "outcome_unknown",
    });
  });
});

test.each([
  ["two moves of a note", moveNote, moveNote],
  ["a move of a note and one that was cut off", moveNote, moveCutOff],
  ["two moves that were cut off", moveCutOff, moveCutOff],
])("%s at once write only once", async (_, first, second) => {
  const notes = memoryNotes(undefined, someNotes(), { delay_ms: 2 });
  const work = { notes: async () => notes.server, patience: [0, 0], mutex: createMutex() };
  const became = await Promise.all([
    withContext((ctx) => first({ ctx, ...work }, MOVE)),
    withContext((ctx) => second({ ctx, ...work }, MOVE)),
  ]);
  expect(became[0]).toMatchObject({ is: "moved" });
  expect(became[1]).toMatchObject(second === moveNote ? { code: "already_in_place" } : { is: "moved" });
  expect(notes.writes()).toBe(1);
});

describe("a move that was cut off by a crash of orch", () => {
  const cutOff = (prepare: (model: NotesModel) => void) => moved(really, { run: moveCutOff, prepare });

  test("is not repeated when it was made", async () => {
    expect(await cutOff((model) => model.move(MOVE))).toMatchObject({ is: "moved", writes: 0, parents: ["y2026"] });
  });

  test("is not repeated when its effect is late", async () => {
    expect(await cutOff((model) => void setImmediate(() => model.move(MOVE)))).toMatchObject({
      is: "moved",
      writes: 0,
    });
  });

  test("is made once when it had not started", async () => {
    expect(await cutOff(() => undefined)).toMatchObject({ is: "moved", writes: 1, parents: ["y2026"] });
  });

  test("is left to a human when the note is in two places, on a server that cannot choose one", async () => {
    expect(await cutOff((model) => model.clone({ note_id: "m1", to: "y2026" }))).toMatchObject({
      is: "failed",
      code: "in_two_places",
      message: expect.stringMatching(/restart the notes application, look again/),
      writes: 0,
    });
  });

  test("is finished when the note is in two places, on a server that can choose one, unless it has left its old one", async () => {
    const finished = async (prepare: (model: NotesModel) => void) => {
      const model = someNotes();
      prepare(model);
      const notes = memoryNotes(() => ({ chooses_place: true }), model);
      const work = { notes: async () => notes.server, patience: [0, 0], mutex: createMutex() };
      const became = await withContext((ctx) => moveCutOff({ ctx, ...work }, MOVE));
      return { ...became, writes: notes.writes(), parents: model.parentsOf("m1") };
    };
    const half = (model: NotesModel) => model.clone({ note_id: "m1", to: "y2026" });
    expect(await finished(half)).toMatchObject({ is: "moved", writes: 1, parents: ["y2026"] });
    const strayed = (model: NotesModel) => {
      half(model);
      model.move({ note_id: "m1", from: "inbox", to: "folder" });
    };
    expect(await finished(strayed)).toMatchObject({ code: "in_two_places", writes: 0, parents: ["y2026", "folder"] });
  });

  test("is left out when its half was taken back, because its target is another now", async () => {
    const model = someNotes();
    model.clone({ note_id: "m1", to: "y2026" });
    const notes = memoryNotes(
      () => ({
        chooses_place: true,
        move: async () => {
          model.deleteBranch("y2026_m1");
          return { is: "withdrawn", code: "target_moved", reason: "the target has moved" };
        },
      }),
      model,
    );
    const work = { notes: async () => notes.server, patience: [0, 0], mutex: createMutex() };
    const became = await withContext((ctx) => moveCutOff({ ctx, ...work }, MOVE));
    expect([became.is, became.code, model.parentsOf("m1")]).toEqual(["left_out", "target_moved", ["inbox"]]);
  });

  test("reports a note that is not found as lost", async () => {
    expect(await cutOff((model) => model.delete("m1"))).toMatchObject({ is: "failed", code: "lost", writes: 0 });
  });

  test("is left out when the note was moved elsewhere in the meantime", async () => {
    expect(await cutOff((model) => model.move({ ...MOVE, to: "folder" }))).toMatchObject({
      is: "left_out",
      code: "moved_meanwhile",
      writes: 0,
    });
  });
});

test("a stop before the outcome of a move is known leaves its step without an end", async () => {
  const runs = createRuns({});
  const notes = memoryNotes(
    () => ({
      move: async () => {
        runs.stop.abort();
        return UNKNOWN;
      },
    }),
    someNotes(),
  );
  const ended = runs.run(async (ctx) => {
    await moveNote({ ctx, notes: async () => notes.server, patience: [0, 60_000], mutex: createMutex() }, MOVE);
    return { status: "ok", code: "done", message: "Done." };
  });
  await expect(ended).rejects.toThrow("stopped before it was known");
});
