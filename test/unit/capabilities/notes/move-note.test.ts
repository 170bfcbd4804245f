// What becomes of one move, whatever the server does and says.
import { describe, expect, test } from "vitest";
import { moveCutOff, moveNote } from "../../../../capabilities/notes/move-note.ts";
import { NotesFault, type NotesServer, type Written } from "../../../../capabilities/notes/notes-server.ts";
import { createMutex } from "../../../../src/domain/mutex.ts";
import type { SkillContext } from "../../../../src/ports.ts";
import type { NotesModel } from "../../../simulators/notes/notes-model.ts";
import { memoryNotes } from "../../../support/notes/memory-notes.ts";
import { createRuns } from "../../../support/notes/skill-runs.ts";
import { someNotes } from "../../../support/notes/undertake.ts";

const MOVE = { note_id: "m1", title: "Meeting 1", from: "inbox", to: "y2026", target_title: "2026" };

type Moving = (model: NotesModel, plain: NotesServer) => Written | Promise<Written>;

/** Runs it with a server whose move is `moving`; gives what became of it, how often was written, and the parents. */
async function moved(
  moving: Moving,
  { run = moveNote, prepare = () => undefined }: { run?: typeof moveNote; prepare?: (model: NotesModel) => void } = {},
) {
  const model = someNotes();
  prepare(model);
  const notes = memoryNotes((plain) => ({ move: async () => moving(model, plain) }), model);
  const became = await withContext((ctx) =>
    run({ ctx, notes: async () => notes.server, patience: [0, 0, 0], mutex: createMutex() }, MOVE),
  );
  return { ...became, writes: notes.writes(), parents: model.parentsOf("m1") };
}

async function withContext<T>(work: (ctx: SkillContext) => Promise<T>): Promise<T> {
  let result: T | undefined;
  await createRuns({}).run(async (ctx) => {
    result = await work(ctx);
    return { status: "ok", code: "done", message: "Done." };
  });
  if (result === undefined) throw new Error("it was left");
  return result;
}

const really: Moving = (_, plain) => plain.move(MOVE);
const DONE: Written = { is: "done" };
const UNKNOWN: Written = { is: "unknown", message: "the connection was cut" };

describe("a move", () => {
  test("that is done and seen is moved", async () => {
    expect(await moved(really)).toMatchObject({ is: "moved", writes: 1, parents: ["y2026"] });
  });

  test("that was refused and seen all the same is moved", async () => {
    const both: Moving = async (model, plain) => {
      await really(model, plain);
      return { is: "refused", message: "no" };
    };
    expect(await moved(both)).toMatchObject({ is: "moved" });
  });

  test("whose effect comes late is waited for", async () => {
    const late: Moving = (model) => {
      setImmediate(() => model.move(MOVE));
      return UNKNOWN;
    };
    expect(await moved(late)).toMatchObject({ is: "moved", writes: 1 });
  });

  test("that deletes the note or brings it elsewhere has failed, whatever the server says", async () => {
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

  test("that cannot be examined has failed and written nothing", async () => {
    const notes = memoryNotes(() => ({ note: () => Promise.reject(new NotesFault("unreachable", "no route")) }));
    const work = { notes: async () => notes.server, patience: [0], mutex: createMutex() };
    expect(await withContext((ctx) => moveNote({ ctx, ...work }, MOVE))).toMatchObject({
      is: "failed",
      code: "unreachable",
      message: expect.stringContaining("nothing was written"),
    });
    expect(notes.writes()).toBe(0);
  });

  test("that cannot be looked for afterwards has an unknown outcome", async () => {
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
  ["two that were cut off", moveCutOff, moveCutOff],
])("%s at once are one, and the other finds it in place", async (_, first, second) => {
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

describe("a move that its server died in", () => {
  const cutOff = (prepare: (model: NotesModel) => void) => moved(really, { run: moveCutOff, prepare });

  test("is not made again when it had been made", async () => {
    expect(await cutOff((model) => model.move(MOVE))).toMatchObject({ is: "moved", writes: 0, parents: ["y2026"] });
  });

  test("is not made again when its effect shows only now", async () => {
    expect(await cutOff((model) => void setImmediate(() => model.move(MOVE)))).toMatchObject({
      is: "moved",
      writes: 0,
    });
  });

  test("is made once when it had not been begun", async () => {
    expect(await cutOff(() => undefined)).toMatchObject({ is: "moved", writes: 1, parents: ["y2026"] });
  });

  test("is not made again when it may still arrive and a second one could cost the note", async () => {
    const over = () => ({ may_repeat_move: false });
    const notes = memoryNotes(over, someNotes());
    const work = { notes: async () => notes.server, patience: [0, 0], mutex: createMutex() };
    expect(await withContext((ctx) => moveCutOff({ ctx, ...work }, MOVE))).toMatchObject({
      is: "failed",
      code: "not_applied",
      message: expect.stringContaining("the move was interrupted"),
    });
    expect(notes.writes()).toBe(0);
  });

  test("is left to a human when it is half done", async () => {
    expect(await cutOff((model) => model.clone({ note_id: "m1", to: "y2026" }))).toMatchObject({
      is: "failed",
      code: "in_two_places",
      writes: 0,
    });
  });

  test("reports a note that is not found as lost", async () => {
    expect(await cutOff((model) => model.delete("m1"))).toMatchObject({ is: "failed", code: "lost", writes: 0 });
  });

  test("is left out when the note has been moved elsewhere meanwhile", async () => {
    expect(await cutOff((model) => model.move({ ...MOVE, to: "folder" }))).toMatchObject({
      is: "left_out",
      code: "moved_meanwhile",
      writes: 0,
    });
  });
});

test("a stop before it is known what became of a move leaves its step without an end", async () => {
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
